package core

import "encoding/json"

// ToolCall is a call that a model made.
type ToolCall struct {
	SessionID  string
	MessageUID string // the answer with the call
	ID         string // of the tool_call part
	Name       string
	Arguments  json.RawMessage // an object
	Unasked    bool            // it runs because it only reads: neither the user nor the mode permitted it
}

// EveryFile is the prefix of a permission that covers every file of the workspace.
const EveryFile = "./**"

// Effect is what a call may change.
type Effect string

// The effects, from harmless to severe.
const (
	EffectNone    Effect = "none"    // nothing outside the session, such as the to-do list
	EffectRead    Effect = "read"    // reads the workspace
	EffectNetwork Effect = "network" // asks a server for something
	EffectWrite   Effect = "write"   // changes files of the workspace
	EffectExecute Effect = "execute" // runs a command, or a tool of another program
)

// Access describes what a call would touch, so that it can be permitted before it runs.
type Access struct {
	Effect Effect
	// Idempotent means that the call may be run again if it is unknown whether it ended.
	Idempotent bool
	// Targets are what a permission names: slash-separated paths relative to the workspace; the simple commands of a command line,
	// each with its words joined by one space; SERVER/TOOL for a tool of another program. All must be permitted.
	Targets []string
	// Prefixes replace Targets in a permission for more than this call: go test for go test ./core. They are as many as
	// Targets; an empty one offers nothing wider than the target.
	Prefixes []string
	// Safe means that the call changes nothing and needs no permission, like a read, though it runs a command.
	Safe bool
	// Risk is why no stored permission covers the call and the user must decide each time; empty: none.
	Risk string
	// Forbidden is why the call is never run, whatever is permitted; empty: it may be.
	Forbidden string
	Sandbox   string // what confines the call, and what that still allows; empty: it runs no command
	Title     string // one line: what it would do
	Preview   string // details: a unified diff, a whole command; empty: nothing to add
}

// NamesFiles reports whether Targets are files of the workspace. A stored permission for them holds in this workspace only.
func (a *Access) NamesFiles() bool { return a.Effect == EffectRead || a.Effect == EffectWrite }

// ToolResult is the result of a call.
type ToolResult struct {
	Parts      []Part // text and media, as the model receives them
	IsError    bool
	Structured json.RawMessage // the result as data, for the screen; nil: none
	Changes    []FileChange
	Blobs      []Blob // contents that Parts and Changes refer to by hash
}

// FileChange is a change of a file of the workspace by a call.
type FileChange struct {
	Path       string `json:"path" db:"path"`              // relative to the workspace, slash-separated
	BeforeHash string `json:"beforeHash" db:"before_hash"` // of the content, see Hash; empty: the file did not exist
	AfterHash  string `json:"afterHash" db:"after_hash"`   // empty: the file no longer exists
	Mode       uint32 `json:"mode" db:"mode"`              // the permission bits it had, or has if it is new
}

// TextResult is a result of one text.
func TextResult(text string) ToolResult {
	return ToolResult{Parts: []Part{{Type: PartText, Text: text}}}
}

// ErrorResult is a result that describes an error to the model.
func ErrorResult(text string) ToolResult {
	return ToolResult{Parts: []Part{{Type: PartText, Text: text}}, IsError: true}
}
