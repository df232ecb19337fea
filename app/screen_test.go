package app

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rivo/uniseg"
)

// cell is a character of a screen, and how it is painted.
type cell struct {
	text  string // a grapheme cluster; empty: the right half of a wide one
	style string // the parameters of ECMA-48 SGR; empty: plain
}

// screen is what a terminal shows for the bytes that a program writes: the part of ECMA-48 that the program uses.
type screen struct {
	columns int
	rows    [][]cell // all rows, also those that were scrolled out
	top     int      // the first row that is not scrolled out
	height  int
	row     int
	column  int
	style   string
}

func newScreen(columns, height int) *screen { return &screen{columns: columns, height: height} }

// write shows what a program writes. A sequence that is not complete is ignored.
func (s *screen) write(text string) error {
	for text != "" {
		if sequence, isSequence := strings.CutPrefix(text, "\x1b["); isSequence {
			end := strings.IndexFunc(sequence, func(r rune) bool { return r >= 0x40 && r <= 0x7e })
			if end < 0 {
				return nil
			}
			if err := s.control(sequence[:end], sequence[end]); err != nil {
				return err
			}
			text = sequence[end+1:]
			continue
		}
		cluster, rest, width, _ := uniseg.FirstGraphemeClusterInString(text, -1)
		if strings.HasPrefix(text, "\r\n") { // one cluster
			cluster, rest, width = "\r", text[1:], 0
		}
		s.put(cluster, width)
		text = rest
	}
	return nil
}

// lines returns the rows without trailing spaces, from the first that was written.
func (s *screen) lines() []string {
	lines := make([]string, len(s.rows))
	for i, row := range s.rows {
		var line strings.Builder
		for _, c := range row {
			line.WriteString(c.text)
		}
		lines[i] = strings.TrimRight(line.String(), " ")
	}
	return lines
}

// painted returns the rows as lines does, with the escape sequences that paint them.
func (s *screen) painted() []string {
	lines := make([]string, len(s.rows))
	for i, row := range s.rows {
		for len(row) > 0 && row[len(row)-1] == (cell{text: " "}) {
			row = row[:len(row)-1]
		}
		var line strings.Builder
		style := ""
		for _, c := range append(row[:len(row):len(row)], cell{}) {
			if c.text == "" && c.style != "" {
				continue
			}
			if style != "" && c.style != style {
				line.WriteString("\x1b[0m")
			}
			if c.style != "" && c.style != style {
				line.WriteString("\x1b[" + c.style + "m")
			}
			style = c.style
			line.WriteString(c.text)
		}
		lines[i] = line.String()
	}
	return lines
}

func (s *screen) put(cluster string, width int) {
	switch cluster {
	case "\r":
		s.column = 0
	case "\n":
		s.down()
	case "\t":
		s.column = min((s.column/8+1)*8, s.columns-1)
	case "\a":
	default:
		if s.column+width > s.columns {
			s.column = 0
			s.down()
		}
		row := s.line()
		for len(*row) < s.column+width {
			*row = append(*row, cell{text: " "})
		}
		(*row)[s.column] = cell{cluster, s.style}
		for i := 1; i < width; i++ {
			(*row)[s.column+i] = cell{"", s.style}
		}
		s.column += width
	}
}

func (s *screen) line() *[]cell {
	for len(s.rows) <= s.row {
		s.rows = append(s.rows, nil)
	}
	return &s.rows[s.row]
}

func (s *screen) down() {
	s.row++
	s.line()
	s.top = max(s.top, s.row-s.height+1)
}

// resize changes the width. Rows that are wider are wrapped, as most terminals do: those that the program began stay rows of their own.
func (s *screen) resize(columns int) {
	var rows [][]cell
	at, top := s.row, s.top
	for i, row := range s.rows {
		if i == s.row {
			at = len(rows) + min(s.column, max(len(row)-1, 0))/columns
		}
		if i == s.top {
			top = len(rows)
		}
		for len(row) > columns {
			rows, row = append(rows, row[:columns:columns]), row[columns:]
		}
		rows = append(rows, row)
	}
	s.column = min(s.column%columns, columns-1)
	s.rows, s.row, s.columns = rows, at, columns
	s.top = max(top, s.row-s.height+1)
}

func (s *screen) control(parameters string, final byte) error {
	n, err := strconv.Atoi(parameters)
	if err != nil {
		n = 0
	}
	switch final {
	case 'm':
		s.style = strings.TrimPrefix(parameters, "0")
	case 'h', 'l': // modes
	case 'A':
		s.row = max(s.row-max(n, 1), s.top)
	case 'B':
		s.row = min(s.row+max(n, 1), s.top+s.height-1)
		s.line()
	case 'C':
		s.column = min(s.column+max(n, 1), s.columns-1)
	case 'D':
		s.column = max(s.column-max(n, 1), 0)
	case 'G':
		s.column = max(n, 1) - 1
	case 'K':
		row := s.line()
		*row = (*row)[:min(len(*row), s.column)]
	case 'J':
		row := s.line()
		*row = (*row)[:min(len(*row), s.column)]
		s.rows = s.rows[:s.row+1]
	default:
		return fmt.Errorf("the screen does not know CSI %s %c", parameters, final)
	}
	return nil
}
