// Package engine runs sessions: it calls a model, runs the tools that the model calls, asks the user for permission if
// it is needed, and stores each step before it takes the next. It is the only writer of runs.
//
// A run may die at any moment without loss: the answer of a model is on disk before the first of its tool calls begins,
// the begin of a call is on disk before the call does anything, and its result before the next call. A later run
// continues where the earlier one stopped.
package engine

import (
	"context"
	"encoding/json"
	"iter"

	"coppice/backend/core"
)

// Model is one model of one provider.
type Model interface {
	// Stream calls the model. It yields pieces and then exactly one last event: core.StreamDone with no error, or
	// core.StreamAborted with the error. An answer without its protocol's own end is an error of code TruncatedStream.
	// Breaking out of the loop, or cancelling ctx, ends the call. Stream retries only before the first byte of an
	// answer.
	Stream(ctx context.Context, r core.Request) iter.Seq2[core.StreamEvent, error]
}

// Tool is something that a model can call.
type Tool interface {
	Spec() core.ToolSpec
	// Access returns what a call would touch. Arguments that do not match the schema are an Invalid error, whose
	// message is for the model.
	Access(ctx context.Context, arguments json.RawMessage) (core.Access, error)
	// Run runs a permitted call. Errors are in the result, for the model. A cancelled ctx ends it soon, with the result
	// so far.
	Run(ctx context.Context, call core.ToolCall) core.ToolResult
}

// Price returns what a step cost in billionths of a US dollar.
type Price interface {
	// Cost returns false if the model is unknown. atMs selects among dated prices.
	Cost(provider, model string, usage core.Usage, atMs int64) (nanoUSD int64, known bool)
}

// Engine runs sessions. It has no state of its own: several runs may be active at once, in different sessions or aside
// in one, see Task.Aside.
type Engine struct {
	Store Store
	Price Price
	Now   func() int64 // Unix milliseconds; called concurrently by parallel calls
	Owner core.Owner   // this process, see Self
}

// Store writes what a run does. Each of its writes, except for drafts, is on disk when it returns, and continues when
// ctx is cancelled.
type Store interface {
	CreateSession(ctx context.Context, s core.Session) (core.Session, error)
	Session(ctx context.Context, ref string) (core.Session, error)
	MoveHead(ctx context.Context, sessionID, uid string) (core.Session, error)
	// Conversation returns the path to a message, or to the head if uid is empty, with whole texts and the bytes of
	// media.
	Conversation(ctx context.Context, sessionID, uid string) ([]core.Message, error)
	// ContextPath returns the end of the same path that a context is derived from: from the first message that its newest compaction keeps.
	ContextPath(ctx context.Context, sessionID, uid string) ([]core.Message, error)
	// AgentPath returns the end of the same path that the context of an agent of a team is derived from: from the first message that its
	// newest compaction keeps, or from the message since if that is before.
	AgentPath(ctx context.Context, sessionID, uid, agent, since string) ([]core.Message, error)
	// PathSince returns the end of the same path that begins with a message; if it is not on the path, the whole path.
	PathSince(ctx context.Context, sessionID, uid, since string) ([]core.Message, error)
	// ReadableConversation returns the same path; a damaged message has no parts there.
	ReadableConversation(ctx context.Context, sessionID, uid string) ([]core.Message, error)
	// ResultsOf returns the message that has the last results of an answer's calls; empty: none has.
	ResultsOf(ctx context.Context, sessionID, uid string) (string, error)

	// StartRun begins a run and returns it with its lane: 0 if a session has one run at a time, otherwise the first
	// free one.
	StartRun(ctx context.Context, run core.Run) (core.Run, error)
	EndRun(ctx context.Context, runID string, status core.Status, reason core.StopReason, why string) error
	// TouchRun records that a run is alive, so that the time of one whose process ends is known.
	TouchRun(ctx context.Context, runID string) error
	// EndDeadRun ends a run whose process has ended as interrupted, at the time of the last thing that it wrote.
	EndDeadRun(ctx context.Context, runID, why string) error
	// LastRunAt returns the run whose last message is this one, or the head if uid is empty; ok is false if no run's is.
	LastRunAt(ctx context.Context, sessionID, uid string) (run core.Run, ok bool, err error)
	// RunsAside returns the runs beside the main one that sent a request after a message, in the order in which they began.
	RunsAside(ctx context.Context, sessionID, uid string) ([]core.RunAside, error)
	RunningRuns(ctx context.Context) ([]core.Run, error)
	Runs(ctx context.Context, sessionID string) ([]core.Run, error)
	// JobRuns returns the runs of the sessions that calls of a session have started.
	JobRuns(ctx context.Context, sessionID string) ([]core.Run, error)

	// TakeStop reports whether the end of the job in a session was requested, and removes the request.
	TakeStop(ctx context.Context, sessionID string) (bool, error)

	// Queued returns the messages of the user that ended runs of a session did not take; AppendInput under their UID takes one.
	Queued(ctx context.Context, sessionID string) ([]core.QueuedMessage, error)
	// BeginRequest records a request before it is sent.
	BeginRequest(ctx context.Context, q core.SentRequest) error
	// RequestOf returns the request that a message answers; ok is false if none is recorded.
	RequestOf(ctx context.Context, sessionID, messageUID string) (q core.SentRequest, ok bool, err error)
	AppendInput(ctx context.Context, runID string, m core.Message) (core.Message, error)
	AppendStep(ctx context.Context, runID string, m core.Message, calls []core.ToolExec) (core.Message, error)
	AppendResults(ctx context.Context, runID string, m core.Message) (core.Message, error)

	BeginExec(ctx context.Context, e core.ToolExec) error
	EndExec(ctx context.Context, e core.ToolExec) error
	Execs(ctx context.Context, sessionID, messageUID string) ([]core.ToolExec, error)
	// FileChanges returns what the calls of a message did to files.
	FileChanges(ctx context.Context, sessionID, messageUID string) ([]core.FileChange, error)

	PutDraft(ctx context.Context, d core.Draft) error
	// Drafts returns the drafts of the runs of a session that have ended; KeepDraft turns one into a message.
	Drafts(ctx context.Context, sessionID string) ([]core.Draft, error)
	KeepDraft(ctx context.Context, runID string, m core.Message) error
	DropDraft(ctx context.Context, runID string) error

	Approvals(ctx context.Context, sessionID, workspacePath string) ([]core.Approval, error)
	Approve(ctx context.Context, a core.Approval) error
}
