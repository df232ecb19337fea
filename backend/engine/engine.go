// Package engine lets a session grow: it calls a model, runs the tools the model asks for, asks a person
// where that is needed, and writes each step down before it takes the next. It is the only writer of runs.
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
