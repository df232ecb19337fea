// Package diff represents changes of files by tools: it reads the formats in which agents' tools report them, and
// computes them from the text before and after otherwise.
package diff

import (
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

// Op is the operation on a line.
type Op byte

// The operations, as a unified diff writes them.
const (
	Same    Op = ' '
	Added   Op = '+'
	Removed Op = '-'
)

// Line is a line of a hunk, without its line feed.
type Line struct {
	Op   Op
	Old  int64 // its number before, from 1; 0: none, or unknown
	New  int64 // its number after
	Text string
}

// Hunk is a range of consecutive lines.
type Hunk []Line

// File is the change of one file.
type File struct {
	Path    string
	MovedTo string // its new path, if that changed
	Created bool
	Deleted bool
	Hunks   []Hunk
}

// Counts returns the numbers of added and removed lines.
func (f File) Counts() (added, removed int64) {
	for _, hunk := range f.Hunks {
		for _, line := range hunk {
			switch line.Op {
			case Added:
				added++
			case Removed:
				removed++
			case Same:
			}
		}
	}
	return added, removed
}

const (
	contextLines = 3
	// maxCompute bounds the work of comparing; longer texts are shown as removed and added.
	maxCompute = 512 << 10
)

// Compute compares two texts. Line numbers are known only if the texts are whole files, not pieces of one.
func Compute(path, before, after string, whole bool) File {
	f := File{Path: path, Created: whole && before == ""}
	before, after = closed(before), closed(after)
	if len(before)+len(after) > maxCompute {
		f.Hunks = []Hunk{Numbered(number(whole), number(whole), append(prefixed("-", before), prefixed("+", after)...))}
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
func Create(path, content string) File {
	return File{Path: path, Created: true, Hunks: hunks(Numbered(1, 1, prefixed("+", closed(content))))}
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

func hunks(hunk Hunk) []Hunk {
	if len(hunk) == 0 {
		return nil
	}
	return []Hunk{hunk}
}

// Numbered returns a hunk of lines that begin with their sign. It starts at the given numbers; 0: unknown.
func Numbered(before, after int64, lines []string) Hunk {
	var hunk Hunk
	for _, text := range lines {
		line := Line{Op: Same, Text: text}
		if text != "" {
			switch Op(text[0]) {
			case Added, Removed, Same:
				line.Op, line.Text = Op(text[0]), text[1:]
			case '\\': // "\ No newline at end of file"
				continue
			}
		}
		line.Text = strings.TrimSuffix(line.Text, "\r")
		if line.Op != Added && before > 0 {
			line.Old = before
			before++
		}
		if line.Op != Removed && after > 0 {
			line.New = after
			after++
		}
		hunk = append(hunk, line)
	}
	return hunk
}
