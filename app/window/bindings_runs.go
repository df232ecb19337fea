package window

import (
	"context"
	"strings"

	"coppice/app/internal/find"
	"coppice/backend/launch"

	"coppice/app/internal/guard"

	"coppice/backend/lists"

	"coppice/backend/config"
	"coppice/backend/core"
	"coppice/backend/engine"
	"coppice/backend/render"
	"coppice/backend/sqlite"
)

// GetComposerOptions returns what a run of a session can be given; of a new session where sessionID is empty.
func (b *Bindings) GetComposerOptions(sessionID, workspace string) (launch.ComposerOptions, error) {
	return call(b, func(ctx context.Context, db *sqlite.DB) (launch.ComposerOptions, error) {
		session, err := find.SessionOrNone(ctx, db, sessionID)
		if err != nil {
			return launch.ComposerOptions{}, err
		}
		o, err := b.outfit(ctx, db, workspace, session)
		if err != nil {
			return launch.ComposerOptions{}, err
		}
		return o.Options(ctx, session)
	})
}

// GetSending returns what StartRun of the request would send the model first. It calls no model and writes nothing, but makes ready the
// tools, as a run does: MCP servers are asked for theirs.
func (b *Bindings) GetSending(request launch.RunRequest) (Sending, error) {
	return call(b, func(ctx context.Context, db *sqlite.DB) (Sending, error) {
		o, prepare, err := b.prepare(ctx, db, request)
		if err != nil {
			return Sending{}, err
		}
		task, release, err := prepare()
		defer release()
		if err != nil {
			return Sending{}, err
		}
		sent, err := o.Engine().Sending(ctx, &task)
		return newSending(&task, &sent), err
	})
}

// ListConfirmations returns what the user has to agree to before StartRun of the request, which is Unconfirmed until then.
func (b *Bindings) ListConfirmations(request launch.RunRequest) ([]launch.Confirmation, error) {
	return call(b, func(ctx context.Context, db *sqlite.DB) ([]launch.Confirmation, error) {
		session, err := find.SessionOrNone(ctx, db, request.SessionID)
		if err != nil {
			return nil, err
		}
		o, err := b.outfit(ctx, db, request.Workspace, session)
		if err != nil {
			return nil, err
		}
		return o.Confirmations(ctx, request, session)
	})
}

// TrustWorkspace stores whether the user trusts a workspace, after they have seen what it brings: yes, no or once. Conflict where it brings
// something else by now.
func (b *Bindings) TrustWorkspace(workspace, digest, answer string) error {
	return guard.Run(func() error {
		set, err := config.Read(workspace, b.trust)
		if err != nil {
			return err
		}
		if set.Trust.Digest != digest {
			return core.E(core.Conflict, "what the workspace brings has changed").WithHint("look at it again")
		}
		switch answer := config.Answer(answer); answer {
		case config.AnswerYes, config.AnswerNo, config.AnswerOnce:
			return b.trust.Remember(workspace, digest, answer)
		default:
			return core.E(core.Invalid, "unknown answer %q", answer)
		}
	})
}

// StartRun lets a session grow, or a new one begin, and returns as soon as it does.
func (b *Bindings) StartRun(request launch.RunRequest) (StartedRun, error) {
	return call(b, func(ctx context.Context, db *sqlite.DB) (StartedRun, error) {
		started, _, err := b.start(ctx, db, request)
		return started, err
	})
}

// StartRuns is StartRun with several models, which answer side by side. The first one leads: it says the prompt, moves the head and has
// the mode that was asked for; the others only read. One of those that cannot begin has a Problem, and holds up no other.
func (b *Bindings) StartRuns(request launch.RunRequest, models []string) ([]StartedRun, error) {
	return call(b, func(ctx context.Context, db *sqlite.DB) ([]StartedRun, error) {
		if len(models) == 0 {
			return nil, core.E(core.Invalid, "no model was chosen")
		}
		from, err := startingPoint(ctx, db, request)
		if err != nil {
			return nil, err
		}
		request.Model = models[0]
		first, live, err := b.start(ctx, db, request)
		if err != nil {
			return nil, err
		}
		started := []StartedRun{first}
		if request.Says() {
			if from = live.prompt(); from == "" { // it broke off before the others had anything to answer
				return started, nil
			}
		}
		beside := request.Beside(first.SessionID, from)
		for _, model := range models[1:] {
			beside.Model = model
			one, _, err := b.start(ctx, db, beside)
			if err != nil {
				one.Problem = err.Error()
			}
			started = append(started, one)
		}
		return started, nil
	})
}

// startingPoint is the message that a request without words goes on from.
func startingPoint(ctx context.Context, db *sqlite.DB, request launch.RunRequest) (string, error) {
	if request.FromUID != "" || request.SessionID == "" {
		return request.FromUID, nil
	}
	session, err := find.Session(ctx, db, request.SessionID)
	return session.HeadUID, err
}

func (b *Bindings) start(ctx context.Context, db *sqlite.DB, request launch.RunRequest) (StartedRun, *liveRun, error) {
	o, prepare, err := b.prepare(ctx, db, request)
	if err != nil {
		return StartedRun{}, nil, err
	}
	var begun *liveRun
	started, err := b.runs.start(ctx, o.Engine(), func(live *liveRun) (engine.Task, func(), error) {
		begun, o.Output = live, live.output
		task, release, err := prepare()
		task.Ask = live.permit
		if request.Review {
			task.Review = live.review
		}
		return task, release, err
	})
	return started, begun, err
}

// prepare finds what a request is about. task makes of it what the engine runs, see outfit.task.
func (b *Bindings) prepare(ctx context.Context, db *sqlite.DB, request launch.RunRequest) (o *launch.RunEnv, task func() (engine.Task, func(), error), err error) {
	prompt, err := request.Prompt()
	if err != nil {
		return nil, nil, err
	}
	session, err := find.SessionOrNone(ctx, db, request.SessionID)
	if err != nil {
		return nil, nil, err
	}
	if o, err = b.outfit(ctx, db, request.Workspace, session); err != nil {
		return nil, nil, err
	}
	return o, func() (engine.Task, func(), error) {
		task, release, err := o.Task(ctx, request, session)
		task.Prompt = prompt
		return task, release, err
	}, nil
}

// GetRun returns how a run of a session stands, among those that go on side by side: where runID is empty, the one that moves the head. Of
// a session that this window has not run it says how its last run ended. The window says which draft it knows and up to which revision.
func (b *Bindings) GetRun(sessionID, runID string, draftID, revision int64) (LiveRun, error) {
	return call(b, func(ctx context.Context, db *sqlite.DB) (LiveRun, error) {
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

// StopRun ends a run of a session, all of them where runID is empty; what is finished stays, and it can be resumed.
func (b *Bindings) StopRun(sessionID, runID string) error {
	return guard.Run(func() error { return b.runs.stop(sessionID, runID) })
}

// SteerRun says something to a run that goes on, about the messages it cites: the model hears it after its next step.
func (b *Bindings) SteerRun(sessionID, runID, text string, cites []string) error {
	return guard.Run(func() error {
		if strings.TrimSpace(text) == "" {
			return core.E(core.Invalid, "there is nothing to say")
		}
		live, err := b.runs.running(sessionID, runID)
		if err == nil && !live.say(engine.Said{Parts: []core.Part{{Type: core.PartText, Text: text}}, Cites: cites}) {
			err = core.E(core.Conflict, "the run is over").WithHint("send it as a new prompt")
		}
		return err
	})
}

// AnswerRun answers what a run of a session asks.
func (b *Bindings) AnswerRun(sessionID, runID string, question int64, answer LiveAnswer) error {
	return guard.Run(func() error {
		live, err := b.runs.running(sessionID, runID)
		if err != nil {
			return err
		}
		return live.answer(question, answer)
	})
}

// CountRuns returns how many runs of this window go on.
func (b *Bindings) CountRuns() (n int64, err error) {
	err = guard.Run(func() error {
		n = int64(b.runs.count())
		return nil
	})
	return n, err
}

// SetFocused says whether the person looks at the window: where they do not, they are told of what runs ask.
func (b *Bindings) SetFocused(focused bool) error {
	return guard.Run(func() error {
		b.focused.Store(focused)
		return nil
	})
}

// ListApprovals returns the remembered permissions that hold in a session; those that hold everywhere where sessionID is empty.
func (b *Bindings) ListApprovals(sessionID string) ([]core.Approval, error) {
	return call(b, func(ctx context.Context, db *sqlite.DB) ([]core.Approval, error) {
		session, err := find.SessionOrNone(ctx, db, sessionID)
		if err != nil {
			return nil, err
		}
		approvals, err := db.Approvals(ctx, session.ID, session.WorkspacePath)
		return lists.NonNil(approvals), err
	})
}

// ForgetApproval takes a remembered permission back.
func (b *Bindings) ForgetApproval(id string) error {
	return b.change(nil, func(ctx context.Context, db *sqlite.DB) error { return db.Forget(ctx, id) })
}

// ListModelCosts returns what each model took of a session.
func (b *Bindings) ListModelCosts(sessionID string) ([]core.ModelCost, error) {
	return call(b, func(ctx context.Context, db *sqlite.DB) ([]core.ModelCost, error) {
		costs, err := db.ModelCosts(ctx, sessionID)
		return lists.NonNil(costs), err
	})
}

// ChooseWorkspace opens the system's dialog for the folder an agent is to work in; empty when it was closed.
func (b *Bindings) ChooseWorkspace() (path string, err error) {
	err = guard.Run(func() error {
		path, err = b.host.openFolder("Choose the folder to work in")
		return err
	})
	return path, err
}

// outfit is what a run of the session in the workspace is made with.
func (b *Bindings) outfit(ctx context.Context, db *sqlite.DB, workspace string, session core.Session) (*launch.RunEnv, error) {
	path, err := launch.Workspace(workspace, session)
	if err != nil {
		return nil, err
	}
	return b.launcher.Env(db, path)
}

// empty is the state of a session that this window has not run.
func (LiveRun) empty() LiveRun {
	return LiveRun{Blocks: []render.LiveBlock{}, Calls: []LiveCall{}, Questions: []LiveQuestion{}, Notices: []string{}, Queue: []string{}, Lanes: []Lane{}}
}
