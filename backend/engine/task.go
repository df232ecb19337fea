package engine

import (
	"context"
	"encoding/json"

	"coppice/backend/core"
)

// Task describes what a run does, and with what.
type Task struct {
	// SessionID is the session to continue; empty: a new one, of this Name.
	SessionID string
	Name      string
	// From is the message to continue from; empty: the head. Root starts a new tree in the session, as an edited first
	// prompt does.
	From string
	Root bool
	// Aside lets the run work in parallel with others of the session: from From, which it needs, to a leaf of its own.
	// It never moves the head, and because the workspace is shared it only reads, as in mode plan.
	Aside bool
	// Prompt is the user's message; empty: the session continues where it stopped.
	Prompt []core.Part
	// Cites are the uids of messages of the session that the prompt is about, see core.Message.Cites.
	Cites []string

	Agent  core.Agent // with the limits that apply to the run
	System string     // the whole of the instruction before the conversation
	// Instructions are the files that System quotes; only Sending uses them.
	Instructions []Instruction
	ModelRef     string // PROVIDER/MODEL
	BaseURL      string // of the server that Model calls; empty: it calls none
	Model        Model
	Info         core.ModelInfo
	Effort       core.Effort
	Tools        []Tool
	// Renew returns the current tools; called before each step, because those of other programs may change. nil: Tools
	// stay.
	Renew   func() []Tool
	Servers []string // names of the MCP servers in use
	// Inactive are the tools of an imported session that the model is not offered; the run state lists them.
	Inactive []core.InactiveTool
	Mode     core.Mode
	Budget   core.Budget
	// NewSteps and NewTimeout mean that the user sets this limit for the run, so that what an interrupted run used of it does not count.
	NewSteps, NewTimeout bool
	// Context is when and how the context is compacted. The zero value never compacts.
	Context core.ContextPlan
	// Summarizer writes the summaries of core.CompactLLM; nil: Model.
	Summarizer    *Summarizer
	WorkspacePath string // absolute

	// Output is what the answer must be; nil: any text.
	Output *Output

	// Wake is why a hibernated session continues; nil: it was not woken.
	Wake *Wake
	// Team is the team that works on the task; nil: Agent works alone. Its agents replace Agent and what it runs with, turn by turn.
	Team *Team
	// Delegation lets an agent give jobs to its Delegates; nil: no agent does.
	Delegation *Delegation
	// Child is where a new session belongs to a job; nil: to no other session.
	Child *Child
	// HibernateAfterMs is how long the run waits for the user, at a question or a review, before it ends as hibernated; 0: as long
	// as it takes.
	HibernateAfterMs int64

	// Notices are reported when the run starts: what the user should know about its configuration.
	Notices []string
	// Compact compacts the context at the head and ends; Focus is what a summary by a model should keep. No answer is asked for.
	Compact bool
	Focus   string
	// Summary sends the model only a short summary of what came before. It is also tried last if a provider refuses the
	// conversation.
	Summary bool
	// ResumedFrom is what the task continues its session with; a run that falls back to a summary reports that instead.
	ResumedFrom core.ResumedFrom
	// TakeOver ends a run of the session whose owner is on another machine, where this process cannot check whether it
	// lives.
	TakeOver bool

	// Observe, if not nil, is called with the events in order, by one goroutine at a time; it must not block for long.
	Observe func(Event)
	// Ask asks the user to permit a call. nil: no user is available, and calls that need permission are refused.
	Ask func(ctx context.Context, q Question) (Answer, error)
	// Review lets the user see each answer before the run continues. nil: it continues.
	Review func(ctx context.Context, m core.Message) (Review, error)
	// Steer returns the messages that the user queued since the last call. nil: none.
	Steer func() []core.QueuedMessage
}

// Wake is why a hibernated session continues.
type Wake struct {
	ID     string // of the condition that holds, see core.Wake: it wakes the session once; empty: the session has none
	Reason string // for the user and the model, such as: notes.txt has changed
}

// Output is what the answer that ends a run must be.
type Output struct {
	Schema json.RawMessage // a JSON Schema, without spaces
	// Value returns the JSON value of an answer, or an error, for the model, if it does not satisfy the schema.
	Value func(answer string) (json.RawMessage, error)
}

// Question asks the user to permit a call.
type Question struct {
	SessionID string
	RunID     string
	Call      core.ToolCall
	Access    core.Access
	// Gate means that a team asks whether work is handed over: Access.Title is the question, and no call is permitted.
	Gate bool
}

// Answer is the user's answer to a Question.
type Answer struct {
	Decision core.Decision
	Scope    core.ApprovalScope
	// Wide applies the answer to everything that Access.Prefixes name, rather than to this call alone.
	Wide   bool
	Reason string // of a refusal, for the model
}

// Review is the user's decision on an answer of the model.
type Review struct {
	Quit  bool     // end the run; the session can be resumed
	Text  string   // sent to the model before it continues; empty: nothing
	Cites []string // of Text, as Task.Cites
}

// Result is how a run ended.
type Result struct {
	SessionID string
	Run       core.Run
	Answer    string // the last text of the model
	// Output is the JSON value of an answer that satisfies Task.Output; nil otherwise.
	Output        json.RawMessage
	FilesModified []string // of the whole session, sorted
	// Refused are the calls of this run that were not executed because no user was available to approve them, in order.
	Refused []Refusal
	// ResumedFrom is what the run continued the session with; empty: a new session.
	ResumedFrom core.ResumedFrom
}

// Refusal is a call that was not executed because no user was available to approve it.
type Refusal struct {
	Tool  string `json:"tool"`
	Title string `json:"title"` // what it would have done
}

// Interrupt is the cause to cancel a run's context with when the reason is not a request of the user.
type Interrupt struct{ Reason core.StopReason }

// Error returns the reason.
func (i Interrupt) Error() string { return "stopped: " + string(i.Reason) }

// EventType is the type of an Event.
type EventType string

// The types of events.
const (
	EventStarted    EventType = "started"     // Run
	EventDelta      EventType = "delta"       // Delta, a piece of the answer
	EventRetry      EventType = "retry"       // Err, Text with the delay; the answer so far is void
	EventMessage    EventType = "message"     // Message, written to the session
	EventQuestion   EventType = "question"    // Question, before Task.Ask is called
	EventAnswered   EventType = "answered"    // Question has been answered
	EventToolBegins EventType = "tool_begins" // Exec
	EventToolEnds   EventType = "tool_ends"   // Exec, with its result
	EventNotice     EventType = "notice"      // Text, a notice for the user
	EventTurn       EventType = "turn"        // Agents of a team begin their turns; Text describes that
	EventTotals     EventType = "totals"      // Run, after each step
	EventEnded      EventType = "ended"       // Run; Err if it failed
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
	Agents    []string
	Err       error
	// ContextTokens is the size of the context at the last step, WindowTokens that of the model's window; 0: unknown.
	ContextTokens, WindowTokens int64
}
