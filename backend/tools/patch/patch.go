// Package patch reads patches as models write them and applies them to texts: the format between "*** Begin Patch" and
// "*** End Patch", and unified diffs.
package patch

import (
	"fmt"
	"io/fs"
	"strings"
)

// Op is the operation of a patch on a file.
type Op string

// The operations.
const (
	Add    Op = "add"
	Delete Op = "delete"
	Update Op = "update"
)

// File is the change of one file by a patch.
type File struct {
	Op      Op
	Path    string // as written, slash-separated
	MovedTo string // empty: the file is not moved
	Mode    fs.FileMode
	Hunks   []Hunk
}

// Hunk is a range of a file with its changes.
type Hunk struct {
	After string // a line somewhere before the hunk; empty: the hunk may be anywhere
	Near  int    // the number of its first line if the patch has one; 0: unknown
	AtEnd bool   // the hunk is at the end of the file
	Lines []Line
}

// Line is a line of a hunk.
type Line struct {
	Op    byte // ' ' for unchanged, '-', '+'
	Text  string
	NoEOL bool // it ends the file without a line feed
	bare  bool // written as an empty line
}

// Parse reads a patch. The error names the invalid line for the model.
func Parse(text string) ([]File, error) {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	var files []File
	var err error
	if isEnvelope(text) {
		files, err = parseEnvelope(text)
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
