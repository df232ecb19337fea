package core_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"coppice/backend/core"
)

func TestVeilAgreesWithModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawModel(t)
		places := m.places()
		_, s, err := core.Plan(m.nodes())
		if err != nil {
			t.Fatal(err)
		}
		tops := rapid.SliceOfN(rapid.IntRange(0, len(m.parent)-1), 0, 4).Draw(t, "tops")
		hidden, turns := map[int]bool{}, map[int64]bool{}
		for _, top := range tops {
			for _, n := range m.subtree(top) {
				hidden[n] = true
			}
		}
		for n, at := range places {
			if first, ok := turns[at.Turn]; !ok {
				turns[at.Turn] = hidden[n]
			} else {
				turns[at.Turn] = first
			}
		}
		set := s.HiddenSet(spots(tops, places))
		begun := int64(0)
		for _, isHidden := range turns {
			if isHidden {
				begun++
			}
		}
		for n, at := range places {
			if set.Hides(at.Position()) != hidden[n] {
				t.Fatalf("message %d of %v below %v: hidden %t", n, m.parent, tops, set.Hides(at.Position()))
			}
		}
		messages, turnCount := s.Count(set)
		if messages != int64(len(hidden)) || turnCount != begun {
			t.Fatalf("%d messages and %d turns are hidden, want %d and %d", messages, turnCount, len(hidden), begun)
		}
	})
}

func TestBesideAgreesWithModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawModel(t)
		places := m.places()
		_, s, err := core.Plan(m.nodes())
		if err != nil {
			t.Fatal(err)
		}
		leaf := rapid.IntRange(0, len(m.parent)-1).Draw(t, "leaf")
		path := m.path(leaf)
		want := []core.Position{}
		for n, parent := range m.parent {
			if !slices.Contains(path, n) && parent != leaf && (parent < 0 || slices.Contains(path, parent)) {
				want = append(want, places[n].Position())
			}
		}
		got := s.Beside(s.Path(places[leaf].Position()))
		order := func(a, b core.Position) int { return int((a.Branch-b.Branch)*1000 + a.Depth - b.Depth) }
		slices.SortFunc(got, order)
		slices.SortFunc(want, order)
		if !slices.Equal(got, want) {
			t.Fatalf("beside the path to %d of %v: %v, want %v", leaf, m.parent, got, want)
		}
	})
}
