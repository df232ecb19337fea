package markdownexport

import (
	"strings"
)

// restored returns text of the export as it was written: headings at their level, line breaks and tags without their escapes. Where
// the export wrote the same Markdown in another way, that stays.
func restored(lines []string, heading int) string {
	shift := max(heading, 3) - 1
	out := make([]string, 0, len(lines))
	var fence fence
	for _, line := range lines {
		if fence.step([]byte(line)) {
			out = append(out, line)
			continue
		}
		line = strings.TrimSuffix(line, "  ")
		if marks := len(line) - len(strings.TrimLeft(line, "#")); marks > shift && marks <= 6 && strings.HasPrefix(line[marks:], " ") {
			line = line[shift:]
		}
		out = append(out, withoutReferences(line))
	}
	return strings.Trim(strings.Join(out, "\n"), "\n")
}

// withoutReferences returns a line with "<" where the export wrote a reference, but in code.
func withoutReferences(line string) string {
	if !strings.Contains(line, "&lt;") {
		return line
	}
	var out strings.Builder
	for i := 0; i < len(line); {
		switch rest := line[i:]; {
		case rest[0] == '\\' && len(rest) > 1:
			out.WriteString(rest[:2])
			i += 2
		case rest[0] == '`':
			n := len(rest) - len(strings.TrimLeft(rest, "`"))
			if end := closing(rest, n); end > 0 {
				n = end
			}
			out.WriteString(rest[:n])
			i += n
		case strings.HasPrefix(rest, "&lt;"):
			out.WriteByte('<')
			i += len("&lt;")
		default:
			out.WriteByte(rest[0])
			i++
		}
	}
	return out.String()
}

// closing returns the length of a code span that a text begins with, whose marks are n long; 0 if it is none.
func closing(text string, n int) int {
	for at := n; at < len(text); {
		next := strings.IndexByte(text[at:], '`')
		if next < 0 {
			return 0
		}
		at += next
		run := len(text[at:]) - len(strings.TrimLeft(text[at:], "`"))
		at += run
		if run == n {
			return at
		}
	}
	return 0
}

// unescaped returns what a line of escaped text shows.
func unescaped(line string) string {
	var out strings.Builder
	for i := 0; i < len(line); i++ {
		if line[i] == '\\' && i+1 < len(line) {
			i++
		}
		out.WriteByte(line[i])
	}
	return strings.NewReplacer("&lt;", "<", "&amp;", "&").Replace(out.String())
}
