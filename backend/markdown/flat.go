package markdown

import (
	"strings"
)

// Flat returns Markdown of several lines as one plain line for lists: without fences, rules, the marks of headings, quotations and
// lists, the bars of tables and the backticks around code. Every line is reduced as Plain does it, so cut the text first.
func Flat(text string) string {
	flat := make([]string, 0, 8)
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSpace(line)
		switch {
		case line == "", strings.HasPrefix(line, "```"), strings.HasPrefix(line, "~~~"), isRule(line):
			continue
		case strings.HasPrefix(line, "|"):
			line = cells(line)
		default:
			line = withoutMark(line)
		}
		if line = Plain(withoutBackticks(line)); line != "" {
			flat = append(flat, line)
		}
	}
	return strings.Join(flat, " ")
}

// isRule reports whether a line draws a rule, or the line below the head of a table.
func isRule(line string) bool {
	return len(line) > 2 && strings.Trim(line, "-_*=|: ") == ""
}

// cells returns the texts of a row of a table.
func cells(line string) string {
	texts := strings.FieldsFunc(line, func(r rune) bool { return r == '|' })
	for i := range texts {
		texts[i] = strings.TrimSpace(texts[i])
	}
	return strings.TrimSpace(strings.Join(texts, " · "))
}

// withoutMark removes the mark of an item of a list, and the box of a task.
func withoutMark(line string) string {
	for _, mark := range []string{"- ", "* ", "+ ", "• "} {
		if rest, ok := strings.CutPrefix(line, mark); ok {
			line = rest
			break
		}
	}
	for _, box := range []string{"[ ] ", "[x] ", "[X] "} {
		line = strings.TrimPrefix(line, box)
	}
	return line
}

// withoutBackticks removes the backticks around code. A single one stays.
func withoutBackticks(line string) string {
	if strings.Count(line, "`")%2 != 0 {
		return line
	}
	return strings.ReplaceAll(line, "`", "")
}
