package markdown

import (
	"strings"

	"github.com/rivo/uniseg"
)

// style is a set of attributes of text, with at most one color.
type style int

const (
	bold style = 1 << iota
	dim
	italic
	underline
	struck
	red
	green
	blue
	magenta
	cyan
)

const codeStyle = cyan

// sgr are the parameters of ECMA-48 SGR, by attribute. Colors are those of the terminal's palette, which is readable on its background.
var sgr = [...]struct {
	of   style
	code string
}{{bold, "1"}, {dim, "2"}, {italic, "3"}, {underline, "4"}, {struck, "9"}, {red, "31"}, {green, "32"}, {blue, "34"}, {magenta, "35"}, {cyan, "36"}}

// classStyle returns the style of a class of package highlight.
func classStyle(class string) style {
	switch class {
	case "c":
		return dim
	case "k":
		return magenta
	case "s", "gi":
		return green
	case "m", "nc", "nb":
		return cyan
	case "nf", "nt", "na":
		return blue
	case "gd":
		return red
	case "gh":
		return bold
	default:
		return 0
	}
}

// span is text in one style.
type span struct {
	value string
	style style
}

func (s span) width() int { return uniseg.StringWidth(visible(s.value)) }

// line is one line of the screen.
type line []span

func (l line) width() int {
	total := 0
	for _, s := range l {
		total += s.width()
	}
	return total
}

// text returns the line with its escape sequences. Each style ends with its span.
func (l line) text(color bool) string {
	var b strings.Builder
	for _, s := range l {
		shown := visible(s.value)
		if !color || s.style == 0 || shown == "" {
			b.WriteString(shown)
			continue
		}
		var codes []string
		for _, one := range sgr {
			if s.style&one.of != 0 {
				codes = append(codes, one.code)
			}
		}
		b.WriteString("\x1b[" + strings.Join(codes, ";") + "m" + shown + "\x1b[0m")
	}
	return strings.TrimRight(b.String(), " ")
}

// wrap breaks spans into lines of at most width columns, at spaces where possible.
func wrap(spans []span, width int) []line { return wrapAt(spans, max(width, minWidth)) }

// wrapAt is wrap for any width.
func wrapAt(spans []span, width int) []line {
	w := wrapper{width: width}
	from := 0
	for i, s := range spans {
		if s.value == "\n" {
			w.addAll(spans[from:i])
			w.endLine()
			from = i + 1
		}
	}
	w.addAll(spans[from:])
	w.endLine()
	if last := len(w.lines) - 1; last > 0 && len(w.lines[last]) == 0 {
		w.lines = w.lines[:last]
	}
	return w.lines
}

// wrapper collects clusters into lines.
type wrapper struct {
	width int
	lines []line

	now     line // the line so far, up to the last place where it can be broken
	nowUsed int
	next    line // what follows that place
	nextEnd int  // the columns of next
}

// addAll appends spans without a line break. Where a line can be broken depends on the text, not on its styles.
func (w *wrapper) addAll(spans []span) {
	var all strings.Builder
	ends := make([]int, len(spans)) // the bytes of the text up to the end of each span
	for i, s := range spans {
		all.WriteString(visible(s.value))
		ends[i] = all.Len()
	}
	rest, at, of, state := all.String(), 0, 0, -1
	for rest != "" {
		var cluster string
		var found int
		cluster, rest, found, state = uniseg.StepString(rest, state)
		for ends[of] <= at {
			of++
		}
		at += len(cluster)
		w.add(cluster, spans[of].style, found>>uniseg.ShiftWidth, found&uniseg.MaskLine == uniseg.LineCanBreak)
	}
}

// add appends a cluster. mayBreak means that the line can be broken after it.
func (w *wrapper) add(cluster string, style style, width int, mayBreak bool) {
	if cluster == " " && w.nowUsed+w.nextEnd >= w.width { // it ends the line
		w.take()
		w.endLine()
		return
	}
	if cluster == " " && w.nowUsed+w.nextEnd == 0 && len(w.lines) > 0 { // after a break
		return
	}
	if w.nowUsed+w.nextEnd+width > w.width {
		if w.nowUsed == 0 { // a word that is longer than the line
			w.take()
		}
		w.lines, w.now, w.nowUsed = append(w.lines, w.now), nil, 0
	}
	if last := len(w.next) - 1; last >= 0 && w.next[last].style == style {
		w.next[last].value += cluster
	} else {
		w.next = append(w.next, span{cluster, style})
	}
	w.nextEnd += width
	if mayBreak && cluster != "/" && cluster != "-" { // paths, flags and ids stay in one piece if they fit
		w.take()
	}
}

// take moves what follows the last possible break to the line.
func (w *wrapper) take() {
	for _, s := range w.next {
		if last := len(w.now) - 1; last >= 0 && w.now[last].style == s.style {
			w.now[last].value += s.value
		} else {
			w.now = append(w.now, s)
		}
	}
	w.nowUsed += w.nextEnd
	w.next, w.nextEnd = nil, 0
}

func (w *wrapper) endLine() {
	w.take()
	w.lines, w.now, w.nowUsed = append(w.lines, w.now), nil, 0
}
