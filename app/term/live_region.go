package term

import (
	"io"
	"slices"
	"strings"

	"github.com/rivo/uniseg"

	"coppice/backend/lazyregexp"
)

// liveRegion is what is shown at the bottom of the screen for now. It is removed before anything else is written.
type liveRegion struct {
	lines   []string
	columns int // of the screen when they were drawn
}

// sgrSequence matches what present.Painted and package markdown put into lines.
var sgrSequence = lazyregexp.New("\x1b\\[[0-9;]*m")

// draw replaces what is shown. Decoration: errors are ignored.
func (r *liveRegion) draw(to io.Writer, lines []string, columns int, raw bool) {
	if slices.Equal(lines, r.lines) && columns == r.columns {
		return
	}
	if columns != r.columns {
		r.clear(to, columns)
		r.columns = columns
	}
	end := "\n"
	if raw {
		end = "\r\n"
	}
	same := 0
	for same < len(lines)-1 && same < len(r.lines) && lines[same] == r.lines[same] {
		same++
	}
	_, _ = io.WriteString(to, r.upTo(same)+strings.Join(lines[same:], end))
	r.lines = lines
}

// upTo returns the sequences that remove the lines from one on, which are as many rows. If that is behind the last line, a row is begun.
func (r *liveRegion) upTo(line int) string {
	switch rows := len(r.lines) - line; {
	case len(r.lines) == 0:
		return ""
	case rows == 1:
		return "\r\x1b[K"
	case rows <= 0:
		return "\r\n"
	default:
		return "\r" + strings.Repeat("\x1b[A", rows-1) + "\x1b[J"
	}
}

// clear removes what is shown from a screen of so many columns, which may be narrower than when it was drawn: the terminal has wrapped it then.
func (r *liveRegion) clear(to io.Writer, columns int) {
	if len(r.lines) == 0 {
		return
	}
	rows := 0
	for _, line := range r.lines {
		rows += max(1, (uniseg.StringWidth(sgrSequence.ReplaceAllString(line, ""))+columns-1)/max(columns, 1))
	}
	erase := "\r\x1b[K"
	if rows > 1 {
		erase = "\r" + strings.Repeat("\x1b[A", rows-1) + "\x1b[J"
	}
	_, _ = io.WriteString(to, erase)
	r.lines = nil
}
