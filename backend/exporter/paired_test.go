package exporter_test

import (
	"fmt"
	"io"
	"iter"
	"runtime"
	"strings"
	"testing"

	"coppice/backend/core"
	"coppice/backend/exporter"
)

func text(words string) core.Part { return core.Part{Type: core.PartText, Text: words} }

func call(id string) core.Part {
	return core.Part{Type: core.PartToolCall, ID: id, Name: "Bash", Arguments: []byte(`{"command":"ls"}`)}
}

func result(id, words string) core.Part {
	return core.Part{Type: core.PartToolResult, ID: id, Name: "Bash", Result: []core.Part{text(words)}}
}

func prompt(parts ...core.Part) core.Message { return of(core.RoleUser, core.KindMessage, parts) }
func answer(parts ...core.Part) core.Message { return of(core.RoleAssistant, core.KindMessage, parts) }
func tool(parts ...core.Part) core.Message   { return of(core.RoleTool, core.KindMessage, parts) }

func of(role core.Role, kind core.Kind, parts []core.Part) core.Message {
	return core.Message{UID: "0123456789", Role: role, Kind: kind, Parts: parts}
}

// lines returns each message as its role and its parts.
func lines(t *testing.T, messages iter.Seq2[core.Message, error]) string {
	t.Helper()
	out := ""
	for _, m := range gather(t, messages) {
		out += string(m.Role) + ":"
		for i := range m.Parts {
			p := &m.Parts[i]
			out += fmt.Sprintf(" %s %s%s;", p.Type, p.ID, p.PlainText())
		}
		out += "\n"
	}
	return strings.TrimSuffix(out, "\n")
}

func TestPaired(t *testing.T) {
	cases := []struct {
		name string
		path []core.Message
		want string
	}{
		{"in order", []core.Message{answer(call("a"), call("b")), tool(result("a", "1"), result("b", "2"))}, `assistant: tool_call aBash {"command":"ls"}; tool_call bBash {"command":"ls"};
tool: tool_result a1; tool_result b2;`},
		{"a late result", []core.Message{answer(call("a"), call("b")), tool(result("a", "1")), answer(text("so")), tool(result("b", "2"))}, `assistant: tool_call aBash {"command":"ls"}; tool_call bBash {"command":"ls"};
tool: tool_result a1;
tool: tool_result b2;
assistant: text so;`},
		{"no result", []core.Message{answer(call("a")), prompt(text("again"))}, `assistant: tool_call aBash {"command":"ls"};
tool: tool_result a[not executed];
user: text again;`},
		{"the same id twice", []core.Message{answer(call("a")), answer(call("a")), tool(result("a", "2"))}, `assistant: tool_call aBash {"command":"ls"};
tool: tool_result a[not executed];
assistant: tool_call 01234567_a_2Bash {"command":"ls"};
tool: tool_result 01234567_a_22;`},
		{"no id", []core.Message{answer(call("")), tool(result("", "2"))}, `assistant: tool_call 01234567__2Bash {"command":"ls"};
tool: tool_result 01234567__22;`},
		{"no call", []core.Message{prompt(text("hi")), tool(result("z", "3"))}, "user: text hi;\nassistant: text [Result of Bash]\n3;"},
		{"a comment", []core.Message{answer(call("a")), tool(result("a", "1"), text("not so"))}, `assistant: tool_call aBash {"command":"ls"};
tool: tool_result a1; text not so;`},
		{"empty", []core.Message{answer(), prompt(text("hi"))}, "user: text hi;"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := lines(t, exporter.Paired(stream(c.path))); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

func TestPlain(t *testing.T) {
	many := strings.Repeat("line\n", 100)
	injected := core.Part{Type: core.PartText, Text: "reminder", Injected: true}
	cases := []struct {
		name string
		path []core.Message
		want string
	}{
		{
			"a call and its result",
			[]core.Message{prompt(injected, text("list")), answer(text("Let me see."), call("a")), tool(result("a", "x.go")), answer(text("One file."))},
			"user: text list;\nassistant: text Let me see.; text [Called Bash] ls; text [Result of Bash]\nx.go;\nassistant: text One file.;",
		},
		{
			"a long result",
			[]core.Message{answer(call("a")), tool(result("a", many))},
			"assistant: text [Called Bash] ls; text [Result of Bash]\n" + strings.Repeat("line\n", 40) + "[60 more lines left out];",
		},
		{
			"a long line",
			[]core.Message{answer(call("a")), tool(result("a", strings.Repeat("é", 3000)))},
			"assistant: text [Called Bash] ls; text [Result of Bash]\n" + strings.Repeat("é", 2000) + "…\n[2000 more bytes left out];",
		},
		{
			"a failure",
			[]core.Message{answer(call("a")), prompt(text("and?"))},
			"assistant: text [Called Bash] ls; text [Result of Bash, failed]\n[not executed];\nuser: text and?;",
		},
		{
			"a comment",
			[]core.Message{answer(call("a")), tool(result("a", "1"), text("not so"))},
			"assistant: text [Called Bash] ls; text [Result of Bash]\n1; text [Comment of the user: not so];",
		},
		{"reasoning alone", []core.Message{answer(core.Part{Type: core.PartReasoning, Text: "hm"}), prompt(text("hi"))}, "user: text hi;"},
		{"a branch's summary", []core.Message{of(core.RoleUser, core.KindBranchSummary, []core.Part{{Type: core.PartSummary, Text: "left"}})}, "user: text [Summary of a branch that was left]\nleft;"},
		{"the tool's notices", []core.Message{of(core.RoleUser, core.KindMeta, []core.Part{text("reminder")}), of(core.RoleSystem, core.KindMeta, []core.Part{text("error")})}, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := lines(t, exporter.Plain(exporter.Paired(stream(c.path)))); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// TestMemory writes 10,000 messages of 10 kB for every tool.
func TestMemory(t *testing.T) {
	const count, size = 10_000, 10_000
	long := strings.Repeat("0123456789", size/10)
	for _, to := range targets() {
		var peak uint64
		messages := func(yield func(core.Message, error) bool) {
			for n := range count {
				m := prompt(text(strings.Clone(long)))
				m.UID, m.Role = fmt.Sprint(n), []core.Role{core.RoleUser, core.RoleAssistant}[n%2]
				if n%1000 == 999 {
					var stats runtime.MemStats
					runtime.GC()
					runtime.ReadMemStats(&stats)
					peak = max(peak, stats.HeapAlloc)
				}
				if !yield(m, nil) {
					return
				}
			}
		}
		var written counter
		if err := to.write(&written, conversation(exporter.Plain(exporter.Paired(messages)), false)); err != nil {
			t.Fatal(err)
		}
		if written < count*size || peak > 20<<20 {
			t.Errorf("%s: %d MB written, %d MB held", to.source, written>>20, peak>>20)
		}
	}
}

type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

var _ io.Writer = (*counter)(nil)
