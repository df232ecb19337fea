package core

// ExecState is the state of a tool call.
type ExecState string

// The states.
const (
	ExecPending     ExecState = "pending"     // not begun
	ExecRunning     ExecState = "running"     // begun; how far it came is unknown until it ends
	ExecDone        ExecState = "done"        // its result is stored, even if it is an error
	ExecDenied      ExecState = "denied"      // not permitted
	ExecInterrupted ExecState = "interrupted" // stopped before its end
)

// ToolExec is the execution of one tool call.
type ToolExec struct {
	RunID       string
	MessageUID  string // the assistant message with the call
	Position    int64  // among the calls of that message, from 0
	CallID      string
	Name        string
	State       ExecState
	Idempotent  bool  // may be run again if it is unknown whether it ended
	Result      *Part // the tool_result; nil until there is one
	Changes     []FileChange
	Blobs       []Blob // contents that Result and Changes refer to
	StartedAtMs int64
	EndedAtMs   int64
	Imported    bool // an archive brought its run: the call is not run without the model calling it again
}
