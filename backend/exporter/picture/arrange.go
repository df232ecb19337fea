package picture

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"coppice/backend/core"
)

// turns are the turns of a tree that are not in its trash.
type turns struct {
	all      []core.Turn
	shown    []bool
	count    int
	children [][]int
	weight   []int64 // the messages of each turn and of those below it
}

func treeOf(tree core.Tree) turns {
	t := turns{all: tree.Turns, shown: make([]bool, len(tree.Turns)), children: make([][]int, len(tree.Turns)), weight: make([]int64, len(tree.Turns))}
	skeleton := core.NewSkeleton(tree.Branches, tree.Turns)
	hidden := skeleton.HiddenSet(core.Tops(tree.Hidden))
	for i := range tree.Turns { // a parent has the smaller number
		turn := &tree.Turns[i]
		if turn.Hidden || hidden.Hides(turn.Top()) {
			continue
		}
		t.shown[i] = true
		t.count++
		if turn.Parent >= 0 {
			t.children[turn.Parent] = append(t.children[turn.Parent], i)
		}
	}
	for i := len(t.all) - 1; i >= 0; i-- {
		t.weight[i] += t.all[i].Messages
		if parent := t.all[i].Parent; parent >= 0 && t.shown[i] {
			t.weight[parent] += t.weight[i]
		}
	}
	return t
}

// keep returns the turns that have a row, and how many at forks have none because there are too many. Of these the turns with the
// fewest messages below them have none, so that a turn's ancestors always have one.
func (t *turns) keep(most int) (kept []bool, left int) {
	kept = make([]bool, len(t.all))
	var chosen []int
	for i := range t.all {
		turn := &t.all[i]
		isFork := turn.Parent < 0 || len(t.children[i]) != 1 || len(t.children[turn.Parent]) > 1
		if t.shown[i] && (t.count <= wholeTurns || isFork || turn.Label != "") {
			chosen = append(chosen, i)
		}
	}
	if len(chosen) > most {
		slices.SortStableFunc(chosen, func(a, b int) int { return cmp.Compare(t.weight[b], t.weight[a]) })
		left = len(chosen) - most
		chosen = chosen[:most]
	}
	for _, i := range chosen {
		kept[i] = true
	}
	return kept, left
}

// step is a turn to arrange, and where.
type step struct{ turn, lane, parent, skipped int }

// arrange adds the rows. Side branches follow the turn that they fork from, one lane to the right; the path, or the first child,
// continues below them.
func (t *turns) arrange(c *chart, kept []bool) {
	var stack []step
	for i := len(t.all) - 1; i >= 0; i-- {
		if t.shown[i] && t.all[i].Parent < 0 {
			stack = append(stack, step{turn: i, parent: -1})
		}
	}
	for len(stack) > 0 {
		s := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if kept[s.turn] {
			turn := &t.all[s.turn]
			c.rows = append(c.rows, row{turn: turn, lane: s.lane, parent: s.parent, skipped: s.skipped, onPath: turn.OnPath})
			s.parent, s.skipped = len(c.rows)-1, 0
		} else {
			s.skipped++
		}
		main := t.mainChild(s.turn)
		if main >= 0 { // it is arranged last
			stack = append(stack, step{main, s.lane, s.parent, s.skipped})
		}
		for _, child := range slices.Backward(t.children[s.turn]) {
			if child != main {
				stack = append(stack, step{child, s.lane + 1, s.parent, s.skipped})
			}
		}
	}
}

// mainChild returns the child in the same lane; -1 if it has no children.
func (t *turns) mainChild(turn int) int {
	main := -1
	for _, child := range t.children[turn] {
		if main < 0 || t.all[child].OnPath {
			main = child
		}
	}
	return main
}

// visible returns a text as one line without characters that cannot be seen or that XML does not allow.
func visible(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t' || r == '\r':
			return ' '
		case !unicode.IsPrint(r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
	return strings.Join(strings.Fields(text), " ")
}
