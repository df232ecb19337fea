package core_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"coppice/backend/core"
)

// sound returns a tree of three branches: m0 prompt, m1 answer, m2 prompt, m3 answer; m4 an alternative to m1, m5 a
// prompt below it; m6 an alternative to m5.
func sound(t *testing.T) (*model, *core.Skeleton) {
	t.Helper()
	m := &model{
		parent: []int{-1, 0, 1, 2, 0, 4, 4},
		prompt: []bool{true, false, true, false, false, true, true},
	}
	_, s, err := core.Plan(m.nodes())
	if err != nil {
		t.Fatal(err)
	}
	return m, s
}

func TestFlaws(t *testing.T) {
	tests := []struct {
		name  string
		spoil func(b []core.Branch, turns []core.Turn)
		want  string
	}{
		{"number", func(b []core.Branch, _ []core.Turn) { b[1].Number = 7 }, "branch 1: is numbered 7"},
		{"parent comes later", func(b []core.Branch, _ []core.Turn) { b[1].Parent = 2 }, "branch 1: its parent 2"},
		{"root that forks", func(b []core.Branch, _ []core.Turn) { b[0].ForkDepth = 3 }, "branch 0: has no parent"},
		{"tip before start", func(b []core.Branch, _ []core.Turn) { b[2].TipDepth = 0 }, "branch 2: its tip at depth 0"},
		{"fork above the parent", func(b []core.Branch, _ []core.Turn) { b[2].ForkDepth = 0 }, "before its parent branch 1 begins"},
		{"fork at the tip", func(b []core.Branch, _ []core.Turn) { b[2].ForkDepth, b[2].TipDepth = 2, 3 }, "nothing to be an alternative to"},
		{"prompt below the tip", func(b []core.Branch, _ []core.Turn) { b[0].PromptDepth = 9 }, "branch 0: its first prompt"},
		{"prompt not the path's", func(b []core.Branch, _ []core.Turn) { b[1].PromptDepth = 1 }, "that of its path is at 0"},
		{"turn number", func(_ []core.Branch, turns []core.Turn) { turns[1].Number = 4 }, "turn 1: is numbered 4"},
		{"turn in no branch", func(_ []core.Branch, turns []core.Turn) { turns[1].Branch = 9 }, "turn 1: lies in branch 9"},
		{"gap between turns", func(_ []core.Branch, turns []core.Turn) { turns[1].FirstDepth++ }, "turn 1: begins at depth 3 of branch 0, where 2 is due"},
		{"turn too short", func(_ []core.Branch, turns []core.Turn) { turns[4].Messages, turns[4].Cumulative = 0, 2 }, "turn 4: has no message"},
		{"cumulative", func(_ []core.Branch, turns []core.Turn) { turns[0].Cumulative = 1 }, "turn 0: counts 1 messages"},
		{"turn's parent", func(_ []core.Branch, turns []core.Turn) { turns[2].Parent = 1 }, "turn 2: has turn 1 as its parent, but hangs on turn 0"},
		{"turn that ends early", func(b []core.Branch, _ []core.Turn) { b[0].TipDepth = 4 }, "branch 0: its turns end before depth 4"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, s := sound(t)
			branches, turns := slices.Clone(s.Branches), slices.Clone(s.Turns)
			test.spoil(branches, turns)
			violations := core.NewSkeleton(branches, turns).Violations()
			if !slices.ContainsFunc(violations, func(f string) bool { return strings.Contains(f, test.want) }) {
				t.Fatalf("got %q, want %q", violations, test.want)
			}
		})
	}
}

// TestFlawsNeverPanics corrupts the numbers of a random tree at random: whatever a damaged file holds, the check must
// return.
func TestFlawsNeverPanics(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		_, s, err := core.Plan(drawModel(t).nodes())
		if err != nil {
			t.Fatal(err)
		}
		branches, turns := slices.Clone(s.Branches), slices.Clone(s.Turns)
		wrong := rapid.Int64Range(-3, 70)
		b := &branches[rapid.IntRange(0, len(branches)-1).Draw(t, "branch")]
		field := rapid.SampledFrom([]*int64{&b.Number, &b.Parent, &b.ForkDepth, &b.TipDepth, &b.PromptDepth}).Draw(t, "branch field")
		*field = wrong.Draw(t, "value")
		turn := &turns[rapid.IntRange(0, len(turns)-1).Draw(t, "turn")]
		field = rapid.SampledFrom([]*int64{&turn.Number, &turn.Parent, &turn.Branch, &turn.FirstDepth, &turn.Messages}).Draw(t, "turn field")
		*field = wrong.Draw(t, "value")
		for _, violation := range core.NewSkeleton(branches, turns).Violations() {
			if violation == "" {
				t.Fatal("a flaw without words")
			}
		}
	})
}

func TestAudit(t *testing.T) {
	m, _ := sound(t)
	places := m.places()
	var audit core.Audit
	for i, n := range m.nodes() {
		stored := places[i]
		if i == 5 {
			stored.Turn++
		}
		violation := audit.Violation(n, stored)
		if (violation != "") != (i == 5) {
			t.Errorf("m%d: %q", i, violation)
		}
	}
	if violation := audit.Violation(core.Node{UID: "x", ParentUID: "nobody"}, core.Placement{}); !strings.Contains(violation, "nobody") {
		t.Errorf("an orphan gives %q", violation)
	}
	if got := audit.Skeleton().Tally(); got.Messages != 7 || got.Branches != 3 {
		t.Errorf("tally %+v", got)
	}
}
