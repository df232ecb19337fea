package engine

import (
	"context"

	"coppice/backend/core"
)

// Task is what a run is to do, and with what.
type Task struct {
	// SessionID is the session that is to grow; empty: a new one, of this Name.
	SessionID string
	Name      string
	// From is the message to continue from; empty: the head. Root starts a new tree in the session, as an
	// edited first prompt does.
	From string
	Root bool
	// Aside lets the run go on beside others of the session: from From, which it needs, to a tip of its own. It never moves the
	// head, and since the workspace is shared it only reads, as in mode plan.
	Aside bool
	// Prompt is what the person says; empty: the session goes on where it stopped.
	Prompt []core.Part
	// Cites are the uids of messages of the session that the prompt is about, see core.Message.Cites.
	Cites []string

	AgentName string
	System    string // the whole of the instruction before the conversation
	// Instructions are the files that System quotes; a run makes no use of them, see Sending.
	Instructions []Instruction
	ModelRef     string // PROVIDER/MODEL
	BaseURL      string // of the server that Model calls; empty: it calls none
	Model        Model
	Info         core.ModelInfo
	Effort       core.Effort
	Tools        []Tool
	// Renew returns the tools as they are now; asked before each step, as those of other programs may change. nil: Tools stay.
	Renew         func() []Tool
	Mode          core.Mode
	Budget        core.Budget
	WorkspacePath string // absolute

	// Notices are told as the run starts: what the person should know of how it was set up.
	Notices []string
	// Summary lets the model know of what came before by a short summary only. It is
	// also what is tried last where a provider refuses the conversation itself.
	Summary bool
	// TakeOver ends a run of the session whose owner is on another machine, where nobody can see whether it lives.
	TakeOver bool

	// Observe is told what happens, in order, by one goroutine at a time; it must not block for long. nil: nobody is.
	Observe func(Event)
	// Ask asks the person to permit a call. nil: nobody is there, what would be asked is refused.
	Ask func(ctx context.Context, q Question) (Answer, error)
	// Review lets the person see each answer before the run goes on. nil: it goes on.
	Review func(ctx context.Context, m core.Message) (Review, error)
	// Steer returns what the person has said meanwhile, and forgets it. nil: nothing.
	Steer func() []Said
}

// Said is what a person says to a run that goes on.
type Said struct {
	Parts []core.Part
	Cites []string // as Task.Cites
}

// Question asks a person to permit a call.
type Question struct {
	SessionID string
	RunID     string
	Call      core.ToolCall
	Access    core.Access
}

// Answer is a person's word on a Question.
type Answer struct {
	Decision core.Decision
	Scope    core.ApprovalScope
	// Wide lets the word hold for what Access.Prefixes name, rather than for this call alone.
	Wide   bool
	Reason string // of a refusal, for the model
}

// Review is a person's word on an answer of the model.
type Review struct {
	Quit  bool     // end the run; the session can be resumed
	Text  string   // said to the model before it goes on; empty: nothing
	Cites []string // of Text, as Task.Cites
}

// Result is how a run ended.
type Result struct {
	SessionID     string
	Run           core.Run
	Answer        string   // the last text the model said
	FilesModified []string // of the whole session, sorted
}

// Interrupt is the cause to cancel a run's context with, where that is not a person's own wish to stop.
type Interrupt struct{ Reason core.StopReason }

// Error names the reason.
func (i Interrupt) Error() string { return "stopped: " + string(i.Reason) }

// EventType says what an Event tells.
type EventType string

// The types of events.
const (
	EventStarted    EventType = "started"     // Run
	EventDelta      EventType = "delta"       // Delta, a piece of the answer
	EventRetry      EventType = "retry"       // Err, Text says when; what came of the answer so far is void
	EventMessage    EventType = "message"     // Message, written to the session
	EventQuestion   EventType = "question"    // Question, before Task.Ask is called
	EventAnswered   EventType = "answered"    // Question has its answer
	EventToolBegins EventType = "tool_begins" // Exec
	EventToolEnds   EventType = "tool_ends"   // Exec, with its result
	EventNotice     EventType = "notice"      // Text, something the person should know
	EventTotals     EventType = "totals"      // Run, after each step
	EventEnded      EventType = "ended"       // Run; Err where it failed
)

// Event is something that happened in a run.
type Event struct {
	Type      EventType
	SessionID string
	RunID     string
	Run       core.Run
	Delta     core.StreamEvent
	Message   *core.Message
	Question  *Question
	Exec      *core.ToolExec
	Text      string
	Err       error
}
