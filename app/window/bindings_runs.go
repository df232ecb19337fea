package window

import (
	"context"
	"slices"
	"strings"

	"coppice/app/internal/find"
	"coppice/app/internal/guard"
	"coppice/app/internal/present"
	"coppice/app/window/internal/change"
	"coppice/app/window/internal/live"
	"coppice/backend/core"
	"coppice/backend/engine"
	"coppice/backend/launch"
	"coppice/backend/lists"
	"coppice/backend/sqlite"
)

// RunBindings start runs, follow them and stop them.
type RunBindings struct{ *program }

// StartRun starts a run of a session, or of a new session, and returns as soon as it has started.
func (b *RunBindings) StartRun(request launch.RunRequest) (live.Started, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) (live.Started, error) {
		started, _, err := b.start(ctx, db, request, nil)
		return started, err
	})
}

// StartRuns is StartRun with several models, which answer side by side. The first run writes the prompt, moves the head and
// has the requested mode; the others only read. A run that cannot start has a Problem and does not delay the others.
func (b *RunBindings) StartRuns(request launch.RunRequest, models []string) ([]live.Started, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) ([]live.Started, error) {
		session, err := find.SessionOrNone(ctx, db, request.SessionID)
		if err != nil {
			return nil, err
		}
		runs, err := launch.NewSideBySide(request, session, models)
		if err != nil {
			return nil, err
		}
		first, lead, err := b.start(ctx, db, runs.Lead(), runs.Observe)
		if err != nil {
			return nil, err
		}
		started := []live.Started{first}
		for _, other := range runs.Others(lead.Ended()) {
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
		_, run, err := b.start(ctx, db, request, nil)
		if err != nil {
			return "", err
		}
		select {
		case <-run.Ended():
			return run.Outcome()
		case <-ctx.Done():
			return "", context.Cause(ctx)
		}
	})
}

// GetRun returns the state of a run of a session. An empty runID means the run that moves the head. For a session that this window
// has not run it returns how the last run ended. draftID and revision are those that the page knows.
func (b *RunBindings) GetRun(sessionID, runID string, draftID, revision int64) (live.State, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) (live.State, error) {
		if run := b.runs.Of(sessionID, runID); run != nil {
			state := run.Since(draftID, revision)
			state.Lanes = b.runs.Lanes(sessionID)
			return state, nil
		}
		session, err := find.SessionOrNone(ctx, db, sessionID)
		if err != nil {
			return live.Empty(), err
		}
		last, err := launch.LastRun(ctx, db, session)
		if err != nil || last.ID == "" {
			return live.Empty(), err
		}
		state := live.Empty()
		state.SessionID, state.Run, state.Error = sessionID, last, last.Error
		return state, nil
	})
}

// StopRun ends a run of a session, or all of them if runID is empty. What is finished is kept, and the run can be resumed.
func (b *RunBindings) StopRun(sessionID, runID string) error {
	return guard.Run(func() error { return b.runs.Stop(sessionID, runID) })
}

// ListJobs returns the jobs that agents gave to others in a session, also in other processes.
func (b *RunBindings) ListJobs(sessionID string) ([]core.Job, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) ([]core.Job, error) {
		if sessionID == "" {
			return []core.Job{}, nil
		}
		return db.Jobs(ctx, sessionID)
	})
}

// StopJob ends the job that runs in a session. The agent that gave it receives what it has done.
func (b *RunBindings) StopJob(sessionID string) error {
	_, err := call(b.program, func(ctx context.Context, db *sqlite.DB) (bool, error) {
		return true, db.RequestStop(ctx, sessionID)
	})
	return err
}

// SteerRun queues a message, with the messages it cites, for an active run. The model receives it after its next step.
func (b *RunBindings) SteerRun(sessionID, runID, text string, cites []string) error {
	return guard.Run(func() error {
		if strings.TrimSpace(text) == "" {
			return core.E(core.Invalid, "the message is empty")
		}
		run, err := b.runs.Running(sessionID, runID)
		if err != nil {
			return err
		}
		_, err = call(b.program, func(ctx context.Context, db *sqlite.DB) (bool, error) {
			return true, run.Enqueue(ctx, db, text, cites)
		})
		return err
	})
}

// AnswerRun answers a question of a run.
func (b *RunBindings) AnswerRun(sessionID, runID string, question int64, answer live.Answer) error {
	return guard.Run(func() error {
		run, err := b.runs.Running(sessionID, runID)
		if err != nil {
			return err
		}
		return run.Answer(question, answer)
	})
}

// GetUnsent returns the messages that were still queued when their runs ended. They stay in the library until RemoveUnsent, so that a
// process that is killed before the page has stored them as drafts loses none.
func (b *RunBindings) GetUnsent() ([]UnsentMessage, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) ([]UnsentMessage, error) {
		left, err := db.QueuedAtRest(ctx, "")
		if err != nil {
			return nil, err
		}
		unsent := []UnsentMessage{}
		for _, q := range left {
			unsent = append(unsent, UnsentMessage{UID: q.UID, SessionID: q.SessionID, Text: present.Text(q.Parts), Cites: lists.NonNil(q.Cites)})
		}
		return unsent, nil
	})
}

// RemoveUnsent removes messages that GetUnsent has returned, which the page has stored as drafts.
func (b *RunBindings) RemoveUnsent(uids []string) error {
	_, err := call(b.program, func(ctx context.Context, db *sqlite.DB) (bool, error) {
		b.runs.ClearUnsent()
		for _, uid := range uids {
			if err := db.DropQueued(ctx, uid); err != nil {
				return false, err
			}
		}
		return true, nil
	})
	return err
}

// ListApprovals returns the stored permissions that apply to a session, or to all sessions if sessionID is empty. Imported ones that the
// user has not confirmed are among them.
func (b *RunBindings) ListApprovals(sessionID string) ([]core.Approval, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) ([]core.Approval, error) {
		session, err := find.SessionOrNone(ctx, db, sessionID)
		if err != nil {
			return nil, err
		}
		approvals, err := db.AllApprovals(ctx)
		return lists.NonNil(slices.DeleteFunc(approvals, func(a core.Approval) bool {
			return a.Scope == core.ScopeSession && a.SessionID != session.ID || a.Scope == core.ScopeWorkspace && a.WorkspacePath != session.WorkspacePath
		})), err
	})
}

// ConfirmApproval puts an imported permission in force.
func (b *RunBindings) ConfirmApproval(id string) error {
	return b.change(change.Approvals, nil, func(ctx context.Context, db *sqlite.DB) error { return db.Confirm(ctx, id) })
}

// ForgetApproval removes a stored permission.
func (b *RunBindings) ForgetApproval(id string) error {
	return b.change(change.Approvals, nil, func(ctx context.Context, db *sqlite.DB) error { return db.Forget(ctx, id) })
}

// start starts a run. observe receives its events too, unless it is nil.
func (p *program) start(ctx context.Context, db *sqlite.DB, request launch.RunRequest, observe func(engine.Event)) (live.Started, *live.Run, error) {
	request, err := withPatience(ctx, db, request)
	if err != nil {
		return live.Started{}, nil, err
	}
	request.Remembered = true // the composer keeps the limits of a session
	o, prepare, err := p.prepare(ctx, db, request)
	if err != nil {
		return live.Started{}, nil, err
	}
	var begun *live.Run
	started, err := p.runs.Start(ctx, o.Engine(), func(run *live.Run) (engine.Task, func(), error) {
		begun, o.Output = run, run.Output
		task, release, err := prepare()
		task.Ask, task.Observe = run.Permit, observe
		task.Compact, task.Focus = request.Compact, request.Focus
		if request.Review {
			task.Review = run.Review
		}
		return task, release, err
	})
	return started, begun, err
}
