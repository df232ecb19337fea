package archive

import (
	"context"

	"coppice/backend/core"
	"coppice/backend/jsontext"
)

// runItems passes what runs left to write, as JSON on one line.
func (e *exporter) runItems(ctx context.Context, sel *selection, contents hashes, write func(kind runKind, line string)) error {
	if sel.runs == nil {
		return nil
	}
	r := runWriter{exporter: e, session: &sel.session, contents: contents, states: map[string]string{}, wrote: map[string]bool{}}
	for item, err := range sel.runs {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		line, err := r.encode(ctx, &item)
		if err != nil {
			return err
		}
		if line == nil {
			continue
		}
		write(kindOf(&item), string(line))
		if e.out.err != nil {
			return e.out.err
		}
	}
	return nil
}

// runWriter encodes the run items of a session.
type runWriter struct {
	*exporter
	session  *core.Session
	contents hashes
	states   map[string]string // the hashes of states as they are written, by those in the library
	wrote    map[string]bool   // the hashes of states that were written: two may be the same after a redaction
}

func (r *runWriter) encode(ctx context.Context, i *core.RunItem) ([]byte, error) {
	switch {
	case i.State != nil:
		return r.state(i.State)
	case i.Run != nil:
		return r.run(i.Run)
	case i.Request != nil:
		q := i.Request
		return r.line(requestLine{q.RunID, q.ParentUID, q.MessageUID, r.states[q.StateHash], q.RequestHash, q.SentAtMs, q.Redacted || r.opts.Redactor != nil}, q.Extra)
	case i.Approval != nil:
		a := i.Approval
		return r.line(approvalLine{a.ID, a.Scope, a.Tool, a.Matcher, a.Decision, a.Reason, a.CreatedAtMs}, a.Extra)
	case i.Exec != nil:
		return r.exec(ctx, i.Exec)
	case i.Change != nil:
		return r.change(ctx, i.Change)
	case i.Wake != nil:
		w := i.Wake
		return r.line(wakeLine{w.ID, w.Kind, w.AtMs, w.Path, w.AwaitedID, w.Detail, w.CreatedAtMs}, nil)
	case i.Copied != nil:
		c := i.Copied
		return r.line(copiedLine{c.MessageUID, r.states[c.StateHash]}, c.Extra)
	case i.Restore != nil:
		s := i.Restore
		return r.line(restoreLine{s.MessageUID, r.states[s.StateHash], s.RunID, s.FormerUID, r.states[s.FormerStateHash], s.Undone, s.CreatedAtMs}, s.Extra)
	case i.Queued != nil:
		q := i.Queued
		return r.line(queuedLine{q.UID, q.RunID, q.Parts, q.Cites, q.CreatedAtMs}, q.Extra)
	case i.Checkpoint != nil:
		c := i.Checkpoint
		return r.line(checkpointLine{c.MessageUID, c.Name, r.states[c.StateHash], c.CreatedAtMs}, c.Extra)
	default:
		d := i.Draft
		return r.line(draftLine{d.RunID, d.ParentUID, d.Message, d.UpdatedAtMs}, nil)
	}
}

// line returns an item with the fields of a newer version.
func (r *runWriter) line(v any, extra core.Extra) ([]byte, error) {
	data, err := jsontext.EncodeObject(v, extra)
	return r.finish(data), err
}

// finish returns JSON as it is written.
func (r *runWriter) finish(data []byte) []byte {
	data = mend(data)
	if r.opts.Redactor != nil {
		data = r.opts.Redactor.JSON(data)
	}
	return data
}

// state writes a state byte by byte, or nothing if it was written. What refers to it has the hash of what is written, which differs from that in the library if
// something was replaced.
func (r *runWriter) state(s *core.StateItem) ([]byte, error) {
	data := r.finish(s.JSON)
	hash := core.Hash(data)
	r.states[s.Hash] = hash
	if r.wrote[hash] {
		return nil, nil
	}
	r.wrote[hash] = true
	return []byte(`{"hash":"` + hash + `","state":` + string(data) + `}`), nil
}

// run writes an active run as if its process had ended: another library cannot continue it.
func (r *runWriter) run(n *core.RunEntry) ([]byte, error) {
	status, reason, endedAtMs := n.Status, n.StopReason, n.EndedAtMs
	if status == core.StatusRunning {
		status, reason, endedAtMs = core.StatusInterrupted, core.StopTerminated, max(n.StartedAtMs, r.session.UpdatedAtMs)
	}
	return r.line(runLine{
		ID: n.ID, Lane: n.Lane, Agent: n.Agent, Model: n.Model, BaseURL: n.BaseURL, Mode: n.Mode, WorkspacePath: n.WorkspacePath, Budget: n.BudgetJSON,
		StateHash: r.states[n.StateHash], Status: status, StopReason: reason, Error: n.Error, StepCount: n.StepCount, InputTokens: n.InputTokens,
		OutputTokens: n.OutputTokens, CostNanoUSD: n.CostNanoUSD, UnpricedSteps: n.UnpricedSteps, UsedSteps: n.UsedSteps, UsedMs: n.UsedMs, StartedAtMs: n.StartedAtMs, EndedAtMs: endedAtMs,
	}, n.Extra)
}

// exec writes the execution of a tool call, with its result if no message has it yet.
func (r *runWriter) exec(ctx context.Context, x *core.ExecEntry) ([]byte, error) {
	line := execLine{
		RunID: x.RunID, MessageUID: x.MessageUID, Position: x.Position, CallID: x.CallID, Name: x.Name, State: x.State, Idempotent: x.Idempotent,
		StartedAtMs: x.StartedAtMs, EndedAtMs: x.EndedAtMs,
	}
	if x.Result != nil {
		m := core.Message{Parts: []core.Part{*x.Result}}
		if err := r.hydrate(ctx, &m); err != nil {
			return nil, err
		}
		if err := r.note(ctx, r.contents, m.Parts); err != nil {
			return nil, err
		}
		line.Result = &m.Parts[0]
	}
	return r.line(line, x.Extra)
}

// change writes a change of a file, and records the contents before and after it.
func (r *runWriter) change(ctx context.Context, c *core.ChangeEntry) ([]byte, error) {
	line := changeLine{MessageUID: c.MessageUID, CallID: c.CallID, Path: c.Path, Mode: c.Mode, CreatedAtMs: c.CreatedAtMs}
	for _, content := range []struct {
		inLibrary string
		as        *string
	}{{c.BeforeHash, &line.BeforeHash}, {c.AfterHash, &line.AfterHash}} {
		if content.inLibrary == "" {
			continue
		}
		as, err := r.written(ctx, r.contents, content.inLibrary)
		if err != nil {
			return nil, err
		}
		*content.as = as.hash
	}
	return r.line(line, c.Extra)
}
