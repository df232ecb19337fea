package core

// Mode is which calls need the user's permission.
type Mode string

// The modes.
const (
	ModeConfirmAll       Mode = "confirm-all"       // every call
	ModeConfirmSensitive Mode = "confirm-sensitive" // calls that write or run something
	ModeYolo             Mode = "yolo"              // none
	ModePlan             Mode = "plan"              // none: calls that write or run something are refused
)

// Modes lists every mode.
func Modes() []Mode {
	return []Mode{ModeConfirmAll, ModeConfirmSensitive, ModeYolo, ModePlan}
}

// StopReason is why a run ended.
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
	StopHibernated    StopReason = "hibernated" // the user did not answer for too long
	StopRefused       StopReason = "refused"    // a call needed a permission that no user was available to give
	StopTeamDone      StopReason = "team_done"  // a team has ended its work
)

// Status returns the status of a session whose run ended for this reason.
func (r StopReason) Status() Status {
	switch r {
	case StopDone, StopTeamDone:
		return StatusSuccess
	case StopMaxSteps, StopBudget, StopContextFull, StopTimeout, StopHITLQuit, StopDoomLoop, StopRefused:
		return StatusPartial
	case StopHibernated:
		return StatusHibernated
	case StopUserInterrupt, StopTerminated:
		return StatusInterrupted
	case StopError:
		return StatusFailed
	default:
		return StatusFailed
	}
}

// Owner is the process that a run belongs to.
type Owner struct {
	PID     int64  `json:"pid" db:"owner_pid"`
	Started string `json:"started" db:"owner_started"` // distinguishes the process from a later one with the same number
	Host    string `json:"host" db:"owner_host"`
}

// Run is one run of the engine on a session.
type Run struct {
	ID            string     `json:"id" db:"id"` // UUIDv7
	SessionID     string     `json:"sessionId" db:"session_id"`
	Lane          int64      `json:"lane" db:"lane"` // 0: it moves the session's head; else it runs beside it, below its own tip
	Agent         string     `json:"agent" db:"agent"`
	Model         string     `json:"model" db:"model"`      // PROVIDER/MODEL
	BaseURL       string     `json:"baseUrl" db:"base_url"` // of the server that is called; empty: none, or unknown
	Mode          Mode       `json:"mode" db:"mode"`
	WorkspacePath string     `json:"workspacePath" db:"workspace_path"`
	Budget        Budget     `json:"budget" db:"-"`
	Owner         Owner      `json:"owner" db:"-"`
	Status        Status     `json:"status" db:"status"` // running, then its final status
	StopReason    StopReason `json:"stopReason" db:"stop_reason"`
	Error         string     `json:"error" db:"error"` // why it failed, for the user
	StepCount     int64      `json:"stepCount" db:"step_count"`
	InputTokens   int64      `json:"inputTokens" db:"input_tokens"`
	OutputTokens  int64      `json:"outputTokens" db:"output_tokens"`
	CostNanoUSD   int64      `json:"costNanoUsd" db:"cost_nano_usd"`      // of the steps whose cost is known
	UnpricedSteps int64      `json:"unpricedSteps" db:"unpriced_steps"`   // steps whose cost is unknown
	UsedSteps     int64      `json:"usedSteps,omitempty" db:"used_steps"` // steps of the interrupted runs that it continues: they count towards its limit
	UsedMs        int64      `json:"usedMs,omitempty" db:"used_ms"`       // their time
	StartedAtMs   int64      `json:"startedAtMs" db:"started_at_ms"`
	EndedAtMs     int64      `json:"endedAtMs" db:"ended_at_ms"`       // 0: not ended
	WakeID        string     `json:"-" db:"-"`                         // the condition that woke the session; only StartRun reads it
	State         *RunState  `json:"-" db:"-"`                         // what it begins with; only StartRun reads it
	Imported      bool       `json:"imported,omitempty" db:"imported"` // an archive brought it: it permits nothing
}

// Unfinished reports whether a run ended before it had done what it was started for or used up its steps or its time, so that a
// run that continues it has what is left of these limits.
func (r *Run) Unfinished() bool {
	return r.Status != StatusRunning && r.StopReason != StopDone && r.StopReason != StopTeamDone && r.StopReason != StopMaxSteps && r.StopReason != StopTimeout
}

// Used returns how many steps and how much time a run and those that it continues have used.
func (r *Run) Used() (steps, ms int64) {
	return r.UsedSteps + r.StepCount, r.UsedMs + max(r.EndedAtMs-r.StartedAtMs, 0)
}

// ModelCost is the usage of one model in a session.
type ModelCost struct {
	Model         string `json:"model" db:"model"`
	StepCount     int64  `json:"stepCount" db:"step_count"`
	InputTokens   int64  `json:"inputTokens" db:"input_tokens"`
	OutputTokens  int64  `json:"outputTokens" db:"output_tokens"`
	CostNanoUSD   *int64 `json:"costNanoUsd" db:"cost_nano_usd"` // of the steps whose cost is known; nil: none is known
	UnpricedSteps int64  `json:"unpricedSteps" db:"unpriced_steps"`
	// EstimatedNanoUSD is the list price of the steps whose cost is unknown; nil: none has a price. UnestimatedSteps counts those of
	// which some cost is neither known nor estimated.
	EstimatedNanoUSD *int64 `json:"estimatedCostNanoUsd" db:"estimated_cost_nano_usd"`
	UnestimatedSteps int64  `json:"unestimatedSteps" db:"unestimated_steps"`
}

// RunAside is a run beside the session's main one.
type RunAside struct {
	ID     string `db:"id"`
	Agent  string `db:"agent"`
	TipUID string `db:"tip"` // its last message; empty: none
}
