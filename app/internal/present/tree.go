package present

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
	foldedTurns = 6   // longer stretches without a fork, a label or the head are folded on a terminal
	deepestLane = 20  // forks of forks below it are drawn at its indentation, with a count
	previewMin  = 24  // columns a turn's text keeps however deep it stands
	largeTree   = 200 // trees of more turns have their branches beside the path folded on a terminal
	foldedSize  = 8   // from so many turns on
	mostBeside  = 12  // more alternatives than that are folded into a line
)

// drawing draws a tree of turns with lanes: what follows a turn stands below it, only alternatives indent, and on a terminal
// the path to the head never does.
type drawing struct {
	out      *bufio.Writer
	tree     core.Tree
	width    int // 0: nothing is cut or folded
	colour   bool
	children [][]int64
	size     []int64 // turns below each, and itself
	keeps    []bool  // a label or the head is below or on it: never folded
	inTrash  int64
}

// limb is a subtree to draw.
type limb struct {
	turn  int64
	lane  string // what stands before the lines of what is beside it
	mark  string // ├─ or └─ where it is one of several
	depth int

	hidden, turns int64 // it stands for so many alternatives with so many turns
}

// DrawTree prints the turns, each on a line; nothing but its head line where there is none. A width of 0 is no terminal:
// everything is printed in full and without colours.
func DrawTree(w io.Writer, tree core.Tree, width int, colour bool) error {
	d := drawing{
		out: bufio.NewWriter(w), tree: tree, width: width, colour: colour && width > 0,
		children: make([][]int64, len(tree.Turns)), size: make([]int64, len(tree.Turns)), keeps: make([]bool, len(tree.Turns)),
	}
	var roots []int64
	for _, t := range tree.Turns {
		if t.Hidden { // in the trash, as all below it
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
	_ = d.out.WriteByte('\n') // Flush tells
	d.limbs(roots)
	if d.inTrash > 0 && d.width > 0 {
		_, _ = fmt.Fprintln(d.out, d.ink(Dim, Count(d.inTrash, "turn")+" in the trash")) // Flush tells
	}
	return d.out.Flush()
}

// measure counts what is below each turn. Turns are numbered as they came, so that what is below one comes after it.
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

// folds says whether all that is below a turn is only counted.
func (d *drawing) folds(turn int64) bool {
	return d.width > 0 && len(d.tree.Turns) > largeTree && !d.keeps[turn] && d.size[turn] > foldedSize
}

// limbs draws subtrees in order. What is still to be drawn is kept in a list of its own, because trees
// may be as deep as they are long.
func (d *drawing) limbs(roots []int64) {
	pending := d.fork(nil, roots, limb{depth: -1})
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
	shown, rest := d.crowd(turns, limb{lane: below.lane, mark: last})
	if rest.hidden > 0 {
		pending, last = append(pending, rest), "├─ "
	}
	for i := len(shown) - 1; i >= 0; i-- {
		mark := "├─ "
		if i == len(shown)-1 {
			mark = last
		}
		pending = append(pending, limb{turn: shown[i], lane: below.lane, mark: mark, depth: below.depth + 1})
	}
	return pending
}

// crowd returns which of many alternatives are drawn on a terminal, the first ones and those to be kept, and the limb that
// stands for the others.
func (d *drawing) crowd(turns []int64, rest limb) ([]int64, limb) {
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
// for what hangs on it.
func (d *drawing) chain(l limb) (last int64, lane string) {
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
	l := inked{colour: d.colour}
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
	if t.Messages == 1 {
		msgs = "msg"
	}
	l.add(Dim, fmt.Sprintf(" (%d %s)", t.Messages, msgs))
	if d.folds(t.Number) {
		l.add(Dim, " + "+Count(d.size[t.Number]-1, "turn"))
	}
	if t.Number == d.tree.HeadTurn {
		l.add(Green, " ◂ head")
	}
	if preview := OneLine(t.Preview); preview != "" {
		l.add("", "  ")
		if t.Role != core.RoleUser {
			l.add(Dim, string(t.Role)+": ")
		}
		l.add("", d.fit(preview, l.width))
	}
	_, _ = d.out.WriteString(l.text.String() + "\n") // Flush tells
}

// line prints what stands for several turns.
func (d *drawing) line(lane, text string) {
	_, _ = d.out.WriteString(d.ink(Dim, lane+text) + "\n") // Flush tells
}

func (d *drawing) ink(way, text string) string {
	l := inked{colour: d.colour}
	l.add(way, text)
	return l.text.String()
}

// fit cuts a preview to what the line has left.
func (d *drawing) fit(preview string, used int) string {
	if d.width == 0 {
		return preview
	}
	return Cut(preview, max(previewMin, d.width-used))
}

// inked is a line in several colours, and the columns it takes.
type inked struct {
	colour bool
	text   strings.Builder
	width  int
}

func (l *inked) add(way, text string) {
	l.width += uniseg.StringWidth(text)
	if l.colour && way != "" && text != "" {
		text = Painted(way, text)
	}
	_, _ = l.text.WriteString(text) // a builder never fails
}
