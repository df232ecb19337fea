package core

import "encoding/json"

// ToolCall is a call that a model made.
type ToolCall struct {
	SessionID string
	ID        string // of the tool_call part
	Name      string
	Arguments json.RawMessage // an object
	Unasked   bool            // it runs because it only reads: neither the user nor the mode has permitted it
}

// EveryFile is the prefix of a permission that covers every file of the workspace.
const EveryFile = "./**"

// Effect says what a call does to the world.
type Effect string

// The effects, from harmless to grave.
const (
	EffectNone    Effect = "none"    // nothing outside the session, such as the list of things to do
	EffectRead    Effect = "read"    // reads the workspace
	EffectWrite   Effect = "write"   // changes files of the workspace
	EffectExecute Effect = "execute" // runs a command, or a tool of another program
)

// Access says what a call would touch, so that it can be permitted before it runs.
type Access struct {
	Effect Effect
	// Idempotent says that the call may be run again when nobody knows whether it ended.
	Idempotent bool
	// Targets are what a permission names: slash-separated paths relative to the workspace; the simple commands of a command line,
	// each with its words joined by one space; SERVER/TOOL for a tool of another program. All must be permitted.
	Targets []string
	// Prefixes stand for Targets in a permission that is to hold for more than this call: go test for go test ./core.
	// As many as Targets, an empty one where nothing wider than the target is offered.
	Prefixes []string
	// Safe says that the call changes nothing and may go unasked like a read, though it runs a command.
	Safe bool
	// Risk is why no stored permission covers the call and a person must look each time; empty: none.
	Risk string
	// Forbidden is why the call is never run, whoever permits it; empty: it may be.
	Forbidden string
	Sandbox   string // what confines the call, and what that leaves open; empty: it runs no command
	Title     string // one line: what it would do
	Preview   string // more of it: a unified diff, a whole command; empty: nothing to add
}

// NamesFiles reports whether Targets are files of the workspace. A stored permission for them holds in this workspace only.
func (a *Access) NamesFiles() bool { return a.Effect == EffectRead || a.Effect == EffectWrite }

// ToolResult is what a call gave.
type ToolResult struct {
	Parts      []Part // text and media, as the model is to see them
	IsError    bool
	Structured json.RawMessage // the result as data, for the screen; nil: none
	Changes    []FileChange
	Blobs      []Blob // contents that Parts and Changes refer to by hash
}

// FileChange is what a call did to a file of the workspace.
type FileChange struct {
	Path       string `json:"path" db:"path"`              // relative to the workspace, slash-separated
	BeforeHash string `json:"beforeHash" db:"before_hash"` // of the content, see Hash; empty: there was no file
	AfterHash  string `json:"afterHash" db:"after_hash"`   // empty: there is none any more
	Mode       uint32 `json:"mode" db:"mode"`              // the permission bits it had, or has where it is new
}

// TextResult is a result of one text.
func TextResult(text string) ToolResult {
	return ToolResult{Parts: []Part{{Type: PartText, Text: text}}}
}

// ErrorResult is a result that tells the model what went wrong.
func ErrorResult(text string) ToolResult {
	return ToolResult{Parts: []Part{{Type: PartText, Text: text}}, IsError: true}
}
