package core

import "encoding/json"

// RunItem is one thing that the runs of a session left besides messages, on its way to or from an archive. One field is set. The
// order is that of the fields, so that what an item refers to comes before it.
type RunItem struct {
	State    *StateItem
	Run      *RunEntry
	Request  *RequestEntry
	Approval *ApprovalEntry
	Exec     *ExecEntry
	Change   *ChangeEntry
	Draft    *Draft
	Wake     *Wake // of a hibernated session, without its fingerprint
	Copied   *CopiedEntry
	Restore  *RestoreEntry
	Queued   *QueuedEntry
	// Checkpoint is one that the user named. Those of steps follow from the requests.
	Checkpoint *CheckpointEntry
}

// StateItem is a run state as JSON. A newer version may have written it, so its bytes decide its hash.
type StateItem struct {
	Hash string // of JSON, see Hash
	JSON json.RawMessage
}

// Extra are the fields that a newer version wrote to an archive, by name.
type Extra = map[string]json.RawMessage

// RunEntry is a run. It has no owner: the process that it belongs to is of another machine.
type RunEntry struct {
	Run
	BudgetJSON json.RawMessage // in place of Budget
	StateHash  string          // of the state that it began with; empty: not recorded
	Extra      Extra
}

// RequestEntry is a request, with the hash of its state only.
type RequestEntry struct {
	SentRequest
	Extra Extra
}

// ApprovalEntry is a permission or refusal of scope session.
type ApprovalEntry struct {
	Approval
	Extra Extra
}

// CopiedEntry is the run state of an answer that was copied from another session.
type CopiedEntry struct {
	MessageUID string
	StateHash  string
	Extra      Extra
}

// RestoreEntry is a checkpoint that the user has restored, or what an undo has made of that.
type RestoreEntry struct {
	MessageUID      string
	StateHash       string // empty: the checkpoint has none
	RunID           string // the newest run of the session by then; empty: none
	FormerUID       string // the head before; empty: before the first message
	FormerStateHash string // what the session would have continued with; empty: none
	Undone          bool
	CreatedAtMs     int64
	Extra           Extra
}

// QueuedEntry is a message of the user that its run did not take.
type QueuedEntry struct {
	QueuedMessage
	Extra Extra
}

// CheckpointEntry is a checkpoint with a name.
type CheckpointEntry struct {
	MessageUID  string
	Name        string
	StateHash   string // empty: the session had no run state
	CreatedAtMs int64
	Extra       Extra
}

// ExecEntry is the execution of a tool call, without its changes.
type ExecEntry struct {
	ToolExec
	Extra Extra
}

// ChangeEntry is a change of a file by a tool call.
type ChangeEntry struct {
	FileChange
	MessageUID  string // the assistant message with the call
	CallID      string
	CreatedAtMs int64
	Extra       Extra
}

// The limits of an imported run. The numbers of MaxRuns runs at their limits still add up within an int64, so that a budget holds.
const (
	MaxRuns           = 1 << 16 // of one session
	MaxRunTokens      = 1 << 46
	MaxRunCostNanoUSD = 1 << 46 // about 70,000 US dollars
	MaxRunSteps       = 1 << 46
	MaxRunMs          = 1 << 46 // about 2,000 years
)

// Bound limits the counts of an imported run, and reports whether it had to change any.
func (r *Run) Bound() bool {
	before := *r
	for _, n := range []struct {
		count *int64
		limit int64
	}{
		{&r.StepCount, MaxRunSteps},
		{&r.InputTokens, MaxRunTokens},
		{&r.OutputTokens, MaxRunTokens},
		{&r.CostNanoUSD, MaxRunCostNanoUSD},
		{&r.UnpricedSteps, MaxRunSteps},
		{&r.UsedSteps, MaxRunSteps},
		{&r.UsedMs, MaxRunMs},
	} {
		*n.count = min(max(*n.count, 0), n.limit)
	}
	return before != *r
}
