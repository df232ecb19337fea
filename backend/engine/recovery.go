package engine

import (
	"context"

	"coppice/backend/core"
)

const (
	notExecuted = "[not executed] the work was stopped before this call"
	interrupted = "[interrupted] the program ended while this call ran; it may have been executed in part. Check its effects before you run it again"
	stopped     = "[interrupted] the call was stopped; it may have been executed in part"
)

// recover finishes what dead runs left, and returns the path that the task continues: the beginning of an answer
// becomes a message that is shown and never sent; calls get the result that is known. A run aside does not move the
// head, where another run may be active.
func (r *run) recover(ctx context.Context) ([]core.Message, error) {
	if err := r.keepDrafts(ctx, r.row.SessionID); err != nil {
		return nil, err
	}
	if r.row.Lane > 0 {
		return r.finish(ctx, r.task.From, len(r.task.Prompt) == 0)
	}
	stays := r.task.From == "" && !r.task.Root
	path, err := r.finish(ctx, "", stays && len(r.task.Prompt) == 0)
	switch {
	case err != nil, r.task.From != "" && len(path) > 0 && path[len(path)-1].UID == r.task.From:
		return path, err
	case r.task.Root:
		return nil, nil
	case stays:
		return path, nil
	}
	if _, err := r.Store.MoveHead(ctx, r.row.SessionID, r.task.From); err != nil {
		return nil, err
	}
	return r.finish(ctx, r.task.From, len(r.task.Prompt) == 0)
}

// keepDrafts turns the drafts of a session's ended runs into messages.
func (e *Engine) keepDrafts(ctx context.Context, sessionID string) error {
	drafts, err := e.Store.Drafts(ctx, sessionID)
	if err != nil {
		return err
	}
	for i := range drafts {
		d := &drafts[i]
		switch {
		case d.Message.Kind == core.KindMeta: // of a summary, see flushSummary
			m := d.Message
			m.UID, m.ParentUID = core.NewID(m.CreatedAtMs), d.ParentUID
			err = e.Store.KeepDraft(ctx, d.RunID, m)
		case len(d.Message.Parts) == 0:
			err = e.Store.DropDraft(ctx, d.RunID)
		default:
			m := d.Message
			m.UID, m.ParentUID, m.Role, m.FinishReason = core.NewID(m.CreatedAtMs), d.ParentUID, core.RoleAssistant, core.FinishAborted
			m.Error = "the program ended while this was being written"
			err = e.Store.KeepDraft(ctx, d.RunID, m)
		}
		if core.CodeOf(err) == core.NotFound { // its parent was removed
			err = e.Store.DropDraft(ctx, d.RunID)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// finish reads the path to a message, or to the head if uid is empty, as far as its context is derived from it, and adds the missing
// results of the calls at its end; again lets it run those that never began or may run twice.
func (r *run) finish(ctx context.Context, uid string, again bool) ([]core.Message, error) {
	read := r.Store.ContextPath
	if r.task.Summary {
		read = r.Store.Conversation // the summary is of all of it
	}
	path, err := read(ctx, r.row.SessionID, uid)
	if err != nil || len(path) == 0 {
		return path, err
	}
	last := path[len(path)-1]
	r.head = last.UID
	calls := ownCalls(&last)
	if len(calls) == 0 {
		return path, nil
	}
	results, err := r.leftOver(ctx, &last, calls, again)
	if err != nil {
		return path, err
	}
	if results == nil {
		path, err = r.withResults(ctx, r.row.SessionID, path)
		r.head = path[len(path)-1].UID
		return path, err
	}
	written, err := r.Store.AppendResults(ctx, r.row.ID, *results)
	if err != nil {
		return nil, err
	}
	r.advance(&written)
	results.UID = written.UID
	return append(path, *results), nil
}

// withResults returns the path to the results of the calls of its last message, if the tree has them: the user has gone back to an answer
// whose calls were executed, and the model must not be sent it without what they did.
func (e *Engine) withResults(ctx context.Context, sessionID string, path []core.Message) ([]core.Message, error) {
	if len(path) == 0 || len(ownCalls(&path[len(path)-1])) == 0 {
		return path, nil
	}
	uid, err := e.Store.ResultsOf(ctx, sessionID, path[len(path)-1].UID)
	if err != nil || uid == "" {
		return path, err
	}
	return e.Store.Conversation(ctx, sessionID, uid)
}

// readable returns the path that the task continues without the contents of damaged messages, and lets the model be sent a summary of
// it.
func (r *run) readable(ctx context.Context) ([]core.Message, error) {
	if r.task.Root {
		return nil, nil
	}
	r.task.Summary = true
	r.emit(Event{Type: EventNotice, Text: "messages of the conversation are damaged: the session continues with a summary of the others"})
	return r.Store.ReadableConversation(ctx, r.row.SessionID, r.task.From)
}

// leftOver returns the tool message for calls that a run began and did not end; nil if no run of ours had them, or if
// their results are elsewhere in the tree.
//
// If again is set, a call that never began runs now, and so does one that may run twice; the result of any other call
// is that its outcome is unknown. A call that an archive brought is not run: the model may call it again. The error is
// Conflict if an active run works on them.
func (r *run) leftOver(ctx context.Context, m *core.Message, calls []core.Part, again bool) (*core.Message, error) {
	execs, err := r.Store.Execs(ctx, r.row.SessionID, m.UID)
	if err != nil || len(execs) != len(calls) {
		return nil, err
	}
	results := core.Message{ParentUID: m.UID, Role: core.RoleTool, Kind: core.KindMessage, Agent: r.row.Agent, CreatedAtMs: r.Now()}
	for i := range execs {
		e := &execs[i]
		if r.others[e.RunID] && (e.State == core.ExecPending || e.State == core.ExecRunning || e.Result != nil) {
			return nil, core.E(core.Conflict, "another run of session %s is at work on %s", r.row.SessionID, e.Name).WithHint("wait until it ends, or stop it")
		}
		if e.State != core.ExecPending && e.State != core.ExecRunning && e.Result == nil {
			return nil, nil // a tool message holds it already
		}
		switch {
		case e.Result != nil:
		case again && !e.Imported && (e.State == core.ExecPending || e.Idempotent):
			if err := r.execute(ctx, e, calls[i], false); err != nil {
				return nil, err
			}
		case e.State == core.ExecPending:
			err = r.settle(ctx, e, calls[i], core.ExecInterrupted, core.ErrorResult(notExecuted))
		default:
			r.emit(Event{Type: EventNotice, Text: "it is unknown how far " + e.Name + " came when the program ended; it is not run again"})
			err = r.settle(ctx, e, calls[i], core.ExecInterrupted, core.ErrorResult(interrupted))
		}
		if err != nil {
			return nil, err
		}
		results.Parts = append(results.Parts, *e.Result)
	}
	return &results, nil
}
