package app

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/rivo/uniseg"
)

// screen is what a terminal shows for the bytes that a program writes: the part of ECMA-48 that the program uses.
type screen struct {
	columns int
	rows    [][]string // the cells of all rows, also of those that were scrolled out
	top     int        // the first row that is not scrolled out
	height  int
	row     int
	column  int
}

// screenOf returns the rows of a screen without trailing spaces, from the first that was written.
func screenOf(t *testing.T, text string, columns, height int) []string {
	t.Helper()
	s := &screen{columns: columns, height: height}
	for text != "" {
		if sequence, isSequence := strings.CutPrefix(text, "\x1b["); isSequence {
			end := strings.IndexFunc(sequence, func(r rune) bool { return r >= 0x40 && r <= 0x7e })
			if end < 0 {
				break
			}
			if err := s.control(sequence[:end], sequence[end]); err != nil {
				t.Fatal(err)
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
	lines := make([]string, len(s.rows))
	for i, row := range s.rows {
		lines[i] = strings.TrimRight(strings.Join(row, ""), " ")
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
			*row = append(*row, " ")
		}
		(*row)[s.column] = cluster
		for i := 1; i < width; i++ {
			(*row)[s.column+i] = ""
		}
		s.column += width
	}
}

func (s *screen) line() *[]string {
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

func (s *screen) control(parameters string, final byte) error {
	n, err := strconv.Atoi(parameters)
	if err != nil {
		n = 0
	}
	switch final {
	case 'm', 'h', 'l': // styles and modes
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
