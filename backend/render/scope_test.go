package render

import (
	"fmt"
	"strings"
	"testing"

	"coppice/backend/core"
)

// wood returns a session whose messages are the words "one", "two" and so on, as a tree:
//
//	one ── two ─┬─ three ─┬─ four ── five
//	            │         └─ six
//	            ├─ seven ─── eight
//	            └─ nine
func wood(t testing.TB) (*forest, map[string]string) {
	t.Helper()
	f := newForest(core.Session{ID: "s", Title: "Wood"})
	uids := map[string]string{}
	add := func(word, parent string, role core.Role) { uids[word] = f.add(t, uids[parent], said(role, text(word))) }
	add("one", "", core.RoleUser)
	add("two", "one", core.RoleAssistant)
	add("three", "two", core.RoleUser)
	add("four", "three", core.RoleAssistant)
	add("five", "four", core.RoleUser)
	add("six", "three", core.RoleAssistant)
	add("seven", "two", core.RoleUser)
	add("eight", "seven", core.RoleAssistant)
	add("nine", "two", core.RoleUser)
	f.session.HeadUID = uids["five"]
	return f, uids
}

func TestScopesHoldWhatTheyName(t *testing.T) {
	f, uids := wood(t)
	words := []string{"one", "two", "three", "four", "five", "six", "seven", "eight", "nine"}
	for _, test := range []struct {
		scope   Scope
		leaf    string
		others  []string
		held    string
		remarks []string
		head    string
	}{
		{ScopePath, "", nil, "one two three four five", []string{"Also from here, not included: 3 messages in 2 branches", "Also from here, not included: 1 message"}, "3 of 4 branches are not included"},
		{ScopePath, "two", nil, "one two", []string{"Continues, not included: 7 messages in 4 branches"}, "3 of 4 branches are not included"},
		{ScopeTurn, "eight", nil, "seven eight", []string{"Before this turn, not included: 2 messages", "Also from here, not included: 5 messages in 3 branches"}, "3 of 4 branches are not included"},
		{ScopeTurn, "one", nil, "one two", []string{"Continues, not included: 7 messages in 4 branches"}, "3 of 4 branches are not included"},
		{ScopeTurns, "four", []string{"two"}, "one two three four", []string{"Continues, not included: 1 message", "Also from here, not included: 3 messages in 2 branches", "Also from here, not included: 1 message"}, "3 of 4 branches are not included"},
		{ScopeTurns, "eight", []string{"seven"}, "seven eight", []string{"Before these turns, not included: 2 messages", "Also from here, not included: 5 messages in 3 branches"}, "3 of 4 branches are not included"},
		{ScopeBranches, "five", []string{"eight"}, "one two three four five seven eight", []string{"Also from here, not included: 1 message", "Also from here, not included: 1 message"}, "2 of 4 branches are not included"},
		{ScopeBranches, "seven", []string{"six", "nine"}, "one two three six seven nine", []string{"Continues, not included: 1 message", "Also from here, not included: 2 messages"}, "6 of 9 messages are included"},
		{ScopeTree, "", nil, strings.Join(words, " "), nil, ""},
	} {
		o := ExportOptions{Scope: test.scope, LeafUID: uids[test.leaf]}
		for _, other := range test.others {
			o.OtherLeafUIDs = append(o.OtherLeafUIDs, uids[other])
			o.FromUID = uids[other]
		}
		for _, format := range []string{"txt", "md", "html"} {
			got := export(t, format, f, o)
			what := fmt.Sprintf("%s, %s to %q", format, test.scope, test.leaf)
			_, body, _ := strings.Cut(got, map[string]string{"html": "<main", "md": "> Abridged", "txt": "Abridged"}[format])
			for _, word := range words {
				line := map[string]string{"html": `<p dir="auto">` + word + "</p>", "md": "\n" + word + "\n", "txt": "\n" + word + "\n"}[format]
				if held := strings.Contains(" "+test.held+" ", " "+word+" "); strings.Contains(body, line) != held {
					t.Errorf("%s: includes %q is %v", what, word, !held)
				}
			}
			for _, remark := range test.remarks {
				if !strings.Contains(body, remark) {
					t.Errorf("%s lacks %q", what, remark)
				}
			}
			if count := strings.Count(body, "not included"); count != len(test.remarks) {
				t.Errorf("%s: %d remarks, want %d", what, count, len(test.remarks))
			}
			if !strings.Contains(got, test.head) {
				t.Errorf("%s: the head lacks %q", what, test.head)
			}
		}
	}
}

func TestUnknownLeafOfABranch(t *testing.T) {
	f, uids := wood(t)
	tr, err := shared().transcript(t.Context(), f, "s", ExportOptions{Scope: ScopeBranches, LeafUID: uids["five"]})
	if err != nil {
		t.Fatal(err)
	}
	if messages, branches := tr.counts(); messages != 5 || branches != 1 {
		t.Errorf("one path alone: %d messages, %d branches", messages, branches)
	}
}

// TestTurnsBeginWithATurnWhoseLastMessageIsElsewhere names the first turn by its last message, which is an answer on another branch.
func TestTurnsBeginWithATurnWhoseLastMessageIsElsewhere(t *testing.T) {
	f := newForest(core.Session{ID: "s"})
	asked := f.add(t, f.add(t, f.add(t, "", said(core.RoleUser, text("before"))), said(core.RoleAssistant, text("hello"))), said(core.RoleUser, text("asked")))
	left := f.add(t, asked, said(core.RoleAssistant, text("left")))
	right := f.add(t, asked, said(core.RoleAssistant, text("right")))
	got := export(t, "txt", f, ExportOptions{Scope: ScopeTurns, FromUID: left, LeafUID: right})
	for words, want := range map[string]bool{"before": false, "asked": true, "right": true, "left": false} {
		if held := strings.Contains(got, "\n"+words+"\n"); held != want {
			t.Errorf("includes %q is %v:\n%s", words, held, got)
		}
	}
}
