package sqlite

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
	"unicode/utf16"

	"coppice/backend/core"
)

// marked returns what a hit marks in its snippet, as the screen does.
func marked(h core.Hit) string {
	return string(utf16.Decode(utf16.Encode([]rune(h.Snippet))[h.MarkFrom:h.MarkTo]))
}

func TestSearchFindsEverywhere(t *testing.T) {
	db := openTest(t)
	m := say("a", "", core.RoleAssistant)
	long := strings.Repeat("filler ", 20_000) + "needle-in-blob"
	m.Parts = []core.Part{
		{Type: core.PartText, Text: "Grüße, 𝒲orld! A \"quoted\"\n\tword and <tags>"},
		{Type: core.PartReasoning, Text: "I should think"},
		{Type: core.PartToolCall, Name: "write_file", Arguments: json.RawMessage(`{"path":"src/a.go","text":"line one\nline \"two\"","n":42}`)},
		{Type: core.PartToolResult, Result: []core.Part{{Type: core.PartText, Text: "exit status 1"}, {Type: core.PartText, Text: long}}},
		{Type: core.PartSummary, Text: "so far so good"},
		{Type: core.PartOther, Native: json.RawMessage(`"secret"`)},
	}
	merged(t, db, incoming("one", m))
	for _, test := range []struct {
		text, where, marked string
		regex               bool
	}{
		{"GRÜSSE", "", "", false}, // ß has no small twin of two letters
		{"grüße", "text", "Grüße", false},
		{"GRÜ", "text", "Grü", false},
		{"𝒲ORLD", "text", "𝒲orld", false},
		{`"quoted" WORD`, "", "", false},
		{`"QUOTED"`, "text", `"quoted"`, false},
		{"<tags>", "text", "<tags>", false},
		{"should THINK", "reasoning", "should think", false},
		{"write_file", "tool_call", "write_file", false},
		{`line "two"`, "tool_call", `line "two"`, false},
		{"42", "tool_call", "42", false},
		{"status 1", "tool_result", "status 1", false},
		{"needle-IN-blob", "tool_result", "needle-in-blob", false},
		{"so good", "summary", "so good", false},
		{"secret", "", "", false},
		{`Gr..e,\s`, "text", "Grüße,", true},
		{`gr..e`, "", "", true},
		{`(?i)gr..e`, "text", "Grüße", true},
		{`z*`, "", "", true},
	} {
		hits := must(db.Search(t.Context(), core.SearchQuery{Text: test.text, Regex: test.regex, Substring: !test.regex}))(t).Hits
		if (len(hits) == 0) != (test.where == "") {
			t.Errorf("%q: hits %+v", test.text, hits)
			continue
		}
		for _, h := range hits {
			if h.Where != test.where || marked(h) != test.marked || h.UID != "a" || !h.OnPath {
				t.Errorf("%q: %+v marks %q", test.text, h, marked(h))
			}
			if part := must(db.Message(t.Context(), h.SessionID, h.UID))(t).Parts[h.Part]; string(part.Type) != test.where {
				t.Errorf("%q: part %d is %+v", test.text, h.Part, part)
			}
		}
	}
}

func TestSearchOrderAndLimit(t *testing.T) {
	db := openTest(t)
	for i, name := range []string{"old", "trash", "new"} {
		messages := []core.Message{say("a", "", core.RoleUser), say("b", "a", core.RoleUser), say("c", "a", core.RoleUser)}
		for j := range messages {
			messages[j].CreatedAtMs += int64(i * 100)
		}
		id := merged(t, db, incoming(name, messages...))
		if name == "trash" {
			check(t, db.Trash(t.Context(), []string{id}))
		}
	}
	got := []string{}
	for _, h := range must(db.Search(t.Context(), core.SearchQuery{Text: "this is"}))(t).Hits {
		s := must(db.Session(t.Context(), h.SessionID))(t)
		got = append(got, fmt.Sprint(s.SourceID, h.UID, h.Branch, h.OnPath))
	}
	if want := "[newc1 true newb0 false newa0 true oldc1 true oldb0 false olda0 true]"; fmt.Sprint(got) != want {
		t.Errorf("hits %v, want %v", got, want)
	}
	if hits := must(db.Search(t.Context(), core.SearchQuery{Text: "this is", Limit: 4}))(t).Hits; len(hits) != 4 {
		t.Errorf("%d hits", len(hits))
	}
	id := must(db.Session(t.Context(), "old"))(t).ID
	if hits := must(db.Search(t.Context(), core.SearchQuery{Text: "this is", SessionID: id}))(t).Hits; len(hits) != 3 || hits[0].SessionID != id {
		t.Errorf("hits %+v", hits)
	}
}

// TestSearchContinues searches in steps what requires reading messages: the answers together are that of one search.
func TestSearchContinues(t *testing.T) {
	db := openTest(t)
	messages := chain(3000)
	for i := range messages {
		if i%700 == 5 {
			messages[i].Parts = []core.Part{{Type: core.PartText, Text: "a => b"}}
		}
	}
	merged(t, db, incoming("one", messages...))
	check(t, db.Index(t.Context(), nil))
	for _, q := range []core.SearchQuery{
		{Text: "[=]> ?[b-d]", Regex: true}, {Text: "=>", Substring: true}, {Text: "=>"}, {Text: "nobody's", Regex: true}, {Text: "[.]{9}", Regex: true},
	} {
		whole := must(db.Search(t.Context(), q))(t)
		var all core.Found
		last := int64(math.MaxInt64)
		for q.WithinMs = 1; ; q.Before = all.Next {
			found := must(db.Search(t.Context(), q))(t)
			all.Hits, all.Next, all.Looked = append(all.Hits, found.Hits...), found.Next, all.Looked+found.Looked
			if found.Looked > 0 && found.LookedToMs > last {
				t.Errorf("%q: back to %d after %d", q.Text, found.LookedToMs, last)
			}
			if last = found.LookedToMs; found.Next == 0 {
				break
			}
		}
		if len(all.Hits) != len(whole.Hits) || all.Looked != whole.Looked {
			t.Errorf("%q: %d hits in %d messages, at once %d in %d", q.Text, len(all.Hits), all.Looked, len(whole.Hits), whole.Looked)
		}
		for i := range all.Hits {
			if all.Hits[i].UID != whole.Hits[i].UID || all.Hits[i].Snippet != whole.Hits[i].Snippet {
				t.Errorf("%q: hit %d is %+v, at once %+v", q.Text, i, all.Hits[i], whole.Hits[i])
			}
		}
	}
}

// in:session is the session that a search is asked from, also where it looks everywhere, and whatever else may be called so.
func TestSearchAskedFrom(t *testing.T) {
	db := openTest(t)
	one := merged(t, db, incoming("session-1", chain(3)...))
	two := merged(t, db, incoming("session-2", chain(5)...))
	for from, want := range map[string]int{one: 3, two: 5} {
		q := core.SearchQuery{Text: "in:session", FromID: from}
		for _, h := range must(db.Search(t.Context(), q))(t).Hits {
			if h.SessionID != from {
				t.Errorf("asked from %s: %+v", from, h)
			}
		}
		if n := must(db.CountHits(t.Context(), q))(t).Total; n != int64(want) {
			t.Errorf("asked from %s: %d hits, want %d", from, n, want)
		}
	}
	if n := must(db.CountHits(t.Context(), core.SearchQuery{Text: "in:session", SessionID: two}))(t).Total; n != 5 {
		t.Errorf("within a session: %d hits", n)
	}
	_, err := db.Search(t.Context(), core.SearchQuery{Text: "in:session"})
	wantCode(t, err, core.Invalid)
	if core.HintOf(err) == "" || strings.Contains(err.Error(), "several") {
		t.Errorf("asked from nowhere: %v", err)
	}
}

func TestSearchRefuses(t *testing.T) {
	db := openTest(t)
	merged(t, db, incoming("one", chain(3)...))
	for _, q := range []core.SearchQuery{{Text: " "}, {Text: "a(b", Regex: true}, {Text: "a[z-a]", Regex: true}, {Text: `\p`, Regex: true}} {
		_, err := db.Search(t.Context(), q)
		wantCode(t, err, core.Invalid)
		_, err = db.CountHits(t.Context(), q)
		wantCode(t, err, core.Invalid)
	}
	_, err := db.CountHits(t.Context(), core.SearchQuery{Text: "a.c", Regex: true})
	wantCode(t, err, core.Invalid)
	_, err = db.Search(t.Context(), core.SearchQuery{Text: "a[z-a]", Regex: true})
	if !strings.Contains(err.Error(), "character 3") {
		t.Errorf("error %q", err)
	}
	_, err = db.Search(t.Context(), core.SearchQuery{Text: "a", SessionID: "nobody"})
	wantCode(t, err, core.NotFound)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = db.Search(ctx, core.SearchQuery{Text: "a"})
	wantCode(t, err, core.Canceled)
}
