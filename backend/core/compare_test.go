package core_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"coppice/backend/core"
)

func TestStretchesAgreeWithModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawModel(t)
		places := m.places()
		_, s, err := core.Plan(m.nodes())
		if err != nil {
			t.Fatal(err)
		}
		leaf := rapid.IntRange(0, len(m.parent)-1).Draw(t, "leaf")
		path := m.path(leaf)
		from := rapid.IntRange(0, len(path)).Draw(t, "from")
		want := []core.TurnRange{}
		for depth := from; depth < len(path); depth++ {
			turn := places[path[depth]].Turn
			if n := len(want); n > 0 && want[n-1].Turn == turn {
				want[n-1].Messages++
				continue
			}
			want = append(want, core.TurnRange{Turn: turn, From: int64(depth), Messages: 1})
		}
		if got := s.TurnRanges(s.Path(places[leaf].Position()), int64(from)); !slices.Equal(got, want) {
			t.Fatalf("ranges from %d: %+v, want %+v", from, got, want)
		}
	})
}

// turnsOf returns turns with these prompts; an empty text is a turn that begins with a model's message.
func turnsOf(words []string) []core.TurnRange {
	ranges := make([]core.TurnRange, len(words))
	for i, said := range words {
		ranges[i] = core.TurnRange{Turn: int64(i), Messages: 1, Role: core.RoleUser, Preview: said}
		if said == "" {
			ranges[i].Role, ranges[i].Preview = core.RoleAssistant, "answer"
		}
	}
	return ranges
}

func TestAlign(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		left, right []string
		want        string
	}{
		{nil, nil, ""},
		{[]string{"a"}, nil, "0-"},
		{[]string{"", ""}, []string{"", "", ""}, "00 11 -2"},
		{[]string{"a", "b"}, []string{"c", "d"}, "00 11"},
		{[]string{"go on", "test it"}, []string{"why?", "go on", "test it"}, "-0 01 12"},
		{[]string{"x", "test it", "y"}, []string{"test it"}, "0- 10 2-"},
		{[]string{"go on", "go on", "test it"}, []string{"go on", "test it"}, "00 1- 21"},
		{[]string{"a", "b"}, []string{"b", "a"}, "0- 10 -1"},
	} {
		got := ""
		place := func(s core.TurnRange) string {
			if s.Messages == 0 {
				return "-"
			}
			return fmt.Sprint(s.Turn)
		}
		for i, pair := range core.Align(turnsOf(c.left), turnsOf(c.right)) {
			if i > 0 {
				got += " "
			}
			got += place(pair.Left) + place(pair.Right)
		}
		if got != c.want {
			t.Errorf("%v beside %v: %q, want %q", c.left, c.right, got, c.want)
		}
	}
}

func TestAlignKeepsEveryTurnInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOf(rapid.SampledFrom([]string{"", "a", "b", "c", "d", "e", "f", "g", "h"}))
		left, right := turnsOf(words.Draw(t, "left")), turnsOf(words.Draw(t, "right"))
		l, r := 0, 0
		for _, pair := range core.Align(left, right) {
			if pair.Left.Messages+pair.Right.Messages == 0 {
				t.Fatal("an empty row")
			}
			if pair.Left.Messages > 0 {
				if pair.Left != left[l] {
					t.Fatalf("turn %d of the left is out of order", l)
				}
				l++
			}
			if pair.Right.Messages > 0 {
				if pair.Right != right[r] {
					t.Fatalf("turn %d of the right is out of order", r)
				}
				r++
			}
		}
		if l != len(left) || r != len(right) {
			t.Fatalf("%d of %d and %d of %d turns", l, len(left), r, len(right))
		}
	})
}

func TestCites(t *testing.T) {
	t.Parallel()
	for _, want := range [][]string{nil, {"a"}, {"a", "b"}} {
		m := core.Message{Meta: core.CitingMeta(want)}
		if got := m.Cites(); !slices.Equal(got, want) {
			t.Errorf("cites %v, want %v", got, want)
		}
	}
	for _, meta := range []string{"", "{", `{"cites":7}`, `{"other":1}`} {
		m := core.Message{Meta: []byte(meta)}
		if got := m.Cites(); got != nil {
			t.Errorf("%s cites %v", meta, got)
		}
	}
}
