package markdown

import (
	"strings"

	extast "github.com/yuin/goldmark/extension/ast"
)

const (
	columnGap = 3 // the columns of " │ "
	minColumn = 6 // the narrowest column of a table; a table with narrower ones is laid out as a list
)

// cell is the text of a cell.
type cell []span

// table lays out a table whose columns fit the width. If they would be too narrow, each row becomes a list of its cells.
func (l *layout) table(n *extast.Table, width int) []line {
	var rows [][]cell
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		var cells []cell
		for c := row.FirstChild(); c != nil; c = c.NextSibling() {
			style := style(0)
			if _, isHead := row.(*extast.TableHeader); isHead {
				style = bold
			}
			cells = append(cells, l.inline(c, style))
		}
		rows = append(rows, cells)
	}
	widths, fits := columnWidths(rows, len(n.Alignments), width)
	if !fits {
		return rowsAsLists(rows, width)
	}
	var all []line
	for i, row := range rows {
		all = append(all, tableRow(row, widths, n.Alignments)...)
		if i == 0 {
			all = append(all, tableRule(widths))
		}
	}
	return all
}

// columnWidths returns the widths of the columns: as wide as their cells, less for the widest if they do not fit.
func columnWidths(rows [][]cell, count, width int) (widths []int, fits bool) {
	widths = make([]int, count)
	for _, row := range rows {
		for i, c := range row {
			if i < count {
				widths[i] = max(widths[i], line(c).width(), 1)
			}
		}
	}
	room := width - columnGap*(count-1)
	for total := sum(widths); total > room; total-- {
		widest := 0
		for i, w := range widths {
			if w > widths[widest] {
				widest = i
			}
		}
		if widths[widest] <= minColumn {
			return nil, false
		}
		widths[widest]--
	}
	return widths, true
}

func sum(numbers []int) (total int) {
	for _, n := range numbers {
		total += n
	}
	return total
}

// tableRow lays out a row, whose cells are wrapped.
func tableRow(row []cell, widths []int, aligned []extast.Alignment) []line {
	cells, height := make([][]line, len(widths)), 1
	for i, c := range row {
		if i < len(widths) {
			cells[i] = wrapCell(c, widths[i])
			height = max(height, len(cells[i]))
		}
	}
	all := make([]line, height)
	for at := range all {
		for i, width := range widths {
			if i > 0 {
				all[at] = append(all[at], span{" │ ", dim})
			}
			var text line
			if at < len(cells[i]) {
				text = cells[i][at]
			}
			before, after := 0, max(width-text.width(), 0)
			switch {
			case i < len(aligned) && aligned[i] == extast.AlignRight:
				before, after = after, 0
			case i < len(aligned) && aligned[i] == extast.AlignCenter:
				before, after = after/2, after-after/2
			}
			all[at] = append(append(append(all[at], span{strings.Repeat(" ", before), 0}), text...), span{strings.Repeat(" ", after), 0})
		}
	}
	return all
}

// wrapCell is wrap for a cell, which may be narrower than other text.
func wrapCell(c cell, width int) []line {
	if line(c).width() <= width {
		return []line{line(c)}
	}
	return wrapAt(c, width)
}

func tableRule(widths []int) line {
	parts := make([]string, len(widths))
	for i, w := range widths {
		parts[i] = strings.Repeat("─", w)
	}
	return line{{strings.Join(parts, "─┼─"), dim}}
}

// rowsAsLists lays out each row as lines of the head of its column and its cell.
func rowsAsLists(rows [][]cell, width int) []line {
	var all []line
	if len(rows) == 0 {
		return nil
	}
	for _, row := range rows[1:] {
		if len(all) > 0 {
			all = append(all, line{})
		}
		for i, c := range row {
			var spans []span
			if i < len(rows[0]) {
				spans = append(append(spans, rows[0][i]...), span{": ", bold})
			}
			all = append(all, wrap(append(spans, c...), width)...)
		}
	}
	return all
}
