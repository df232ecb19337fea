package engine

import (
	"context"

	"coppice/backend/core"
)

const (
	notExecuted = "[not executed] the work was stopped before this call"
	interrupted = "[interrupted] the program ended while this call ran; it may have been executed in part. Look before you run it again"
	stopped     = "[interrupted] the call was stopped; it may have been executed in part"
)

// recover finishes what a run that died left at the head, and returns the path to it: what had come of an answer
// becomes a message that is shown and never sent; calls get the result that is known of them.
func (r *run) recover(ctx context.Context) ([]core.Message, error) {
	path, err := r.Store.Conversation(ctx, r.row.SessionID, "")
	if err != nil {
		return nil, err
	}
	if len(path) > 0 {
		r.head = path[len(path)-1].UID
	}
	kept, err := r.keepDraft(ctx)
	if err != nil {
		return nil, err
	}
	if kept != nil {
		return append(path, *kept), nil
	}
	if len(path) == 0 {
		return path, nil
	}
	last := path[len(path)-1]
	calls := callsOf(&last)
	if len(calls) == 0 {
		return path, nil
	}
	results, err := r.leftOver(ctx, &last, calls)
	if err != nil || results == nil {
		return path, err
	}
	written, err := r.Store.AppendResults(ctx, r.row.ID, *results)
	if err != nil {
		return nil, err
	}
	r.wrote(&written)
	results.UID = written.UID
	return append(path, *results), nil
}

// keepDraft makes a message of an answer that was never finished.
func (r *run) keepDraft(ctx context.Context) (*core.Message, error) {
	draft, ok, err := r.Store.Draft(ctx, r.row.SessionID)
	if err != nil || !ok {
		return nil, err
	}
	if draft.ParentUID != r.head || len(draft.Message.Parts) == 0 {
		return nil, r.Store.DropDraft(ctx, r.row.SessionID)
	}
	m := draft.Message
	m.ParentUID, m.Role, m.FinishReason, m.Error = r.head, core.RoleAssistant, core.FinishAborted, "the program ended while this was being written"
	written, err := r.Store.AppendStep(ctx, r.row.ID, m, nil)
	if err != nil {
		return nil, err
	}
	r.wrote(&written)
	return &written, nil
}

// leftOver is the tool message to calls that a run began and did not end; nil where no run of ours ever had them, or where their results are elsewhere in the tree.
//
// A call that never began is run now, and so is one that may be run twice; of any other it is said that nobody knows. Where the
// person says something new, nothing is run.
func (r *run) leftOver(ctx context.Context, m *core.Message, calls []core.Part) (*core.Message, error) {
	execs, err := r.Store.Execs(ctx, r.row.SessionID, m.UID)
	if err != nil || len(execs) != len(calls) {
		return nil, err
	}
	results := core.Message{ParentUID: m.UID, Role: core.RoleTool, Kind: core.KindMessage, Agent: r.row.Agent, CreatedAtMs: r.Now()}
	again := len(r.task.Prompt) == 0 && r.task.From == "" && !r.task.Root
	for i := range execs {
		e := &execs[i]
		if e.State != core.ExecPending && e.State != core.ExecRunning && e.Result == nil {
			return nil, nil //nolint:nilnil // a tool message holds it already
		}
		switch {
		case e.Result != nil:
		case again && (e.State == core.ExecPending || e.Idempotent):
			if err := r.execute(ctx, e, calls[i], false); err != nil {
				return nil, err
			}
		case e.State == core.ExecPending:
			err = r.settle(ctx, e, calls[i], core.ExecInterrupted, core.ErrorResult(notExecuted))
		default:
			r.tell(Event{Type: EventNotice, Text: "nobody knows how far " + e.Name + " came when the program ended; it is not run again"})
			err = r.settle(ctx, e, calls[i], core.ExecInterrupted, core.ErrorResult(interrupted))
		}
		if err != nil {
			return nil, err
		}
		results.Parts = append(results.Parts, *e.Result)
	}
	return &results, nil
}
