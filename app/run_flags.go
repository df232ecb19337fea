package app

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"coppice/backend/lists"

	"coppice/backend/config"
	"coppice/backend/core"
	"coppice/backend/sqlite"
)

// runFlags are the flags that say how a session is to grow.
type runFlags struct {
	models    []string
	baseURL   string
	agent     string
	mode      string
	effort    string
	budget    config.Dollars
	timeout   config.Duration
	maxSteps  int64
	maxTokens int64
	images    []string
	name      string
	workspace string
	session   string
	newest    bool // of this workspace
	picks     bool // the person chooses one
	branch    string
	hitl      bool
	summary   bool
	takeOver  bool
	output    string
	json      bool
	confirmed []string // see RunRequest

	given func(flag string) bool
}

func efforts() []core.Effort {
	return []core.Effort{core.EffortNone, core.EffortLow, core.EffortMedium, core.EffortHigh}
}

// check finds mistakes in the flags before any file is touched.
func (f *runFlags) check(t terminal) error {
	if f.effort != "" && !slices.Contains(efforts(), core.Effort(f.effort)) {
		return core.E(core.Invalid, "there is no effort %q", f.effort).WithHint("one of: %s", lists.Join(efforts()))
	}
	for _, model := range f.models {
		if err := config.CheckModelRef(model); err != nil {
			return err
		}
	}
	if len(f.models) > 1 && f.hitl {
		return core.E(core.Invalid, "--hitl waits for a word on one answer, and --model names several models").WithHint("give one of them")
	}
	if f.hitl && t.person == nil {
		return core.E(core.Invalid, "--hitl needs a terminal, where somebody can answer")
	}
	if f.session != "" && f.newest {
		return core.E(core.Invalid, "--session and --continue name a session each").WithHint("give one of them")
	}
	if f.branch != "" && f.session == "" && !f.newest {
		return core.E(core.Invalid, "--branch is a node of a session, and there is none").WithHint("name it by --session ID")
	}
	for flag, value := range map[string]int64{"max-steps": f.maxSteps, "max-tokens": f.maxTokens} {
		if err := notNegative(flag, value); err != nil {
			return err
		}
	}
	if _, err := f.transcriptPath(); err != nil {
		return err
	}
	for _, err := range []error{checkMode(f.mode), core.CheckName(f.name)} {
		if err != nil {
			return err
		}
	}
	return nil
}

// transcriptPath is where the transcript goes; empty: nowhere.
func (f *runFlags) transcriptPath() (string, error) {
	if f.output == "" {
		return "", nil
	}
	if strings.HasSuffix(f.output, string(filepath.Separator)) {
		return "", core.E(core.Invalid, "--output %s is a folder, not a file", f.output)
	}
	path, err := filepath.Abs(f.output)
	return path, core.Wrap(core.Invalid, err, "find %s", f.output)
}

// model is the one that leads; empty: none was named.
func (f *runFlags) model() string {
	if len(f.models) == 0 {
		return ""
	}
	return f.models[0]
}

// checkOneModel is for commands whose run has no others beside it.
func (f *runFlags) checkOneModel() error {
	if len(f.models) > 1 {
		return core.E(core.Invalid, "--model names %d models: only coppice run takes several", len(f.models)).WithHint("give one of them")
	}
	return nil
}

// request is what the flags ask for.
func (f *runFlags) request(text string) (RunRequest, error) {
	r := RunRequest{
		Text: text, Model: f.model(), BaseURL: f.baseURL, Agent: f.agent, Mode: f.mode, Effort: f.effort, MaxSteps: f.maxSteps,
		MaxTokens: f.maxTokens, TimeoutMs: f.timeout.Milliseconds(), Name: f.name, TakeOver: f.takeOver, Summary: f.summary, Review: f.hitl,
		Confirmed: slices.Clone(f.confirmed),
	}
	if f.workspace != "" {
		var err error
		if r.Workspace, err = f.here(); err != nil {
			return r, err
		}
		r.Confirmed = append(r.Confirmed, "wide:"+r.Workspace) // the user has named it
	}
	if f.given("budget") {
		budget, err := f.budget.MarshalText()
		if err != nil {
			return r, err
		}
		r.BudgetUSD = string(budget)
	}
	for _, path := range f.images {
		image, err := readImage(path)
		if err != nil {
			return r, err
		}
		r.Images = append(r.Images, image)
	}
	return r, nil
}

// findHits returns the session that the flags name; the zero value for a new one.
func (f *runFlags) find(ctx context.Context, db *sqlite.DB) (core.Session, error) {
	if !f.newest {
		return sessionOrNone(ctx, db, f.session)
	}
	here, err := f.here()
	if err != nil {
		return core.Session{}, err
	}
	for _, path := range []string{here, config.Resolved(here)} {
		sessions, err := db.Sessions(ctx, core.SessionFilter{Workspace: path, Limit: 1})
		if err != nil {
			return core.Session{}, err
		}
		if len(sessions) > 0 {
			return sessions[0], nil
		}
	}
	return core.Session{}, core.E(core.NotFound, "there is no session of %s", here).WithHint("coppice sessions lists all of them")
}

// here is the folder that the flags name, else this one.
func (f *runFlags) here() (string, error) {
	path, err := filepath.Abs(f.workspace)
	return path, core.Wrap(core.Invalid, err, "find the workspace")
}

// place is the folder to work in: the one that is named, that of the session where it is on this machine, else this one.
func (f *runFlags) place(s core.Session) (string, error) {
	if f.workspace == "" && s.WorkspacePath != "" {
		if path, err := workspaceOf(s.WorkspacePath, core.Session{}); err == nil {
			return path, nil
		}
	}
	here, err := f.here()
	if err != nil {
		return "", err
	}
	return workspaceOf(here, core.Session{})
}

// notNegative checks a number given by a flag.
func notNegative(flag string, value int64) error {
	if value < 0 {
		return core.E(core.Invalid, "--%s is %d, it must be 0 or more", flag, value)
	}
	return nil
}
