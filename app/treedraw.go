package app

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/rivo/uniseg"

	"coppice/backend/core"
)

const (
	foldedTurns = 6  // longer stretches without a fork, a label or the head are folded on a terminal
	deepestLane = 20 // forks of forks below it are drawn at its indentation, with a count
	previewMin  = 24 // columns a turn's text keeps however deep it stands
)

// drawing draws a tree of turns with lanes: what follows a turn stands below it, only alternatives indent, and on a terminal
// the path to the head never does.
type drawing struct {
	out      *bufio.Writer
	tree     core.Tree
	width    int // 0: nothing is cut or folded
	children [][]int64
}

// limb is a subtree to draw.
type limb struct {
	turn  int64
	lane  string // what stands before the lines of what is beside it
	mark  string // ├─ or └─ where it is one of several
	depth int
}

// drawTree prints the turns, each on a line; nothing but its head line where there is none.
func drawTree(w io.Writer, tree core.Tree, width int) error {
	d := drawing{out: bufio.NewWriter(w), tree: tree, width: width, children: make([][]int64, len(tree.Turns))}
	var roots []int64
	for _, t := range tree.Turns {
		if t.Hidden { // in the trash, as all below it
			continue
		}
		if t.Parent < 0 {
			roots = append(roots, t.Number)
		} else {
			d.children[t.Parent] = append(d.children[t.Parent], t.Number)
		}
	}
	_ = d.out.WriteByte('\n') // Flush tells
	d.limbs(roots)
	return d.out.Flush()
}

// limbs draws subtrees in order. What is still to be drawn is kept in a list of its own, because trees
// may be as deep as they are long.
func (d *drawing) limbs(roots []int64) {
	pending := d.fork(nil, roots, limb{depth: -1})
	for len(pending) > 0 {
		next := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		last, lane := d.chain(next)
		pending = d.fork(pending, d.children[last], limb{lane: lane, depth: next.depth})
	}
}

// fork puts the alternatives below a lane on the list, the first one last.
func (d *drawing) fork(pending []limb, turns []int64, below limb) []limb {
	last := "└─ "
	if below.depth < 0 && len(turns) == 1 {
		return append(pending, limb{turn: turns[0]})
	}
	turns = slices.Clone(turns)
	if at := slices.IndexFunc(turns, func(turn int64) bool { return d.tree.Turns[turn].OnPath }); at >= 0 && d.width > 0 {
		// What leads to the head comes last and where it was, so that it can be followed however often it forks. Scripts get
		// alternatives in their order.
		pending = append(pending, limb{turn: turns[at], lane: below.lane, depth: below.depth})
		turns = slices.Delete(turns, at, at+1)
		below.depth = max(below.depth, 0)
		last = "├─ "
	}
	for i := len(turns) - 1; i >= 0; i-- {
		mark := "├─ "
		if i == len(turns)-1 {
			mark = last
		}
		pending = append(pending, limb{turn: turns[i], lane: below.lane, mark: mark, depth: below.depth + 1})
	}
	return pending
}

// chain draws the turns of a limb up to its first fork or its end, and returns the last one and the lane
// for what hangs on it.
func (d *drawing) chain(l limb) (last int64, lane string) {
	chain := []int64{l.turn}
	for last = l.turn; len(d.children[last]) == 1; {
		last = d.children[last][0]
		chain = append(chain, last)
	}
	first, lane := l.lane+l.mark, l.lane
	switch {
	case l.depth > deepestLane:
		first = fmt.Sprintf("%s(%d deeper) ", l.lane, l.depth-deepestLane)
	case l.mark == "├─ ":
		lane += "│  "
	case l.mark != "":
		lane += "   "
	}
	for i := 0; i < len(chain); i++ {
		if run := d.plain(chain[i:]); i > 0 && run > 0 {
			fmt.Fprintf(d.out, "%s… %s\n", lane, count(int64(run), "turn"))
			i += run - 1
			continue
		}
		before := lane
		if i == 0 {
			before = first
		}
		d.turn(before, d.tree.Turns[chain[i]])
	}
	return last, lane
}

// plain returns how many turns at the beginning of a chain are to be folded; its last one never is.
func (d *drawing) plain(chain []int64) int {
	if d.width == 0 {
		return 0
	}
	run := 0
	for run < len(chain)-1 && d.tree.Turns[chain[run]].Label == "" && chain[run] != d.tree.HeadTurn {
		run++
	}
	if run <= foldedTurns {
		return 0
	}
	return run
}

func (d *drawing) turn(before string, t core.Turn) {
	var line strings.Builder
	fmt.Fprintf(&line, "%sn%d", before, t.Number)
	if t.Label != "" {
		fmt.Fprintf(&line, " [%s]", oneLine(t.Label))
	}
	msgs := "msgs"
	if t.Messages == 1 {
		msgs = "msg"
	}
	fmt.Fprintf(&line, " (%d %s)", t.Messages, msgs)
	if t.Number == d.tree.HeadTurn {
		line.WriteString(" ◂ head")
	}
	text := line.String()
	preview := oneLine(t.Preview)
	if t.Role != core.RoleUser && preview != "" {
		preview = string(t.Role) + ": " + preview
	}
	if preview != "" {
		text += "  " + d.fit(preview, uniseg.StringWidth(text)+2)
	}
	_, _ = d.out.WriteString(text + "\n") // Flush tells
}

// fit cuts a preview to what the line has left.
func (d *drawing) fit(preview string, used int) string {
	if d.width == 0 {
		return preview
	}
	return cut(preview, max(previewMin, d.width-used))
}
