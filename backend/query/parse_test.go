package query

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"coppice/backend/core"
)

// show writes a tree in the form that the tests expect.
func show(n *Node) string {
	if n == nil {
		return "nothing"
	}
	kids := make([]string, len(n.Kids))
	for i, k := range n.Kids {
		kids[i] = show(k)
	}
	switch n.Op {
	case All, Any, Not:
		return string(n.Op) + "(" + strings.Join(kids, " ") + ")"
	case Phrase, Tool:
		text := strings.Join(n.Words, "+")
		if n.Prefix {
			text += "*"
		}
		if n.Op == Tool {
			text = "tool:" + text
		}
		return text
	case Role, Source:
		return string(n.Op) + ":" + strings.Join(n.Values, ",")
	case Before, After:
		return string(n.Op) + ":" + time.UnixMilli(n.TimeMs).UTC().Format(time.RFC3339)
	default:
		return string(n.Op) + ":" + n.Text
	}
}

func now() time.Time {
	return time.Date(2026, 11, 21, 10, 30, 0, 0, time.FixedZone("", 3600))
}

func TestParse(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", "nothing"},
		{"error", "error"},
		{"Error  Handling", "all(error handling)"},
		{`"error handling"`, "error+handling"},
		{`"error handling"*`, "error+handling*"},
		{`"error hand`, "error+hand"},
		{"backend/auth.go", "backend+auth+go"},
		{"check* point", "all(check* point)"},
		{"a.b*", "a+b*"},
		{"*", "nothing"},
		{"=> {", "nothing"},
		{"a => b", "all(a b)"},
		{"error AND panic", "all(error panic)"},
		{"error OR panic fatal", "any(error all(panic fatal))"},
		{"a OR b OR c", "any(a b c)"},
		{"error NOT test", "all(error not(test))"},
		{"error AND NOT test", "all(error not(test))"},
		{"NOT NOT a", "a"},
		{"NOT a", "not(a)"},
		{"(a OR b) c", "all(any(a b) c)"},
		{"NOT (a OR b) c", "all(not(any(a b)) c)"},
		{"((a) OR (b))", "any(a b)"},
		{"() OR a", "a"},
		{"main() OR f(x)", "any(main f+x)"},
		{"(f(x) OR b)", "any(f+x b)"},
		{"call f(x y) OR b", "any(all(call f+x y) b)"},
		// A text without operators and fields is taken literally.
		{"if (err != nil {", "all(if err nil)"},
		{`fmt.Println("a b")`, "all(fmt+println+a b)"},
		{"and or not", "all(and or not)"},
		{"a) b", "all(a b)"},
		{"std::vector https://x.org/y", "all(std+vector https+x+org+y)"},
		{"rm -rf --force", "all(rm rf force)"},
		{"in: here", "all(in here)"},
		{"会话 Grüße", "all(会+话 gruße)"},
		// Fields.
		{"role:user a", "all(role:user a)"},
		{"ROLE:User", "role:user"},
		{"role:a", "role:assistant"},
		{"source:claude", "source:claude_code,claude_ai"},
		{"source:claude-code", "source:claude_code"},
		{"tool:read_file", "tool:read+file"},
		{"tool:mcp*", "tool:mcp*"},
		{`path:"my work"`, "path:my work"},
		{"model:gpt-5", "model:gpt-5"},
		{"label:plan", "label:plan"},
		{"in:session", "in:session"},
		{"(role:user OR role:tool) a", "all(any(role:user role:tool) a)"},
		{"NOT role:tool", "not(role:tool)"},
		{"after:2026-01-31", "after:2026-01-30T23:00:00Z"},
		{"before:2026-02", "before:2026-01-31T23:00:00Z"},
		{"before:2026", "before:2025-12-31T23:00:00Z"},
		{"after:2026-01-31T10:00:00Z", "after:2026-01-31T10:00:00Z"},
		{"after:today", "after:2026-11-20T23:00:00Z"},
		{"after:yesterday", "after:2026-11-19T23:00:00Z"},
		{"after:7d", "after:2026-11-13T23:00:00Z"},
		{"after:2h", "after:2026-11-21T07:30:00Z"},
		{"foo:bar", "foo+bar"},
		{`"role:user"`, "role+user"},
	} {
		q, err := Parse(test.text, Context{Now: now()})
		if got := show(q.Root); err != nil || got != test.want {
			t.Errorf("%q means %s, want %s (%v)", test.text, got, test.want, err)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"a AND", "at character 3: nothing after AND"},
		{"OR a", "at character 1: nothing before OR"},
		{"ä AND OR b", "at character 7: nothing before OR"},
		{"NOT", "at character 1: nothing after NOT"},
		{"(a OR b", "at character 1: this bracket is not closed"},
		{"a OR b)", "at character 7: this bracket closes none"},
		{"a (OR b)", "at character 4: nothing before OR"},
		{"a role:admin", `at character 3: role: takes one of user, assistant, tool, system, not "admin"`},
		{"before:soon", `at character 1: before: takes a day`},
		{"after:99999999999d", "at character 1: after: takes a day"},
		{"source:word", "at character 1: source: takes one of coppice, "},
		{`path:" "`, "at character 1: path: takes a text"},
		{"tool:=>", "at character 1: tool: takes the name of a tool"},
		{strings.Repeat("(", 40) + "a OR b" + strings.Repeat(")", 40), "more than 32 brackets"},
	} {
		_, err := Parse(test.text, Context{Now: now()})
		if err == nil || core.CodeOf(err) != core.Invalid || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: %v, want %q", test.text, err, test.want)
		}
	}
}

func TestParseWhileTyping(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"auth", "auth*"},
		{"auth ", "auth"},
		{"a", "a"},
		{"the auth", "all(the auth*)"},
		{"auth.g", "auth+g*"},
		{"auth.", "auth"},
		{`"the auth`, "the+auth*"},
		{`"the auth"`, "the+auth"},
		{"auth AND", "auth"},
		{"auth NOT", "auth"},
		{"(auth OR", "auth"},
		{"(auth OR tok", "any(auth tok*)"},
		{"role:user tok", "all(role:user tok*)"},
		{"会", "会"},
	} {
		q, err := Parse(test.text, Context{Now: now(), Typing: true})
		if got := show(q.Root); err != nil || got != test.want {
			t.Errorf("%q means %s, want %s (%v)", test.text, got, test.want, err)
		}
	}
}

// A query that is refused has operators or fields, and the error names one of its characters; words are folded.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{`a AND (b OR "c d"*) NOT e`, "role:user before:2026 path:\"x", "((", "a) OR", "会*", "in:\"\" NOT", "f(x OR y)", "…* tool:…"} {
		f.Add(seed, true)
		f.Add(seed, false)
	}
	f.Fuzz(func(t *testing.T, text string, typing bool) {
		q, err := Parse(text, Context{Now: now(), Typing: typing})
		if err != nil {
			at := 0
			if _, scanErr := fmt.Sscanf(err.Error(), "the query is wrong at character %d:", &at); scanErr != nil || at < 1 || at > len([]rune(text)) || q.Plain {
				t.Fatalf("%q, plain %t: %v", text, q.Plain, err)
			}
			return
		}
		for pending := []*Node{q.Root}; len(pending) > 0; {
			n := pending[0]
			pending = pending[1:]
			if n == nil {
				continue
			}
			pending = append(pending, n.Kids...)
			if isGroup := n.Op == All || n.Op == Any; isGroup && len(n.Kids) < 2 || n.Op == Not && len(n.Kids) != 1 {
				t.Fatalf("%q: %s", text, show(q.Root))
			}
			for _, w := range n.Words {
				if again := Words(w); w != LongWord && (len(again) != 1 || again[0] != w) {
					t.Fatalf("%q: the word %q folds to %q", text, w, again)
				}
			}
		}
	})
}
