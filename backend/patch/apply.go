package patch

import (
	"fmt"
	"strings"
)

// Apply returns the text of the file after the patch. before is empty if the file is added. A hunk is found by its
// lines: exactly, else without trailing white space, else without leading and trailing white space. New lines get the
// line ending of the file. The error names, for the model, the hunk that was not found and the closest match.
func (f *File) Apply(before string) (string, error) {
	t := split(before)
	cursor := 0
	for n := range f.Hunks {
		at, err := t.find(&f.Hunks[n], cursor)
		if err != nil {
			return "", fmt.Errorf("hunk %d of %d of %s: %w", n+1, len(f.Hunks), f.Path, err)
		}
		cursor = t.replace(&f.Hunks[n], at)
	}
	return t.String(), nil
}

// text is a file as lines.
type text struct {
	bom   string
	lines []string // without their line endings
	ends  []string // of each line; empty for a last line without one
	eol   string   // of most lines
	moved int      // how many lines were added, less those removed
}

const byteOrderMark = "\ufeff"

func split(s string) *text {
	t := &text{eol: "\n"}
	if rest, ok := strings.CutPrefix(s, byteOrderMark); ok {
		t.bom, s = byteOrderMark, rest
	}
	crlf := 0
	for len(s) > 0 {
		line, rest, found := strings.Cut(s, "\n")
		end := ""
		if found {
			end = "\n"
			if cut, ok := strings.CutSuffix(line, "\r"); ok {
				line, end = cut, "\r\n"
				crlf++
			}
		}
		t.lines, t.ends = append(t.lines, line), append(t.ends, end)
		s = rest
	}
	if crlf*2 > len(t.lines) {
		t.eol = "\r\n"
	}
	return t
}

// String returns the lines with their line endings as one text.
func (t *text) String() string {
	var out strings.Builder
	out.WriteString(t.bom)
	for i, line := range t.lines {
		out.WriteString(line)
		out.WriteString(t.ends[i])
	}
	return out.String()
}

// find returns the line at which a hunk's old lines begin.
func (t *text) find(h *Hunk, cursor int) (int, error) {
	old := h.old()
	if h.After != "" {
		at := t.seek([]string{h.After}, cursor, len(t.lines))
		if at < 0 {
			at = t.seek([]string{h.After}, 0, len(t.lines))
		}
		if at < 0 {
			return 0, fmt.Errorf("the line after @@ is not in the file: %q", h.After)
		}
		// The line may be the first of the hunk, or one before it.
		if cursor = at; len(old) == 0 || !same(old[0], t.lines[at], loosest) {
			cursor++
		}
	}
	if len(old) == 0 {
		return t.insertion(h, cursor), nil
	}
	if h.AtEnd {
		if at := len(t.lines) - len(old); at >= 0 && t.seek(old, at, at+1) == at {
			return at, nil
		}
	}
	if at := t.nearest(old, h, cursor); at >= 0 {
		return at, nil
	}
	return 0, t.missing(old, cursor)
}

// insertion returns where to insert lines that have no context.
func (t *text) insertion(h *Hunk, cursor int) int {
	switch {
	case h.After != "" && !h.AtEnd:
		return cursor
	case h.Near > 0 && !h.AtEnd:
		return min(max(h.Near+t.moved, 0), len(t.lines))
	default:
		return len(t.lines)
	}
}

// nearest finds the lines: after the cursor, and if the patch has a line number, closest to it.
func (t *text) nearest(old []string, h *Hunk, cursor int) int {
	if h.Near == 0 {
		return t.seek(old, cursor, len(t.lines))
	}
	want := min(max(h.Near-1+t.moved, 0), len(t.lines))
	for level := range loosest + 1 {
		for distance := 0; distance <= len(t.lines); distance++ {
			for _, at := range []int{want - distance, want + distance} {
				if at >= cursor && t.matches(old, at, level) {
					return at
				}
			}
		}
	}
	return -1
}

// seek returns the first index at which the lines match, at the strictest level with a match; -1 if there is no match.
func (t *text) seek(old []string, from, to int) int {
	for level := range loosest + 1 {
		for at := from; at < to; at++ {
			if t.matches(old, at, level) {
				return at
			}
		}
	}
	return -1
}

const loosest = 2

func (t *text) matches(old []string, at, level int) bool {
	if at < 0 || at+len(old) > len(t.lines) {
		return false
	}
	for i, line := range old {
		if !same(line, t.lines[at+i], level) {
			return false
		}
	}
	return true
}

func same(a, b string, level int) bool {
	switch level {
	case 0:
		return a == b
	case 1:
		return strings.TrimRight(a, " \t\r") == strings.TrimRight(b, " \t\r")
	default:
		return strings.TrimSpace(a) == strings.TrimSpace(b)
	}
}

// missing describes why a hunk was not found.
func (t *text) missing(old []string, cursor int) error {
	best, at := 0, -1
	for from := range t.lines {
		n := 0
		for n < len(old) && from+n < len(t.lines) && same(old[n], t.lines[from+n], loosest) {
			n++
		}
		if n > best {
			best, at = n, from
		}
	}
	switch {
	case best == len(old):
		return fmt.Errorf("its lines are at line %d, before the previous hunk; write the hunks in the order of the file", at+1)
	case at < 0:
		return fmt.Errorf("its first line is not in the file: %q (looked from line %d on)", old[0], cursor+1)
	case at+best >= len(t.lines):
		return fmt.Errorf("the file ends at line %d, before the hunk's line %d: %q", len(t.lines), best+1, old[best])
	default:
		return fmt.Errorf("line %d of the file is %q, where the hunk has %q", at+best+1, t.lines[at+best], old[best])
	}
}

// old returns the lines that the file must have.
func (h *Hunk) old() []string {
	var old []string
	for _, l := range h.Lines {
		if l.Op != Added {
			old = append(old, l.Text)
		}
	}
	return old
}

// replace replaces the old lines by the new ones. Unchanged lines keep the text of the file. It returns the line after
// them.
func (t *text) replace(h *Hunk, at int) int {
	var lines, ends []string
	from := at
	for _, l := range h.Lines {
		switch l.Op {
		case Added:
			lines, ends = append(lines, l.Text), append(ends, t.endOf(l))
		case Same:
			lines, ends = append(lines, t.lines[from]), append(ends, t.ends[from])
			from++
		default:
			from++
		}
	}
	tail := from
	t.moved += len(lines) - (tail - at)
	t.lines = append(append(append([]string{}, t.lines[:at]...), lines...), t.lines[tail:]...)
	t.ends = append(append(append([]string{}, t.ends[:at]...), ends...), t.ends[tail:]...)
	for i := range t.ends { // only the last line may have no line ending
		if t.ends[i] == "" && i < len(t.ends)-1 {
			t.ends[i] = t.eol
		}
	}
	return at + len(lines)
}

func (t *text) endOf(l Line) string {
	if l.NoEOL {
		return ""
	}
	return t.eol
}
