package present

import (
	"bufio"
	"io"
	"slices"
	"strings"

	"github.com/rivo/uniseg"

	"coppice/backend/core"
	"coppice/backend/render/plain"
)

// Column is a column of a table.
type Column struct {
	Title string
	Right bool // numbers
	Flex  bool // shrinks on a narrow terminal
	Spare bool // removed before a flexible column becomes hard to read, last one first
}

// Table is a table of aligned text. It omits columns whose cells are all empty.
type Table struct {
	Columns []Column
	Rows    [][]string
}

// tableGap is the number of spaces between columns. flexMin is the width below which a flexible column makes a spare
// column disappear.
const (
	tableGap = 2
	flexMin  = 32
)

// Add appends a row. Line ends and characters that a terminal interprets are made visible.
func (t *Table) Add(cells ...string) {
	row := make([]string, len(cells))
	for i, cell := range cells {
		row[i] = plain.Visible(strings.NewReplacer("\n", " ", "\t", " ").Replace(cell))
	}
	t.Rows = append(t.Rows, row)
}

// Write prints the table, cut to width columns unless width is 0.
func (t *Table) Write(w io.Writer, width int) error {
	widths := t.widths()
	if width > 0 {
		t.fit(widths, width)
	}
	buffered := bufio.NewWriter(w)
	titles := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		titles[i] = c.Title
	}
	t.line(buffered, titles, widths)
	for _, row := range t.Rows {
		t.line(buffered, row, widths)
	}
	return core.Wrap(core.Unavailable, buffered.Flush(), "write the result")
}

// widths returns the width that each column needs; 0 for a column to omit.
func (t *Table) widths() []int {
	widths := make([]int, len(t.Columns))
	for _, row := range t.Rows {
		for i, cell := range row {
			widths[i] = max(widths[i], uniseg.StringWidth(cell))
		}
	}
	for i, c := range t.Columns {
		if widths[i] > 0 {
			widths[i] = max(widths[i], len(c.Title))
		}
	}
	return widths
}

func (t *Table) fit(widths []int, total int) {
	used := -tableGap
	for _, w := range widths {
		if w > 0 {
			used += w + tableGap
		}
	}
	for i, c := range slices.Backward(t.Columns) {
		if c.Spare && widths[i] > 0 && used-total > t.slack(widths) {
			used -= widths[i] + tableGap
			widths[i] = 0
		}
	}
	for i, c := range t.Columns {
		if c.Flex && used > total {
			narrow := max(1, widths[i]-(used-total))
			used -= widths[i] - narrow
			widths[i] = narrow
		}
	}
}

// slack returns by how much the flexible columns can shrink.
func (t *Table) slack(widths []int) int {
	slack := 0
	for i, c := range t.Columns {
		if c.Flex {
			slack += max(0, widths[i]-flexMin)
		}
	}
	return slack
}

func (t *Table) line(w *bufio.Writer, cells []string, widths []int) {
	var line strings.Builder
	for i, cell := range cells {
		if widths[i] == 0 {
			continue
		}
		if line.Len() > 0 {
			line.WriteString(strings.Repeat(" ", tableGap))
		}
		cell = Cut(cell, widths[i])
		blank := strings.Repeat(" ", widths[i]-uniseg.StringWidth(cell))
		if t.Columns[i].Right {
			line.WriteString(blank + cell)
		} else {
			line.WriteString(cell + blank)
		}
	}
	_, _ = w.WriteString(strings.TrimRight(line.String(), " ")) // Flush returns the error
	_ = w.WriteByte('\n')
}
