package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"time"

	"coppice/backend/core"
	"coppice/backend/engine"
	"coppice/backend/sqlite"
)

// measureStep measures the time that the engine itself needs for a step, without the model and the tool. It compares a
// long session with a short one, and with the four durable writes that a step with one tool call needs.
func measureStep(ctx context.Context, p plan, folder string) ([]row, error) {
	db, err := openLibrary(ctx, folder, "step")
	if err != nil {
		return nil, err
	}
	defer db.Close()
	long := p.size(10_000)
	inShort, endShort, err := stepper(ctx, db, 10)
	if err != nil {
		return nil, err
	}
	defer endShort()
	inLong, endLong, err := stepper(ctx, db, long)
	if err != nil {
		return nil, err
	}
	defer endLong()
	one, err := appender(ctx, db, 100)
	if err != nil {
		return nil, err
	}
	writes := &sample{run: func() error {
		return errors.Join(one.run(), one.run(), one.run(), one.run())
	}}
	if err := alternate(ctx, 300, inShort, inLong, writes); err != nil {
		return nil, err
	}
	return []row{
		compare(fmt.Sprintf("a step of the engine after %d messages", long), inLong, "after 10:", inShort, 1.5),
		compare(fmt.Sprintf("a step of the engine after %d messages", long), inLong, "four durable appends:", writes, 3),
	}, nil
}

// paced is a model that calls a tool each time it receives from goOn.
type paced struct {
	called  chan struct{} // the engine has called the model
	proceed chan struct{}
	n       int
}

func (m *paced) Stream(ctx context.Context, _ core.Request) iter.Seq2[core.StreamEvent, error] {
	return func(yield func(core.StreamEvent, error) bool) {
		m.called <- struct{}{}
		select {
		case <-m.proceed:
		case <-ctx.Done():
			yield(core.StreamEvent{Type: core.StreamAborted}, ctx.Err())
			return
		}
		m.n++
		call := core.Part{Type: core.PartToolCall, ID: fmt.Sprint("c", m.n), Name: "nothing", Arguments: json.RawMessage(fmt.Sprintf(`{"n":%d}`, m.n))}
		yield(core.StreamEvent{Type: core.StreamDone, Message: &core.Message{
			Parts: []core.Part{{Type: core.PartText, Text: "Next."}, call}, Usage: &core.Usage{InputTokens: 1000, OutputTokens: 20}, FinishReason: core.FinishToolCall,
		}}, nil)
	}
}

// nothing is a tool that does nothing.
type nothing struct{}

func (nothing) Spec() core.ToolSpec {
	return core.ToolSpec{Name: "nothing", Parameters: json.RawMessage(`{"type":"object"}`)}
}

func (nothing) Access(context.Context, json.RawMessage) (core.Access, error) {
	return core.Access{Effect: core.EffectWrite, Targets: []string{"nothing"}}, nil
}

func (nothing) Run(_ context.Context, call core.ToolCall) core.ToolResult {
	return core.TextResult("did " + string(call.Arguments))
}

// free is a price list in which nothing has a cost.
type free struct{}

func (free) Cost(string, string, core.Usage, int64) (int64, bool) { return 0, true }

// stepper returns a sample that takes one step in a run of a session of n messages.
func stepper(ctx context.Context, db *sqlite.DB, n int) (*sample, func(), error) {
	id, err := addChain(ctx, db, fmt.Sprintf("steps after %d", n), n)
	if err != nil {
		return nil, nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	model := &paced{called: make(chan struct{}), proceed: make(chan struct{})}
	e := engine.Engine{Store: db, Price: free{}, Now: func() int64 { return time.Now().UnixMilli() }, Owner: engine.Self()}
	ended := make(chan error, 1)
	go func() {
		_, err := e.Run(ctx, engine.Task{
			SessionID: id, Prompt: []core.Part{{Type: core.PartText, Text: "Go on."}}, Agent: core.Agent{Name: "build"}, ModelRef: "bench/paced", Model: model,
			Tools: []engine.Tool{nothing{}}, Mode: core.ModeYolo, WorkspacePath: filepath.Dir(db.FilePath()),
		})
		ended <- err
	}()
	end := func() { cancel(); <-ended }
	select {
	case <-model.called:
	case err := <-ended:
		cancel()
		return nil, nil, errors.Join(err, core.E(core.Internal, "the run ended before it began"))
	}
	return &sample{run: func() error {
		model.proceed <- struct{}{}
		select {
		case <-model.called:
			return nil
		case err := <-ended:
			ended <- err
			return errors.Join(err, core.E(core.Internal, "the run ended"))
		}
	}}, end, nil
}
