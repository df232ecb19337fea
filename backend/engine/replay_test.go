package engine

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"coppice/backend/core"
)

// anyPath draws a path as importers and dying runs leave it: calls without results, results without calls, results
// twice, aborted messages, compactions, empty texts.
func anyPath(t *rapid.T) []core.Message {
	path := []core.Message{}
	ids := 0
	for i := range rapid.IntRange(0, 24).Draw(t, "length") {
		m := core.Message{UID: fmt.Sprint("u", i), Kind: core.KindMessage, Parts: []core.Part{}}
		m.Role = rapid.SampledFrom([]core.Role{core.RoleUser, core.RoleAssistant, core.RoleTool, core.RoleAssistant, core.RoleSystem}).Draw(t, "role")
		m.Kind = rapid.SampledFrom([]core.Kind{core.KindMessage, core.KindMessage, core.KindMessage, core.KindMessage, core.KindMeta, core.KindCompaction}).Draw(t, "kind")
		for range rapid.IntRange(0, 3).Draw(t, "parts") {
			p := core.Part{Type: core.PartText, Text: rapid.SampledFrom([]string{"", " ", "words"}).Draw(t, "text")}
			switch kind := rapid.IntRange(0, 3).Draw(t, "part"); {
			case kind == 1 && m.Role == core.RoleAssistant:
				ids++
				p = core.Part{Type: core.PartToolCall, ID: fmt.Sprint("c", ids), Name: "x", Server: rapid.IntRange(0, 5).Draw(t, "server") == 0}
				if rapid.Bool().Draw(t, "whole") {
					p.Arguments = json.RawMessage(`{"a":1}`)
				}
			case kind >= 1 && m.Role != core.RoleAssistant:
				p = core.Part{Type: core.PartToolResult, ID: fmt.Sprint("c", rapid.IntRange(0, ids+1).Draw(t, "of")), Result: []core.Part{{Type: core.PartText, Text: fmt.Sprint("r", i)}}}
			case kind == 2:
				p = core.Part{Type: core.PartSummary, Text: "summary"}
			}
			m.Parts = append(m.Parts, p)
		}
		if m.Role == core.RoleAssistant {
			m.FinishReason = rapid.SampledFrom([]string{"stop", "tool_call", core.FinishAborted, core.FinishError, ""}).Draw(t, "finish")
		}
		path = append(path, m)
	}
	return path
}

// Whatever a path has, a model is sent only what every provider accepts.
func TestReplayableIsSendable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		path := anyPath(t)
		before, _ := json.Marshal(path)
		sent := replayable(path)
		if after, _ := json.Marshal(path); string(after) != string(before) {
			t.Fatal("the path was changed")
		}
		if again := replayable(sent); !reflect.DeepEqual(again, sent) {
			t.Fatalf("sending it again differs:\n%+v\n%+v", sent, again)
		}
		for i := range sent {
			checkSent(t, sent, i)
		}
	})
}

func checkSent(t *rapid.T, sent []core.Message, i int) {
	m := &sent[i]
	switch {
	case len(m.Parts) == 0:
		t.Fatalf("message %d is empty", i)
	case m.Role == core.RoleSystem:
		t.Fatalf("message %d is an instruction", i)
	case m.Role == core.RoleUser && i > 0 && sent[i-1].Role == core.RoleUser:
		t.Fatalf("messages %d and %d are both of the user", i-1, i)
	case m.Role == core.RoleTool && (i == 0 || len(ownCalls(&sent[i-1])) != len(m.Parts)):
		t.Fatalf("message %d answers other calls than those before it", i)
	case m.FinishReason == core.FinishAborted:
		t.Fatalf("message %d was aborted", i)
	}
	calls := ownCalls(m)
	if len(calls) == 0 {
		return
	}
	if i+1 == len(sent) || sent[i+1].Role != core.RoleTool {
		t.Fatalf("the calls of message %d have no results", i)
	}
	for j, call := range calls {
		if result := sent[i+1].Parts[j]; result.ID != call.ID || len(result.Result) == 0 || !json.Valid(call.Arguments) {
			t.Fatalf("call %+v has the result %+v", call, result)
		}
	}
}

func TestReplayableBeginsAtTheNewestCompaction(t *testing.T) {
	said := func(role core.Role, kind core.Kind, text string) core.Message {
		return core.Message{Role: role, Kind: kind, Parts: []core.Part{{Type: core.PartText, Text: text}}}
	}
	sent := replayable([]core.Message{
		said(core.RoleUser, core.KindMessage, "old"), said(core.RoleUser, core.KindCompaction, "first"), said(core.RoleAssistant, core.KindMessage, "a"),
		said(core.RoleUser, core.KindCompaction, "second"), said(core.RoleUser, core.KindMessage, "new"),
	})
	if len(sent) != 1 || textOf(sent[0].Parts) != "second\n\n[The user's message:]\n\nnew" {
		t.Errorf("sent %+v", sent)
	}
}

func TestNeutral(t *testing.T) {
	m := core.Message{Role: core.RoleAssistant, Origin: &core.Origin{Provider: "x"}, Parts: []core.Part{
		{Type: core.PartReasoning, Text: "hm", Native: json.RawMessage(`{"signature":"s"}`)},
		{Type: core.PartText, Text: "a", Native: json.RawMessage(`{}`)},
		{Type: core.PartOther, Native: json.RawMessage(`{}`)},
		{Type: core.PartToolCall, ID: "c", Server: true},
	}}
	got := neutral([]core.Message{m, {Role: core.RoleAssistant, Parts: m.Parts[:1]}})
	if len(got) != 1 || got[0].Origin != nil || len(got[0].Parts) != 1 || got[0].Parts[0].Native != nil {
		t.Errorf("got %+v", got)
	}
	if m.Parts[1].Native == nil {
		t.Error("the original was changed")
	}
}

// The wording is fixed: it is what agent-base sends.
func TestSummary(t *testing.T) {
	path := []core.Message{}
	for i := range 7 {
		path = append(path,
			core.Message{Role: core.RoleUser, Kind: core.KindMessage, Parts: []core.Part{{Type: core.PartText, Text: fmt.Sprint(i, strings.Repeat("ä", 300))}}},
			core.Message{Role: core.RoleAssistant, Kind: core.KindMessage, Parts: []core.Part{{Type: core.PartToolCall, Name: []string{"b", "a"}[i%2]}}})
	}
	ä := strings.Repeat("ä", 199)
	want := "You are resuming a previous session. Here's what happened:\n\nUser requests:\n1. 0" + ä + "\n2. 1" + ä + "\n3. 2" + ä + "\n4. 3" + ä + "\n5. 4" + ä +
		"\n\nTools used: b, a\n\nTotal conversation: 14 messages exchanged.\n\n" +
		"Please continue helping the user based on this context. If the user asks about previous actions, you can reference the above."
	if got := Summary(path); got != want {
		t.Errorf("is\n%s\nwant\n%s", got, want)
	}
	if got := Summary(nil); got != "Empty session - no previous context." {
		t.Error(got)
	}
}

func TestCovers(t *testing.T) {
	for _, c := range []struct {
		matcher, target string
		want            bool
	}{
		{"*", "anything", false},
		{"go test", "go test", true},
		{"go test", "go test ./x", false},
		{"go test *", "go test", true},
		{"go test *", "go test ./x", true},
		{"go test *", "go tester", false},
		{"docs/**", "docs/a/b.md", true},
		{"docs/**", "docs", false},
		{"docs/**", "docs2/a", false},
		{"a.txt", "b.txt", false},
		{"server/tool@1234", "server/tool@5678", false},
	} {
		if got := covers(c.matcher, c.target); got != c.want {
			t.Errorf("%q covers %q: %t", c.matcher, c.target, got)
		}
	}
}
