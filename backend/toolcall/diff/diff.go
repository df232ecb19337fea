// Package diff reads the formats in which agents' tools report changes of files, and computes changes from the text
// before and after otherwise.
package diff

import (
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"coppice/backend/patch"
)

const (
	contextLines = 3
	// maxCompute bounds the work of comparing; longer texts are shown as removed and added.
	maxCompute = 512 << 10
)

// Compute compares two texts. patch.Line numbers are known only if the texts are whole files, not pieces of one.
func Compute(path, before, after string, whole bool) patch.File {
	f := patch.File{Path: path, Created: whole && before == ""}
	before, after = closed(before), closed(after)
	if len(before)+len(after) > maxCompute {
		f.Hunks = []patch.Hunk{Numbered(number(whole), number(whole), append(prefixed("-", before), prefixed("+", after)...))}
		return f
	}
	unified, err := udiff.ToUnifiedDiff("", "", before, udiff.Lines(before, after), contextLines)
	if err != nil { // edits outside the text's bounds, which Lines does not make
		return f
	}
	for _, hunk := range unified.Hunks {
		lines := make([]string, len(hunk.Lines))
		for i, line := range hunk.Lines {
			lines[i] = sign(line.Kind) + strings.TrimSuffix(line.Content, "\n")
		}
		from, to := int64(hunk.FromLine), int64(hunk.ToLine)
		if !whole {
			from, to = 0, 0
		}
		f.Hunks = append(f.Hunks, Numbered(from, to, lines))
	}
	return f
}

// Create returns the diff of a new file.
func Create(path, content string) patch.File {
	return patch.File{Path: path, Created: true, Hunks: hunks(Numbered(1, 1, prefixed("+", closed(content))))}
}

// closed adds a line feed to the text's last line, so that a missing one is not a difference.
func closed(text string) string {
	if text == "" || strings.HasSuffix(text, "\n") {
		return text
	}
	return text + "\n"
}

func number(known bool) int64 {
	if known {
		return 1
	}
	return 0
}

func sign(kind udiff.OpKind) string {
	switch kind {
	case udiff.Delete:
		return "-"
	case udiff.Insert:
		return "+"
	case udiff.Equal:
	}
	return " "
}

func prefixed(sign, text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		out = append(out, sign+strings.TrimSuffix(line, "\n"))
	}
	return out
}

func hunks(hunk patch.Hunk) []patch.Hunk {
	if len(hunk.Lines) == 0 {
		return nil
	}
	return []patch.Hunk{hunk}
}

// Numbered returns a hunk of lines that begin with their sign. It starts at the given numbers; 0: unknown.
func Numbered(before, after int64, lines []string) patch.Hunk {
	var hunk patch.Hunk
	for _, text := range lines {
		line := patch.Line{Op: patch.Same, Text: text}
		if text != "" {
			switch patch.Op(text[0]) {
			case patch.Added, patch.Removed, patch.Same:
				line.Op, line.Text = patch.Op(text[0]), text[1:]
			case '\\': // "\ No newline at end of file"
				continue
			}
		}
		line.Text = strings.TrimSuffix(line.Text, "\r")
		if line.Op != patch.Added && before > 0 {
			line.Old = before
			before++
		}
		if line.Op != patch.Removed && after > 0 {
			line.New = after
			after++
		}
		hunk.Lines = append(hunk.Lines, line)
	}
	return hunk
}
