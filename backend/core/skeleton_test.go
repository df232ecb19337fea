package core_test

import (
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"coppice/backend/core"
)

// drawModel grows a random tree. Half of the messages continue the last one, as conversations do.
func drawModel(t *rapid.T) *model {
	m := &model{}
	for range rapid.IntRange(1, 60).Draw(t, "messages") {
		parent := len(m.parent) - 1
		if rapid.Bool().Draw(t, "jump") {
			parent = rapid.IntRange(-1, len(m.parent)-1).Draw(t, "parent")
		}
		m.add(parent, rapid.IntRange(0, 2).Draw(t, "prompt") == 0)
	}
	return m
}

func spots(nodes []int, places []core.Placement) []core.Position {
	var out []core.Position
	for _, n := range nodes {
		out = append(out, places[n].Position())
	}
	return out
}

func walk(segments []core.Segment) []core.Position {
	var out []core.Position
	for _, seg := range segments {
		for d := seg.From; d <= seg.To; d++ {
			out = append(out, core.Position{Branch: seg.Branch, Depth: d})
		}
	}
	return out
}

func TestSkeletonAgreesWithModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawModel(t)
		want := m.places()
		got, s, err := core.Plan(m.nodes())
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("places\n got %v\nwant %v", got, want)
		}
		if violations := s.Violations(); len(violations) > 0 {
			t.Fatalf("flaws in a sound tree: %q", violations)
		}
		if restored := core.NewSkeleton(slices.Clone(s.Branches), slices.Clone(s.Turns)); !reflect.DeepEqual(restored, s) {
			t.Fatalf("restored %+v, want %+v", restored, s)
		}
		for n := range m.parent {
			checkNode(t, m, s, want, n)
		}
	})
}

func checkNode(t *rapid.T, m *model, s *core.Skeleton, places []core.Placement, n int) {
	at := places[n].Position()
	path := s.Path(at)
	wantPath := spots(m.path(n), places)
	expect(t, "path", walk(path), wantPath)
	expect(t, "length", path.Length(), int64(len(wantPath)))
	expect(t, "turn", s.TurnAt(at), places[n].Turn)
	expect(t, "children", s.Children(at), spots(m.children(n), places))
	expect(t, "siblings", s.Siblings(at), spots(m.children(m.parent[n]), places))
	expect(t, "weight", s.Weight(at), int64(len(m.subtree(n))))

	parent, ok := s.Parent(at)
	expect(t, "has parent", ok, m.parent[n] >= 0)
	if ok {
		expect(t, "parent", parent, places[m.parent[n]].Position())
	}
	other := rapid.IntRange(0, n).Draw(t, "other")
	common, ok := s.CommonAncestor(at, places[other].Position())
	wantCommon := m.common(n, other)
	expect(t, "related", ok, wantCommon >= 0)
	if ok {
		expect(t, "common ancestor", common, places[wantCommon].Position())
	}
	from := rapid.IntRange(-len(wantPath)-2, len(wantPath)+2).Draw(t, "from")
	limit := rapid.IntRange(0, len(wantPath)+2).Draw(t, "limit")
	expect(t, "window", walk(path.Window(int64(from), int64(limit))), window(wantPath, from, limit))
	expect(t, "holds", path.Holds(places[other].Position()), slices.Contains(m.path(n), other))
}

func window(path []core.Position, from, limit int) []core.Position {
	if from < 0 {
		from = max(0, len(path)+from)
	}
	from = min(from, len(path))
	to := len(path)
	if limit > 0 {
		to = min(to, from+limit)
	}
	return slices.Clone(path[from:to])
}

func expect[T any](t *rapid.T, what string, got, want T) {
	t.Helper()
	if v := reflect.ValueOf(want); v.Kind() == reflect.Slice && v.Len() == 0 && reflect.ValueOf(got).Len() == 0 {
		return
	}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("%s: got %v, want %v", what, got, want)
	}
}

// TestTurns draws trees as lists of parents; p is a prompt, a an answer.
func TestTurns(t *testing.T) {
	tests := []struct {
		name    string
		kinds   string
		parents []int
		turns   []int64
		above   []int64 // the parent of each turn
	}{
		{"answers join their prompt", "paapaa", []int{-1, 0, 1, 2, 3, 4}, []int64{0, 0, 0, 1, 1, 1}, []int64{-1, 0}},
		{"leading messages join the first prompt", "aapa", []int{-1, 0, 1, 2}, []int64{0, 0, 0, 0}, []int64{-1}},
		{"no prompt at all", "aaa", []int{-1, 0, 1}, []int64{0, 0, 0}, []int64{-1}},
		{"an alternative answer is a turn", "paa", []int{-1, 0, 0}, []int64{0, 0, 1}, []int64{-1, 0}},
		{"a prompt after an alternative answer", "paap", []int{-1, 0, 0, 2}, []int64{0, 0, 1, 2}, []int64{-1, 0, 1}},
		{"an edited prompt", "papap", []int{-1, 0, 1, 2, 1}, []int64{0, 0, 1, 1, 2}, []int64{-1, 0, 0}},
		{"an edited first prompt", "pap", []int{-1, 0, -1}, []int64{0, 0, 1}, []int64{-1, -1}},
		{"a fork of the leading messages", "apap", []int{-1, 0, 0, 2}, []int64{0, 0, 1, 1}, []int64{-1, 0}},
		{"a fork behind the prompt", "apaap", []int{-1, 0, 1, 1, 3}, []int64{0, 0, 0, 1, 2}, []int64{-1, 0, 1}},
		{"two prompts in a row", "pp", []int{-1, 0}, []int64{0, 1}, []int64{-1, 0}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m := &model{}
			for i, parent := range test.parents {
				m.add(parent, test.kinds[i] == 'p')
			}
			places, s, err := core.Plan(m.nodes())
			if err != nil {
				t.Fatal(err)
			}
			for i, place := range places {
				if place.Turn != test.turns[i] {
					t.Errorf("m%d is in turn %d, want %d", i, place.Turn, test.turns[i])
				}
			}
			for i, turn := range s.Turns {
				if turn.Parent != test.above[i] {
					t.Errorf("n%d hangs on %d, want %d", i, turn.Parent, test.above[i])
				}
			}
		})
	}
}

func TestLongChain(t *testing.T) {
	const length = 100_000
	var s core.Skeleton
	var parent *core.Position
	for i := range length {
		place, err := s.Append(parent, i%4 == 0)
		if err != nil {
			t.Fatal(err)
		}
		at := place.Position()
		parent = &at
	}
	if got := s.Tally(); got != (core.Tally{Messages: length, Turns: length / 4, Branches: 1}) {
		t.Fatalf("tally %+v", got)
	}
	window := s.Path(*parent).Window(50_000, 50)
	if !reflect.DeepEqual(window, []core.Segment{{Branch: 0, From: 50_000, To: 50_049}}) {
		t.Fatalf("window %v", window)
	}
	if violations := s.Violations(); len(violations) > 0 {
		t.Fatal(violations)
	}
}

func TestManySiblings(t *testing.T) {
	var s core.Skeleton
	root, err := s.Append(nil, true)
	if err != nil {
		t.Fatal(err)
	}
	at := root.Position()
	for range 10_000 {
		if _, err := s.Append(&at, false); err != nil {
			t.Fatal(err)
		}
	}
	children := s.Children(at)
	if len(children) != 10_000 || len(s.Siblings(children[7_000])) != 10_000 || s.Weight(at) != 10_001 {
		t.Fatalf("%d children, weight %d", len(children), s.Weight(at))
	}
	if violations := s.Violations(); len(violations) > 0 {
		t.Fatal(violations)
	}
}

// TestComb grows a spine with one tooth on each message, and a stair: each branch forks from the last.
func TestComb(t *testing.T) {
	const teeth = 20_000
	comb := &model{}
	for range teeth {
		comb.add(len(comb.parent)-1, false)
	}
	for i := range teeth - 1 {
		comb.add(i, true)
	}
	checkLarge(t, comb, teeth)
	stair := &model{}
	stair.add(-1, true)
	for last := 0; len(stair.parent) < 2*teeth-1; {
		stair.add(last, false)
		last = stair.add(last, false)
	}
	checkLarge(t, stair, teeth)
}

func checkLarge(t *testing.T, m *model, branches int64) {
	t.Helper()
	places, s, err := core.Plan(m.nodes())
	if err != nil {
		t.Fatal(err)
	}
	if s.Tally().Branches != branches {
		t.Fatalf("%d branches, want %d", s.Tally().Branches, branches)
	}
	last := len(places) - 1
	expectPath := m.path(last)
	if got := s.Path(places[last].Position()); !reflect.DeepEqual(walk(got), spots(expectPath, places)) {
		t.Fatal("the last path differs")
	}
	if violations := s.Violations(); len(violations) > 0 {
		t.Fatal(violations[0])
	}
}

func TestAppendToNothing(t *testing.T) {
	var s core.Skeleton
	for _, at := range []core.Position{{}, {Branch: -1}, {Branch: 3, Depth: 1}} {
		if _, err := s.Append(&at, true); core.CodeOf(err) != core.Invalid {
			t.Errorf("append to %v: %v", at, err)
		}
		if len(s.Path(at)) != 0 || s.Children(at) != nil || s.TurnAt(at) != -1 || s.Weight(at) != 0 {
			t.Errorf("an empty tree has something at %v", at)
		}
	}
}
