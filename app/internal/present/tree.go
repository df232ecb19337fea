package present

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/rivo/uniseg"

	"coppice/backend/core"
)

const (
	foldedTurns = 6   // longer ranges without a fork, a label or the head are folded on a terminal
	deepestLane = 20  // deeper forks are drawn at this indentation, with a count
	previewMin  = 24  // the minimum width of a turn's text, however deep the turn is
	largeTree   = 200 // in a tree of more turns, branches beside the path are folded on a terminal
	foldedSize  = 8   // the size from which a branch is folded
	mostBeside  = 12  // more alternatives than that are folded into a line
)

// drawing draws a tree of turns in lanes: what follows a turn is below it, and only alternatives are indented. On a
// terminal the path to the head is never indented.
type drawing struct {
	out      *bufio.Writer
	tree     core.Tree
	width    int // 0: nothing is cut or folded
	color    bool
	children [][]int64
	size     []int64 // the number of turns in the subtree of each turn
	keeps    []bool  // a label or the head is in the subtree of the turn: never folded
	inTrash  int64
}

// subtree is a subtree to draw.
type subtree struct {
	turn  int64
	lane  string // the prefix of the lines of alternatives
	mark  string // ├─ or └─ if it is one of several alternatives
	depth int

	hidden, turns int64 // the numbers of alternatives and turns that the line replaces
}

// DrawTree prints each turn on a line with the number of messages from the root to its end, which is what the model is sent, and only the first line for an empty tree. A width of 0 means no terminal:
// everything is printed in full and without colors.
func DrawTree(w io.Writer, tree core.Tree, width int, color bool) error {
	d := drawing{
		out: bufio.NewWriter(w), tree: tree, width: width, color: color && width > 0,
		children: make([][]int64, len(tree.Turns)), size: make([]int64, len(tree.Turns)), keeps: make([]bool, len(tree.Turns)),
	}
	var roots []int64
	for _, t := range tree.Turns {
		if t.Hidden { // in the trash, as its whole subtree is
			d.inTrash++
			continue
		}
		if t.Parent < 0 {
			roots = append(roots, t.Number)
		} else {
			d.children[t.Parent] = append(d.children[t.Parent], t.Number)
		}
	}
	d.measure()
	_ = d.out.WriteByte('\n') // Flush returns the error
	d.subtrees(roots)
	if d.inTrash > 0 && d.width > 0 {
		_, _ = fmt.Fprintln(d.out, d.ink(Dim, Count(d.inTrash, "turn")+" in the trash")) // Flush returns the error
	}
	return d.out.Flush()
}

// measure counts the turns in each subtree. Turns are numbered in the order of their creation, so a child has a higher
// number than its parent.
func (d *drawing) measure() {
	for i := len(d.tree.Turns) - 1; i >= 0; i-- {
		t := d.tree.Turns[i]
		if t.Hidden {
			continue
		}
		d.size[i]++
		d.keeps[i] = d.keeps[i] || t.Label != "" || t.OnPath || t.Number == d.tree.HeadTurn
		if t.Parent >= 0 {
			d.size[t.Parent] += d.size[i]
			d.keeps[t.Parent] = d.keeps[t.Parent] || d.keeps[i]
		}
	}
}

// folds reports whether the subtree of a turn is shown only as a count.
func (d *drawing) folds(turn int64) bool {
	return d.width > 0 && len(d.tree.Turns) > largeTree && !d.keeps[turn] && d.size[turn] > foldedSize
}

// subtrees draws subtrees in order. It keeps its own stack of what is still to be drawn, because a tree may be as deep as
// it is long.
func (d *drawing) subtrees(roots []int64) {
	pending := d.fork(nil, roots, subtree{depth: -1})
	for len(pending) > 0 {
		next := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		if next.hidden > 0 {
			d.line(next.lane+next.mark, fmt.Sprintf("… %s, %s", Count(next.hidden, "alternative"), Count(next.turns, "turn")))
			continue
		}
		last, lane := d.chain(next)
		if d.folds(next.turn) {
			continue
		}
		pending = d.fork(pending, d.children[last], subtree{lane: lane, depth: next.depth})
	}
}

// fork pushes the alternatives below a lane on the stack, the first one last.
func (d *drawing) fork(pending []subtree, turns []int64, below subtree) []subtree {
	last := "└─ "
	if below.depth < 0 && len(turns) == 1 {
		return append(pending, subtree{turn: turns[0]})
	}
	turns = slices.Clone(turns)
	if at := slices.IndexFunc(turns, func(turn int64) bool { return d.tree.Turns[turn].OnPath }); at >= 0 && d.width > 0 {
		// On a terminal the path to the head comes last and in the lane of its parent, so that it stays easy to follow
		// however often it forks. Scripts get alternatives in their order.
		pending = append(pending, subtree{turn: turns[at], lane: below.lane, depth: below.depth})
		turns = slices.Delete(turns, at, at+1)
		below.depth = max(below.depth, 0)
		last = "├─ "
	}
	shown, rest := d.crowd(turns, subtree{lane: below.lane, mark: last})
	if rest.hidden > 0 {
		pending, last = append(pending, rest), "├─ "
	}
	for i := len(shown) - 1; i >= 0; i-- {
		mark := "├─ "
		if i == len(shown)-1 {
			mark = last
		}
		pending = append(pending, subtree{turn: shown[i], lane: below.lane, mark: mark, depth: below.depth + 1})
	}
	return pending
}

// crowd returns the alternatives that are drawn on a terminal, the first ones and those that are never folded, and the
// limb that replaces the others.
func (d *drawing) crowd(turns []int64, rest subtree) ([]int64, subtree) {
	if d.width == 0 || len(turns) <= mostBeside {
		return turns, rest
	}
	var shown []int64
	for i, turn := range turns {
		if i < mostBeside-1 || d.keeps[turn] {
			shown = append(shown, turn)
			continue
		}
		rest.hidden++
		rest.turns += d.size[turn]
	}
	return shown, rest
}

// chain draws the turns of a limb up to its first fork or its end, and returns the last one and the lane
// of its children.
func (d *drawing) chain(l subtree) (last int64, lane string) {
	chain := []int64{l.turn}
	for last = l.turn; len(d.children[last]) == 1 && !d.folds(l.turn); {
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
			d.line(lane, "… "+Count(int64(run), "turn"))
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

// plain returns how many turns at the start of a chain are folded. The last turn never is.
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
	l := coloredLine{color: d.color}
	node := ""
	if t.OnPath {
		node = Green
	}
	l.add(Dim, before)
	l.add(node, fmt.Sprintf("n%d", t.Number))
	if t.Label != "" {
		l.add(yellow, fmt.Sprintf(" [%s]", OneLine(t.Label)))
	}
	msgs := "msgs"
	if t.Cumulative == 1 {
		msgs = "msg"
	}
	l.add(Dim, fmt.Sprintf(" (%d %s)", t.Cumulative, msgs))
	if d.folds(t.Number) {
		l.add(Dim, " + "+Count(d.size[t.Number]-1, "turn"))
	}
	if t.Number == d.tree.HeadTurn {
		l.add(Green, " ◂ head")
	}
	if preview := OneLine(t.Preview); preview != "" {
		l.add("", "  ")
		if t.Role != core.RoleUser {
			author, _, _ := strings.Cut(t.Authors, "\n")
			l.add(Dim, OneLine(cmp.Or(author, string(t.Role)))+": ")
		}
		l.add("", d.fit(preview, l.width))
	}
	_, _ = d.out.WriteString(l.text.String() + "\n") // Flush returns the error
}

// line prints a line that replaces several turns.
func (d *drawing) line(lane, text string) {
	_, _ = d.out.WriteString(d.ink(Dim, lane+text) + "\n") // Flush returns the error
}

func (d *drawing) ink(way, text string) string {
	l := coloredLine{color: d.color}
	l.add(way, text)
	return l.text.String()
}

// fit cuts a preview to the rest of the line.
func (d *drawing) fit(preview string, used int) string {
	if d.width == 0 {
		return preview
	}
	return Cut(preview, max(previewMin, d.width-used))
}

// coloredLine is a line in several colors, and its width in columns.
type coloredLine struct {
	color bool
	text  strings.Builder
	width int
}

func (l *coloredLine) add(way, text string) {
	l.width += uniseg.StringWidth(text)
	if l.color && way != "" && text != "" {
		text = Painted(way, text)
	}
	_, _ = l.text.WriteString(text) // a strings.Builder never fails
}
