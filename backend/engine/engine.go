// Package engine lets a session grow: it calls a model, runs the tools the model asks for, asks a person
// where that is needed, and writes each step down before it takes the next. It is the only writer of runs.
//
// What is written, and when, is chosen so that a run may die at any moment: the answer of a model is on the disk
// before the first of its tool calls begins, that a call begins is on the disk before it does anything, and its result before the
// next one. A later run reads where the former one stopped and goes on from there.
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
	// core.StreamAborted with the error. An answer that ends without its protocol's own end is an error of code
	// TruncatedStream. To break out of the loop, or to cancel ctx, ends the call. Stream tries
	// again by itself only before the first byte of an answer.
	Stream(ctx context.Context, r core.Request) iter.Seq2[core.StreamEvent, error]
}

// Tool is something a model can call.
type Tool interface {
	Spec() core.ToolSpec
	// Access says what a call would touch. Arguments that do not fit the schema are an Invalid error, whose
	// message is for the model.
	Access(ctx context.Context, arguments json.RawMessage) (core.Access, error)
	// Run runs a permitted call. What goes wrong is in the result, for the model. A cancelled ctx
	// ends it soon, with what it has.
	Run(ctx context.Context, call core.ToolCall) core.ToolResult
}

// Price tells what a step cost in billionths of a US dollar.
type Price interface {
	// Cost returns false where the model is not known. atMs chooses among dated prices.
	Cost(provider, model string, usage core.Usage, atMs int64) (nanoUSD int64, known bool)
}

// Engine runs sessions. It has no state of its own: several runs may go on at once, in sessions of their own or aside in one,
// see Task.Aside.
type Engine struct {
	Store Store
	Price Price
	Now   func() int64 // Unix milliseconds; calls that run together ask at once
	Owner core.Owner   // this process, see Self
}

// Store keeps what a run does. Each of its writes is on the disk when it returns, but for drafts, and is not given up where ctx is cancelled.
type Store interface {
	CreateSession(ctx context.Context, s core.Session) (core.Session, error)
	Session(ctx context.Context, ref string) (core.Session, error)
	MoveHead(ctx context.Context, sessionID, uid string) (core.Session, error)
	// Conversation returns the path to a message, the head where uid is empty, with whole texts and the bytes of media.
	Conversation(ctx context.Context, sessionID, uid string) ([]core.Message, error)

	// StartRun begins a run and returns it with its lane: 0, where a session has one run at a time, or else the first free one.
	StartRun(ctx context.Context, run core.Run) (core.Run, error)
	EndRun(ctx context.Context, runID string, status core.Status, reason core.StopReason, why string) error
	RunningRuns(ctx context.Context) ([]core.Run, error)
	Runs(ctx context.Context, sessionID string) ([]core.Run, error)

	AppendInput(ctx context.Context, runID string, m core.Message) (core.Message, error)
	AppendStep(ctx context.Context, runID string, m core.Message, calls []core.ToolExec) (core.Message, error)
	AppendResults(ctx context.Context, runID string, m core.Message) (core.Message, error)

	BeginExec(ctx context.Context, e core.ToolExec) error
	EndExec(ctx context.Context, e core.ToolExec) error
	Execs(ctx context.Context, sessionID, messageUID string) ([]core.ToolExec, error)

	PutDraft(ctx context.Context, d core.Draft) error
	// Drafts returns those of the runs of a session that have ended; KeepDraft makes a message of one.
	Drafts(ctx context.Context, sessionID string) ([]core.Draft, error)
	KeepDraft(ctx context.Context, runID string, m core.Message) error
	DropDraft(ctx context.Context, runID string) error

	Approvals(ctx context.Context, sessionID, workspacePath string) ([]core.Approval, error)
	Approve(ctx context.Context, a core.Approval) error
}
