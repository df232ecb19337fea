package toolcall

import (
	"bytes"
	"strings"

	"coppice/backend/core"
	"coppice/backend/patch"
)

// Touch is a file that a call changes.
type Touch struct {
	CallID  string
	Path    string // as the tool names it
	Added   int64  // lines
	Removed int64
}

// Outcome is what the result of a call reports of the changes that the call asked for.
type Outcome struct {
	CallID  string
	Failed  bool
	Touched []Touch // empty: the result reports no change
}

// maxPathBytes is the longest path that is stored; PATH_MAX of Linux.
const maxPathBytes = 4096

// Touches returns the files that the calls of a message ask to change, each once per call, and what its results report of such changes.
func (t Tools) Touches(parts []core.Part) (touches []Touch, outcomes []Outcome) {
	for i := range parts {
		p := &parts[i]
		switch p.Type {
		case core.PartToolCall:
			touches = append(touches, t.touchesOf(p)...)
		case core.PartToolResult:
			reported := touchesOf(p.ID, reportOf(p.Structured).changes(""))
			if p.ID != "" && (p.IsError || len(reported) > 0) {
				outcomes = append(outcomes, Outcome{CallID: p.ID, Failed: p.IsError, Touched: reported})
			}
		default:
		}
	}
	return touches, outcomes
}

func (t Tools) touchesOf(part *core.Part) []Touch {
	if !t.mayChange(part) {
		return nil
	}
	c := t.Call(part)
	switch c.Action {
	case Write, Edit, Patch:
		return touchesOf(part.ID, c.Changes(nil))
	case Delete:
		return touchesOf(part.ID, []patch.File{{Path: c.FirstTarget(), Deleted: true}})
	case Other, Read, Search, List, Run, Fetch, Todo, Agent:
	}
	return nil
}

// mayChange reports whether a call may change files, without reading its arguments: most calls read files or run commands.
func (t Tools) mayChange(part *core.Part) bool {
	switch t.Action(part.Name) {
	case Write, Edit, Patch, Delete:
		return true
	case Other, Read, Search, List, Run, Fetch, Todo, Agent:
	}
	return bytes.Contains(part.Arguments, []byte(patchBegin)) || strings.Contains(part.Text, patchBegin)
}

// touchesOf counts the lines of changes, by path in the order of their first change.
func touchesOf(callID string, files []patch.File) []Touch {
	var touches []Touch
	at := map[string]int{}
	for i := range files[:min(len(files), maxFiles)] {
		path := files[i].Path
		if path == "" || len(path) > maxPathBytes {
			continue
		}
		n, ok := at[path]
		if !ok {
			n = len(touches)
			at[path] = n
			touches = append(touches, Touch{CallID: callID, Path: strings.Clone(path)}) // a piece of the text of the call, which may be long
		}
		added, removed := files[i].Counts()
		touches[n].Added += added
		touches[n].Removed += removed
	}
	return touches
}
