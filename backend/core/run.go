package core

// Mode says which calls need a person's word.
type Mode string

// The modes.
const (
	ModeConfirmAll       Mode = "confirm-all"       // every call
	ModeConfirmSensitive Mode = "confirm-sensitive" // what writes or runs something
	ModeYolo             Mode = "yolo"              // none
	ModePlan             Mode = "plan"              // none: what writes or runs something is refused
)

// Modes lists every mode.
func Modes() []Mode {
	return []Mode{ModeConfirmAll, ModeConfirmSensitive, ModeYolo, ModePlan}
}

// StopReason says why a run ended.
type StopReason string

// The stop reasons.
const (
	StopDone          StopReason = "llm_done"
	StopMaxSteps      StopReason = "max_steps"
	StopBudget        StopReason = "budget_exceeded"
	StopContextFull   StopReason = "context_full"
	StopTimeout       StopReason = "timeout"
	StopUserInterrupt StopReason = "user_interrupt"
	StopError         StopReason = "llm_error"
	StopHITLQuit      StopReason = "hitl_quit"
	StopTerminated    StopReason = "terminated"
	StopDoomLoop      StopReason = "doom_loop"
)

// Status returns the status of a session whose run ended so.
func (r StopReason) Status() Status {
	switch r {
	case StopDone:
		return StatusSuccess
	case StopMaxSteps, StopBudget, StopContextFull, StopTimeout, StopHITLQuit, StopDoomLoop:
		return StatusPartial
	case StopUserInterrupt, StopTerminated:
		return StatusInterrupted
	case StopError:
		return StatusFailed
	default:
		return StatusFailed
	}
}

// Budget limits runs; 0 is no limit. Cost and tokens are counted over all runs of a session, so
// that resuming with a larger budget goes on where the smaller one stopped; steps and time over one run.
type Budget struct {
	CostNanoUSD int64 `json:"costNanoUsd,omitempty"`
	Tokens      int64 `json:"tokens,omitempty"` // input and output
	Steps       int64 `json:"steps,omitempty"`
	TimeoutMs   int64 `json:"timeoutMs,omitempty"`
}

// Owner is the process that a run belongs to.
type Owner struct {
	PID     int64  `json:"pid" db:"owner_pid"`
	Started string `json:"started" db:"owner_started"` // tells the process from a later one with its number
	Host    string `json:"host" db:"owner_host"`
}

// Run is one engagement of the engine on a session.
type Run struct {
	ID            string     `json:"id" db:"id"` // UUIDv7
	SessionID     string     `json:"sessionId" db:"session_id"`
	Lane          int64      `json:"lane" db:"lane"` // 0: it moves the session's head; else it runs aside, below a tip of its own
	Agent         string     `json:"agent" db:"agent"`
	Model         string     `json:"model" db:"model"`      // PROVIDER/MODEL
	BaseURL       string     `json:"baseUrl" db:"base_url"` // of the server that is called; empty: none, or it is not known
	Mode          Mode       `json:"mode" db:"mode"`
	WorkspacePath string     `json:"workspacePath" db:"workspace_path"`
	Budget        Budget     `json:"budget" db:"-"`
	Owner         Owner      `json:"owner" db:"-"`
	Status        Status     `json:"status" db:"status"` // running, then as it ended
	StopReason    StopReason `json:"stopReason" db:"stop_reason"`
	Error         string     `json:"error" db:"error"` // why it failed, for people
	StepCount     int64      `json:"stepCount" db:"step_count"`
	InputTokens   int64      `json:"inputTokens" db:"input_tokens"`
	OutputTokens  int64      `json:"outputTokens" db:"output_tokens"`
	CostNanoUSD   int64      `json:"costNanoUsd" db:"cost_nano_usd"`    // of the steps whose cost is known
	UnpricedSteps int64      `json:"unpricedSteps" db:"unpriced_steps"` // steps whose cost is not known
	StartedAtMs   int64      `json:"startedAtMs" db:"started_at_ms"`
	EndedAtMs     int64      `json:"endedAtMs" db:"ended_at_ms"` // 0: it has not
}

// ExecState says how far a tool call has come.
type ExecState string

// The states.
const (
	ExecPending     ExecState = "pending"     // not begun
	ExecRunning     ExecState = "running"     // begun, and nobody knows how far it came unless it ends
	ExecDone        ExecState = "done"        // its result is kept, be it an error
	ExecDenied      ExecState = "denied"      // not permitted
	ExecInterrupted ExecState = "interrupted" // stopped half-way
)

// ToolExec is the work on one tool call.
type ToolExec struct {
	RunID       string
	MessageUID  string // the assistant message with the call
	Position    int64  // among the calls of that message, from 0
	CallID      string
	Name        string
	State       ExecState
	Idempotent  bool  // may be run again when nobody knows whether it ended
	Result      *Part // the tool_result; nil until it has one
	Changes     []FileChange
	Blobs       []Blob // contents that Result and Changes refer to
	StartedAtMs int64
	EndedAtMs   int64
}

// Decision is a person's word on a call.
type Decision string

// The decisions.
const (
	DecisionAllow Decision = "allow"
	DecisionDeny  Decision = "deny"
)

// ApprovalScope says how long a decision holds.
type ApprovalScope string

// The scopes.
const (
	ScopeOnce      ApprovalScope = "once" // never stored
	ScopeSession   ApprovalScope = "session"
	ScopeWorkspace ApprovalScope = "workspace"
	ScopeAlways    ApprovalScope = "always"
)

// Approval is a remembered permission, or a remembered refusal.
type Approval struct {
	ID            string        `json:"id" db:"id"` // UUIDv7
	Scope         ApprovalScope `json:"scope" db:"scope"`
	SessionID     string        `json:"sessionId" db:"session_id"`         // of scope session
	WorkspacePath string        `json:"workspacePath" db:"workspace_path"` // of scope workspace
	Tool          string        `json:"tool" db:"tool"`
	Matcher       string        `json:"matcher" db:"matcher"` // what of Access.Targets it covers: the same, a prefix that ends in " *" or "/**", or "./**" for every file of the workspace
	Decision      Decision      `json:"decision" db:"decision"`
	Reason        string        `json:"reason" db:"reason"` // given to the model with a refusal
	CreatedAtMs   int64         `json:"createdAtMs" db:"created_at_ms"`
}

// Draft is an answer that is still being written.
type Draft struct {
	SessionID   string
	RunID       string
	ParentUID   string // the message it will hang on
	Message     Message
	UpdatedAtMs int64
}

// ModelCost is what one model took of a session.
type ModelCost struct {
	Model         string `json:"model" db:"model"`
	StepCount     int64  `json:"stepCount" db:"step_count"`
	InputTokens   int64  `json:"inputTokens" db:"input_tokens"`
	OutputTokens  int64  `json:"outputTokens" db:"output_tokens"`
	CostNanoUSD   *int64 `json:"costNanoUsd" db:"cost_nano_usd"` // of the steps whose cost is known; nil: of none
	UnpricedSteps int64  `json:"unpricedSteps" db:"unpriced_steps"`
}
