package compact

import (
	"fmt"
	"slices"
	"strings"

	"coppice/backend/core"
)

// codeAware keeps fenced code verbatim and previews the prose around it. The newest messages come first into the limit; a block that
// is too long is left out whole.
func codeAware(title string, covered []core.Message, limit int) string {
	left := limit - len(title) - 1
	if files := filesOf(covered); files != "" && len(files) < left/4 {
		title += "\n" + files
		left -= len(files) + 1
	}
	var lines []string
	for i := len(covered) - 1; i >= 0; i-- {
		line := codeLine(&covered[i], left)
		if line == "" {
			continue
		}
		if left -= len(line) + 1; left < 0 {
			break
		}
		lines = append(lines, line)
	}
	slices.Reverse(lines)
	return strings.Join(append([]string{title}, lines...), "\n")
}

// codeLine returns a message with its code whole if it has at most limit bytes, else without the code.
func codeLine(m *core.Message, limit int) string {
	text := strings.TrimSpace(m.Text())
	author, chars := "Assistant", assistantPreviewChars
	switch {
	case m.IsPrompt():
		author, chars = "User", userPreviewChars
	case !m.IsCall():
		return ""
	}
	if text == "" {
		return toolLine(m)
	}
	full, short := author+":", author+":"
	for _, b := range blocks(text) {
		if b.code {
			full += "\n" + b.text + "\n"
			short += fmt.Sprintf(" [code of %d lines]", strings.Count(b.text, "\n")-1)
			continue
		}
		full += " " + preview(b.text, chars)
		short += " " + preview(b.text, chars)
	}
	if len(full) <= limit {
		return strings.TrimRight(full, "\n")
	}
	return short
}

// toolLine names the tools that a message without a text calls.
func toolLine(m *core.Message) string {
	var names []string
	for _, p := range m.ToolCalls() {
		if p.Name != "" && !slices.Contains(names, p.Name) {
			names = append(names, p.Name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "Assistant called " + strings.Join(names, ", ")
}

// block is a piece of Markdown: fenced code with its fences, or prose.
type block struct {
	text string
	code bool
}

// blocks splits Markdown into prose and fenced code. A fence that is not closed ends with the text.
func blocks(text string) []block {
	var out []block
	var lines []string
	fence := ""
	flush := func(code bool) {
		if joined := strings.Join(lines, "\n"); strings.TrimSpace(joined) != "" {
			out = append(out, block{joined, code})
		}
		lines = nil
	}
	for line := range strings.SplitSeq(text, "\n") {
		mark := fenceOf(line)
		switch {
		case fence == "" && mark != "":
			flush(false)
			fence = mark
			lines = append(lines, line)
		case fence != "" && strings.HasPrefix(mark, fence) && strings.TrimSpace(line) == mark:
			lines = append(lines, line)
			flush(true)
			fence = ""
		default:
			lines = append(lines, line)
		}
	}
	flush(fence != "")
	return out
}

// fenceOf returns the backticks or tildes that a fence begins with; empty for any other line.
func fenceOf(line string) string {
	line = strings.TrimLeft(line, " ")
	for _, mark := range []string{"`", "~"} {
		if rest := strings.TrimLeft(line, mark); len(line)-len(rest) >= 3 {
			return line[:len(line)-len(rest)]
		}
	}
	return ""
}
