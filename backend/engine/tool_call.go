package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"coppice/backend/core"
)

// parallelCalls is how many read-only calls run at once.
const parallelCalls = 4

// work runs the calls of an answer and writes the tool message: read-only calls in parallel, the others alone and in
// order. If the run must stop, it begins no further call and returns the cause.
func (r *run) work(ctx context.Context, answer *core.Message, calls []core.Part) error {
	execs := make([]core.ToolExec, len(calls))
	for i, call := range calls {
		execs[i] = core.ToolExec{RunID: r.row.ID, MessageUID: answer.UID, Position: int64(i), CallID: call.ID, Name: call.Name, State: core.ExecPending}
	}
	var stop error
	for i := 0; i < len(calls); {
		n := r.together(ctx, calls[i:])
		if err := r.group(ctx, execs[i:i+n], calls[i:i+n], stop != nil); isStop(err) {
			stop = err
		} else if err != nil {
			return err
		}
		if isHibernation(stop) {
			return stop // what is pending begins when the session wakes, as after the end of the process
		}
		i += n
	}
	results := core.Message{ParentUID: answer.UID, Role: core.RoleTool, Kind: core.KindMessage, Agent: r.row.Agent, CreatedAtMs: r.Now()}
	for i := range execs {
		results.Parts = append(results.Parts, *execs[i].Result)
	}
	written, err := r.Store.AppendResults(ctx, r.row.ID, results)
	if err != nil {
		return err
	}
	r.advance(&written)
	results.UID = written.UID
	r.context = append(r.context, results)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return stop
}

// together returns how many of the next calls may run in parallel.
func (r *run) together(ctx context.Context, calls []core.Part) int {
	n := 0
	for n < len(calls) && n < parallelCalls && r.reads(ctx, calls[n]) {
		n++
	}
	return max(n, 1)
}

// reads reports whether a call only reads and needs no permission, so that it may run in parallel with others.
func (r *run) reads(ctx context.Context, call core.Part) bool {
	tool, ok := r.tools[call.Name]
	if !ok || call.Arguments == nil {
		return false
	}
	a, err := tool.Access(ctx, call.Arguments)
	return err == nil && a.Effect == core.EffectRead && judge(r.task.Mode, call.Name, &a, r.approvals).decision == core.DecisionAllow
}

// group runs calls in parallel. late is true if the run stops, so that no call begins.
func (r *run) group(ctx context.Context, execs []core.ToolExec, calls []core.Part, late bool) error {
	if len(calls) == 1 {
		return r.execute(ctx, &execs[0], calls[0], late)
	}
	errs := make([]error, len(calls))
	var wait sync.WaitGroup
	for i := range calls {
		wait.Go(func() { errs[i] = r.execute(ctx, &execs[i], calls[i], late) })
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil && !isStop(err) {
			return err
		}
	}
	return errors.Join(errs...)
}

// execute runs one call: it asks for permission if that is needed, records that the call begins, runs it and stores its
// result. Afterwards e.Result is set unless the store returned an error.
func (r *run) execute(ctx context.Context, e *core.ToolExec, part core.Part, late bool) error {
	if late || ctx.Err() != nil {
		if err := r.settle(ctx, e, part, core.ExecInterrupted, core.ErrorResult(notExecuted)); err != nil {
			return err
		}
		return context.Cause(ctx)
	}
	tool, access, refusal := r.look(ctx, part)
	if refusal != nil {
		return r.settle(ctx, e, part, core.ExecDone, *refusal)
	}
	call := core.ToolCall{SessionID: r.row.SessionID, MessageUID: e.MessageUID, ID: part.ID, Name: part.Name, Arguments: part.Arguments}
	allowed, reason, err := r.permit(ctx, &call, &access)
	if isHibernation(err) {
		return err
	}
	if isStop(err) {
		return errors.Join(err, r.settle(ctx, e, part, core.ExecInterrupted, core.ErrorResult(notExecuted)))
	} else if err != nil {
		return err
	}
	if !allowed {
		return r.settle(ctx, e, part, core.ExecDenied, denied(reason))
	}
	e.RunID, e.State, e.Idempotent, e.StartedAtMs = r.row.ID, core.ExecRunning, access.Idempotent, r.Now()
	if err := r.Store.BeginExec(ctx, *e); err != nil {
		return err
	}
	r.emit(Event{Type: EventToolBegins, Exec: e})
	result := protect(ctx, tool, call)
	state := core.ExecDone
	if ctx.Err() != nil && result.IsError {
		state = core.ExecInterrupted
		result.Parts = append([]core.Part{{Type: core.PartText, Text: stopped}}, result.Parts...)
	}
	if err := r.settle(ctx, e, part, state, result); err != nil {
		return err
	}
	return context.Cause(ctx)
}

// look finds the tool of a call and what it would touch; refusal is the result of a call that cannot run.
func (r *run) look(ctx context.Context, part core.Part) (tool Tool, access core.Access, refusal *core.ToolResult) {
	refuse := func(format string, args ...any) (Tool, core.Access, *core.ToolResult) {
		result := core.ErrorResult(fmt.Sprintf(format, args...))
		return nil, core.Access{}, &result
	}
	tool, ok := r.tools[part.Name]
	if !ok {
		return refuse("there is no tool %q; %s", part.Name, r.toolNames())
	}
	if part.Arguments == nil {
		return refuse("the arguments are not a JSON object: %s", core.Cut(part.Text, 200))
	}
	access, err := tool.Access(ctx, part.Arguments)
	if err != nil {
		return refuse("%s", err.Error())
	}
	return tool, access, nil
}

// listedTools is the most tools that the answer to a call of an unknown tool lists.
const listedTools = 100

// toolNames lists the tools that the model has, for the answer to a call of another one.
func (r *run) toolNames() string {
	if len(r.specs) == 0 {
		return "you have no tools"
	}
	var names []string
	for _, spec := range r.specs[:min(len(r.specs), listedTools)] {
		names = append(names, spec.Name)
	}
	list := "your tools are " + strings.Join(names, ", ")
	if more := len(r.specs) - len(names); more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return list
}

func denied(reason string) core.ToolResult {
	text := "Permission denied. Do not try the same thing in another way."
	if reason != "" {
		text = "Permission denied: " + reason
	}
	return core.ErrorResult(text)
}

// protect runs a tool; if the tool panics the call fails, and the run continues.
func protect(ctx context.Context, tool Tool, call core.ToolCall) (result core.ToolResult) {
	defer func() {
		if broken := recover(); broken != nil {
			result = core.ErrorResult(fmt.Sprintf("the tool failed because of a defect in it: %v", broken))
		}
	}()
	return tool.Run(ctx, call)
}

// settle stores the result of a call.
func (r *run) settle(ctx context.Context, e *core.ToolExec, part core.Part, state core.ExecState, result core.ToolResult) error {
	e.RunID, e.State, e.EndedAtMs, e.Changes, e.Blobs = r.row.ID, state, r.Now(), result.Changes, result.Blobs
	answer := resultPart(part, result)
	if e.StartedAtMs > 0 {
		answer.DurationMs = e.EndedAtMs - e.StartedAtMs
	}
	parts := []core.Part{answer}
	core.Compact(parts)
	e.Result = &parts[0]
	if err := r.Store.EndExec(ctx, *e); err != nil {
		return err
	}
	r.emit(Event{Type: EventToolEnds, Exec: e})
	return nil
}
