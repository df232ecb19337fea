// Package patch reads patches as models write them and applies them to texts: the form between "*** Begin Patch" and
// "*** End Patch", and unified diffs.
package patch

import (
	"fmt"
	"io/fs"
	"strings"
)

// Op is what a patch does to a file.
type Op string

// The operations.
const (
	Add    Op = "add"
	Delete Op = "delete"
	Update Op = "update"
)

// File is what a patch does to one file.
type File struct {
	Op      Op
	Path    string // as it is written, slash-separated
	MovedTo string // empty: it stays where it is
	Mode    fs.FileMode
	Hunks   []Hunk
}

// Hunk is a stretch of a file with its changes.
type Hunk struct {
	After string // a line that stands somewhere before it; empty: it may be anywhere
	Near  int    // the number of its first line, as far as the patch knows; 0: it does not say
	AtEnd bool   // it is the end of the file
	Lines []Line
}

// Line is a line of a hunk.
type Line struct {
	Op    byte // ' ' for what stays, '-', '+'
	Text  string
	NoEOL bool // it ends the file without a line feed
	bare  bool // it was written as nothing at all
}

// Parse reads a patch. The error tells the model which line is wrong.
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
