package line

import (
	"fmt"
	"strings"

	"github.com/rivo/uniseg"
)

const tabColumns = 4

// screen draws a text that is edited, and stores the position of the cursor.
type screen struct {
	row    int   // the row of the cursor, relative to the first row that is drawn
	column int   // the column of the cursor
	widths []int // the columns of the rows that are drawn
	width  int   // the width of the terminal then
}

// rows returns the rows that show a text after a prompt, and the position of the cursor.
func rows(prompt string, b *buffer, width int) (shown []string, row, column int) {
	margin := uniseg.StringWidth(prompt)
	if margin > width/2 {
		margin = 0
	}
	current, used := strings.Builder{}, uniseg.StringWidth(prompt)
	current.WriteString(prompt)
	feed := func() {
		shown = append(shown, current.String())
		current.Reset()
		current.WriteString(strings.Repeat(" ", margin))
		used = margin
	}
	for i, character := range b.characters {
		picture := pictureOf(character)
		// The last column stays free: terminals differ in the position of the cursor after it.
		if used+uniseg.StringWidth(picture) > max(width-1, margin+2) {
			feed()
		}
		if i == b.at {
			row, column = len(shown), used
		}
		if character == "\n" {
			feed()
			continue
		}
		current.WriteString(picture)
		used += uniseg.StringWidth(picture)
	}
	if b.at == len(b.characters) {
		row, column = len(shown), used
	}
	return append(shown, current.String()), row, column
}

func pictureOf(character string) string {
	switch character {
	case "\n":
		return ""
	case "\t":
		return strings.Repeat(" ", tabColumns)
	}
	return character
}

// prompt is the text before the one that is edited, and what adds its style.
type prompt struct {
	text  string
	paint func(string) string // nil: no style
}

// paintedIn returns the rows with the style of the prompt, which begins the first one.
func (p prompt) paintedIn(rows []string) []string {
	if p.paint == nil || p.text == "" {
		return rows
	}
	return append([]string{p.paint(p.text) + strings.TrimPrefix(rows[0], p.text)}, rows[1:]...)
}

// draw returns the output that replaces the text on the terminal. Of a text with more rows than the terminal, it shows
// the rows around the cursor.
func (s *screen) draw(p prompt, b *buffer, width, height int) string {
	shown, row, column := rows(p.text, b, width)
	painted := p.paintedIn(shown)
	if room := max(height-1, 1); len(shown) > room {
		first := min(max(row-room/2, 0), len(shown)-room)
		shown, painted, row = shown[first:first+room], painted[first:first+room], row-first
	}
	s.reflow(width)
	var out strings.Builder
	out.WriteString(s.top() + "\x1b[J" + strings.Join(painted, "\r\n") + "\r")
	if up := len(shown) - 1 - row; up > 0 {
		fmt.Fprintf(&out, "\x1b[%dA", up)
	}
	if column > 0 {
		fmt.Fprintf(&out, "\x1b[%dC", column)
	}
	s.row, s.column, s.width, s.widths = row, column, width, s.widths[:0]
	for _, one := range shown {
		s.widths = append(s.widths, uniseg.StringWidth(one))
	}
	return out.String()
}

// reflow updates the position of the cursor after the terminal has become narrower: it has wrapped the rows that do not fit.
func (s *screen) reflow(width int) {
	if width >= s.width || width <= 0 || s.row >= len(s.widths) {
		return
	}
	row := s.column / width
	for _, columns := range s.widths[:s.row] {
		row += max((columns+width-1)/width, 1)
	}
	s.row = row
}

// top returns the output that moves the cursor to the start of the first row that is drawn.
func (s *screen) top() string { return moveUp(s.row) }

// moveUp returns the output that moves the cursor to the first column of a row above.
func moveUp(rows int) string {
	if rows == 0 {
		return "\r"
	}
	return fmt.Sprintf("\r\x1b[%dA", rows)
}
