package window

import (
	"context"
	"strings"

	"coppice/app/internal/find"
	"coppice/app/internal/guard"
	"coppice/app/internal/present"
	"coppice/app/window/internal/change"
	"coppice/backend/core"
	"coppice/backend/engine"
	"coppice/backend/launch"
	"coppice/backend/lists"
	"coppice/backend/render"
	"coppice/backend/sqlite"
)

// RunBindings start runs, follow them and stop them.
type RunBindings struct{ *program }

// StartRun starts a run of a session, or of a new session, and returns as soon as it has started.
func (b *RunBindings) StartRun(request launch.RunRequest) (StartedRun, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) (StartedRun, error) {
		started, _, err := b.start(ctx, db, request, nil)
		return started, err
	})
}

// StartRuns is StartRun with several models, which answer side by side. The first run writes the prompt, moves the head and
// has the requested mode; the others only read. A run that cannot start has a Problem and does not delay the others.
func (b *RunBindings) StartRuns(request launch.RunRequest, models []string) ([]StartedRun, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) ([]StartedRun, error) {
		session, err := find.SessionOrNone(ctx, db, request.SessionID)
		if err != nil {
			return nil, err
		}
		runs, err := launch.NewSideBySide(request, session, models)
		if err != nil {
			return nil, err
		}
		first, live, err := b.start(ctx, db, runs.Lead(), runs.Observe)
		if err != nil {
			return nil, err
		}
		started := []StartedRun{first}
		for _, other := range runs.Others(live.ended) {
			one, _, err := b.start(ctx, db, other, nil)
			if err != nil {
				one.Problem = err.Error()
			}
			started = append(started, one)
		}
		return started, nil
	})
}

// CompactContext compacts the context of a session in a run that StopRun can stop, and returns what it did in one line.
func (b *RunBindings) CompactContext(request launch.RunRequest) (string, error) {
	request.Compact = true
	return call(b.program, func(ctx context.Context, db *sqlite.DB) (string, error) {
		_, live, err := b.start(ctx, db, request, nil)
		if err != nil {
			return "", err
		}
		select {
		case <-live.ended:
			return live.outcome()
		case <-ctx.Done():
			return "", context.Cause(ctx)
		}
	})
}

// GetRun returns the state of a run of a session. An empty runID means the run that moves the head. For a session that this window
// has not run it returns how the last run ended. draftID and revision are those that the page knows.
func (b *RunBindings) GetRun(sessionID, runID string, draftID, revision int64) (LiveRun, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) (LiveRun, error) {
		if live := b.runs.of(sessionID, runID); live != nil {
			state := live.since(draftID, revision)
			state.Lanes = b.runs.lanes(sessionID)
			return state, nil
		}
		session, err := find.SessionOrNone(ctx, db, sessionID)
		if err != nil {
			return LiveRun{}.empty(), err
		}
		last, err := launch.LastRun(ctx, db, session)
		if err != nil || last.ID == "" {
			return LiveRun{}.empty(), err
		}
		state := LiveRun{}.empty()
		state.SessionID, state.Run, state.Error = sessionID, last, last.Error
		return state, nil
	})
}

// StopRun ends a run of a session, or all of them if runID is empty. What is finished is kept, and the run can be resumed.
func (b *RunBindings) StopRun(sessionID, runID string) error {
	return guard.Run(func() error { return b.runs.stop(sessionID, runID) })
}

// SteerRun queues a message, with the messages it cites, for an active run. The model receives it after its next step.
func (b *RunBindings) SteerRun(sessionID, runID, text string, cites []string) error {
	return guard.Run(func() error {
		if strings.TrimSpace(text) == "" {
			return core.E(core.Invalid, "the message is empty")
		}
		live, err := b.runs.running(sessionID, runID)
		if err != nil {
			return err
		}
		_, err = call(b.program, func(ctx context.Context, db *sqlite.DB) (bool, error) {
			return true, live.enqueue(ctx, db, text, cites)
		})
		return err
	})
}

// AnswerRun answers a question of a run.
func (b *RunBindings) AnswerRun(sessionID, runID string, question int64, answer LiveAnswer) error {
	return guard.Run(func() error {
		live, err := b.runs.running(sessionID, runID)
		if err != nil {
			return err
		}
		return live.answer(question, answer)
	})
}

// TakeUnsent returns the messages that were still queued when their runs ended, and removes them from the queues.
func (b *RunBindings) TakeUnsent() ([]UnsentMessage, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) ([]UnsentMessage, error) {
		b.runs.clearUnsent()
		left, err := db.TakeQueued(ctx, "")
		if err != nil {
			return nil, err
		}
		unsent := []UnsentMessage{}
		for _, q := range left {
			unsent = append(unsent, UnsentMessage{SessionID: q.SessionID, Text: present.Text(q.Parts), Cites: lists.NonNil(q.Cites)})
		}
		return unsent, nil
	})
}

// ListApprovals returns the stored permissions that apply to a session, or to all sessions if sessionID is empty.
func (b *RunBindings) ListApprovals(sessionID string) ([]core.Approval, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) ([]core.Approval, error) {
		session, err := find.SessionOrNone(ctx, db, sessionID)
		if err != nil {
			return nil, err
		}
		approvals, err := db.Approvals(ctx, session.ID, session.WorkspacePath)
		return lists.NonNil(approvals), err
	})
}

// ForgetApproval removes a stored permission.
func (b *RunBindings) ForgetApproval(id string) error {
	return b.change(change.Approvals, nil, func(ctx context.Context, db *sqlite.DB) error { return db.Forget(ctx, id) })
}

// start starts a run. observe receives its events too, unless it is nil.
func (p *program) start(ctx context.Context, db *sqlite.DB, request launch.RunRequest, observe func(engine.Event)) (StartedRun, *liveRun, error) {
	request, err := withPatience(ctx, db, request)
	if err != nil {
		return StartedRun{}, nil, err
	}
	o, prepare, err := p.prepare(ctx, db, request)
	if err != nil {
		return StartedRun{}, nil, err
	}
	var begun *liveRun
	started, err := p.runs.start(ctx, o.Engine(), func(live *liveRun) (engine.Task, func(), error) {
		begun, o.Output = live, live.output
		task, release, err := prepare()
		task.Ask, task.Observe = live.permit, observe
		task.Compact, task.Focus = request.Compact, request.Focus
		if request.Review {
			task.Review = live.review
		}
		return task, release, err
	})
	return started, begun, err
}

// empty returns the state of a session that this window has not run.
func (LiveRun) empty() LiveRun {
	return LiveRun{Blocks: []render.LiveBlock{}, Calls: []LiveCall{}, Questions: []LiveQuestion{}, Notices: []string{}, Queue: []string{}, Lanes: []Lane{}}
}
