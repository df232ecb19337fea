package window

import (
	"context"

	"coppice/app/internal/find"
	"coppice/app/internal/guard"
	"coppice/app/window/internal/remedy"
	"coppice/backend/config"
	"coppice/backend/core"
	"coppice/backend/engine"
	"coppice/backend/launch"
	"coppice/backend/lists"
	"coppice/backend/sqlite"
)

// ComposerBindings return the options of a run before it starts.
type ComposerBindings struct{ *program }

// ReadImages reads image files that were dropped on the composer. The error is Invalid if models do not accept one of them.
func (b *ComposerBindings) ReadImages(paths []string) (images []launch.Upload, err error) {
	err = guard.Run(func() error {
		for _, path := range paths {
			if sqlite.Owns(b.library.where(), path) { // closing the file could release SQLite's locks on it
				return core.E(core.Invalid, "%s is a file of the library", path)
			}
			image, err := launch.ReadImage(path)
			if err != nil {
				return err
			}
			images = append(images, image)
		}
		return nil
	})
	return lists.NonNil(images), err
}

// GetComposerOptions returns the options for a run of a session, or of a new session if sessionID is empty.
func (b *ComposerBindings) GetComposerOptions(sessionID, workspace string) (launch.ComposerOptions, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) (launch.ComposerOptions, error) {
		session, err := find.SessionOrNone(ctx, db, sessionID)
		if err != nil {
			return launch.ComposerOptions{}, err
		}
		o, err := b.env(ctx, db, workspace, session)
		if err != nil {
			return launch.ComposerOptions{}, err
		}
		options, err := o.Options(ctx, session)
		for i := range options.Problems {
			one := &options.Problems[i]
			one.Hint = remedy.Sentence(one.Hint, one.Remedy)
		}
		return options, err
	})
}

// GetSending returns what StartRun of the request would send to the model first. It calls no model and writes nothing, but
// it opens the tools as a run does, so it asks MCP servers for theirs.
func (b *ComposerBindings) GetSending(request launch.RunRequest) (Sending, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) (Sending, error) {
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

// ListConfirmations returns what the user has to confirm before StartRun accepts the request.
func (b *ComposerBindings) ListConfirmations(request launch.RunRequest) ([]launch.Confirmation, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) ([]launch.Confirmation, error) {
		session, err := find.SessionOrNone(ctx, db, request.SessionID)
		if err != nil {
			return nil, err
		}
		o, err := b.env(ctx, db, request.Workspace, session)
		if err != nil {
			return nil, err
		}
		return o.Confirmations(ctx, request, session)
	})
}

// TrustWorkspace stores whether the user trusts a workspace: yes, no or once. The digest identifies the contents that the
// user has seen. The error is a Conflict if they have changed.
func (b *ComposerBindings) TrustWorkspace(workspace, digest, answer string) error {
	return guard.Run(func() error {
		set, err := config.Read(workspace, b.trust)
		if err != nil {
			return err
		}
		if set.Trust.Digest != digest {
			return core.E(core.Conflict, "trust %s: its configuration has changed", workspace).WithHint("Review it again")
		}
		switch answer := config.Answer(answer); answer {
		case config.AnswerYes, config.AnswerNo, config.AnswerOnce:
			return b.trust.Remember(workspace, digest, answer)
		default:
			return core.E(core.Invalid, "unknown answer %q", answer)
		}
	})
}

// ChooseWorkspace opens the system's dialog for the folder that an agent works in. The path is empty if the dialog was closed.
func (b *ComposerBindings) ChooseWorkspace() (path string, err error) {
	err = guard.Run(func() error {
		path, err = b.host.openFolder(b.texts.Now().ChooseFolder)
		return err
	})
	return path, err
}

// ChooseTeam opens the system's dialog for the file of a team, and describes the team. Its Ref is empty if the dialog was closed.
func (b *ComposerBindings) ChooseTeam(sessionID, workspace string) (launch.TeamInfo, error) {
	none := launch.TeamInfo{Agents: []launch.TeamAgentInfo{}}
	var paths []string
	err := guard.Run(func() (err error) {
		paths, err = b.host.openFiles("Choose the file of a team", []string{".yaml", ".yml", ".json"})
		return err
	})
	if err != nil || len(paths) == 0 {
		return none, err
	}
	return b.GetTeam(sessionID, workspace, paths[0])
}

// CreateTeam adds an example to the user's teams, and describes it.
func (b *ComposerBindings) CreateTeam(sessionID, workspace string) (launch.TeamInfo, error) {
	name := ""
	err := guard.Run(func() (err error) {
		name, err = config.CreateUserTeam()
		return err
	})
	if err != nil {
		return launch.TeamInfo{Agents: []launch.TeamAgentInfo{}}, err
	}
	return b.GetTeam(sessionID, workspace, name)
}

// RevealTeams shows the folder of the user's teams in the system's file manager.
func (b *ComposerBindings) RevealTeams() error {
	return guard.Run(func() error { return reveal(config.UserTeams()) })
}

// GetTeam describes the team of a name or a file; an empty ref is the team that the session continues with, which has no agents if one
// agent works alone.
func (b *ComposerBindings) GetTeam(sessionID, workspace, ref string) (launch.TeamInfo, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) (launch.TeamInfo, error) {
		session, err := find.SessionOrNone(ctx, db, sessionID)
		if err != nil {
			return launch.TeamInfo{}, err
		}
		if ref == "" {
			return launch.SessionTeam(ctx, db, session)
		}
		o, err := b.env(ctx, db, workspace, session)
		if err != nil {
			return launch.TeamInfo{}, err
		}
		return o.TeamInfo(ref), nil
	})
}

// prepare resolves a request. task builds the engine's task, see launch.RunEnv.Task.
func (p *program) prepare(ctx context.Context, db *sqlite.DB, request launch.RunRequest) (o *launch.RunEnv, task func() (engine.Task, func(), error), err error) {
	session, err := find.SessionOrNone(ctx, db, request.SessionID)
	if err != nil {
		return nil, nil, err
	}
	if o, err = p.env(ctx, db, request.Workspace, session); err != nil {
		return nil, nil, err
	}
	request.Text, _ = o.Expand(request.Text)
	prompt, err := request.Prompt()
	if err != nil {
		return nil, nil, err
	}
	return o, func() (engine.Task, func(), error) {
		task, release, err := o.Task(ctx, request, session)
		task.Prompt = prompt
		return task, release, err
	}, nil
}

// env returns the run environment of a session in a workspace.
func (p *program) env(ctx context.Context, db *sqlite.DB, workspace string, session core.Session) (*launch.RunEnv, error) {
	path, err := launch.Workspace(workspace, session)
	if err != nil {
		return nil, err
	}
	return p.launcher.Env(db, path)
}
