package render

import (
	"coppice/backend/core"
)

// outlineRow is a line of the table of contents: a turn, or the rest of a branch that begins inside a turn.
type outlineRow struct {
	turn  *core.Turn // nil: the rest of a branch
	s     strand     // that begins here, outside the path; the zero value: none
	depth int        // the number of forks before it
}

// outline returns the contents in the order of reading a tree: each turn of the path, and below it the branches that fork
// from it, with their own turns and branches.
func (t *transcript) outline() []outlineRow {
	path, beside := t.contents()
	forks, roots := t.strandsByTurn()
	rows := make([]outlineRow, 0, len(path))
	stack := []outlineRow{}
	push := func(strands []strand, depth int) {
		for i := len(strands) - 1; i >= 0; i-- {
			stack = append(stack, outlineRow{s: strands[i], depth: depth})
		}
	}
	pushTurns := func(turns []core.Turn, depth int) {
		for i := len(turns) - 1; i >= 0; i-- {
			stack = append(stack, outlineRow{turn: &turns[i], depth: depth})
		}
	}
	push(roots, 0)
	pushTurns(path, 0)
	for len(stack) > 0 {
		row := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		rows = append(rows, row)
		if row.turn == nil {
			pushTurns(beside[row.s.branch], row.depth)
			if turns := beside[row.s.branch]; len(turns) > 0 && turns[0].FirstDepth == row.s.from {
				rows = rows[:len(rows)-1]
				stack[len(stack)-1].s = row.s
			}
			continue
		}
		push(forks[row.turn.Number], row.depth+1)
	}
	return rows
}

// strandsByTurn returns the strands outside the path by the turn that they fork from, and those that begin at a root. A
// fork from a turn that has no line of its own is put to the one before it.
func (t *transcript) strandsByTurn() (forks map[int64][]strand, roots []strand) {
	forks = map[int64][]strand{}
	for _, s := range t.strands() {
		parent, ok := t.skeleton.Parent(core.Position{Branch: s.branch, Depth: s.from})
		if !ok {
			roots = append(roots, s)
			continue
		}
		turn := t.skeleton.TurnAt(parent)
		forks[turn] = append(forks[turn], s)
	}
	return forks, roots
}
