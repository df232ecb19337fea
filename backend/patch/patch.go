// Package patch is the model of changes to text files: files, hunks and lines. It reads patches as models write them, the
// format between "*** Begin Patch" and "*** End Patch" and unified diffs, and applies them to texts.
package patch

import (
	"fmt"
	"io/fs"
	"strings"
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
	Op    Op
	Old   int64 // its number before, from 1; 0: none, or unknown
	New   int64 // its number after
	Text  string
	NoEOL bool // it ends the file without a line feed
	bare  bool // written as an empty line
}

// Hunk is a range of consecutive lines with their changes.
type Hunk struct {
	After string // a line somewhere before the hunk; empty: the hunk may be anywhere
	Near  int    // the number of its first line if the patch has one; 0: unknown
	AtEnd bool   // the hunk is at the end of the file
	Lines []Line
}

// File is the change of one file.
type File struct {
	Path    string // as written, slash-separated
	MovedTo string // its new path; empty: the file is not moved
	Created bool
	Deleted bool
	Mode    fs.FileMode // 0: unchanged
	Hunks   []Hunk
}

// Counts returns the numbers of added and removed lines.
func (f *File) Counts() (added, removed int64) {
	for _, hunk := range f.Hunks {
		for _, line := range hunk.Lines {
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

// Parse reads a patch. The error names the invalid line for the model.
func Parse(text string) ([]File, error) {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	var files []File
	var err error
	if isEnvelope(text) {
		files, err = Envelope(text)
	} else {
		files, err = parseUnified(text)
	}
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("the patch changes no file: it must be *** Begin Patch … *** End Patch, or a unified diff")
	}
	return files, nil
}

func isEnvelope(text string) bool {
	return strings.HasPrefix(strings.TrimSpace(text), begin) || strings.Contains(text, "\n"+begin)
}
