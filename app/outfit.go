package app

import (
	"cmp"
	"context"
	"iter"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/adrg/xdg"

	"coppice/backend/config"
	"coppice/backend/core"
	"coppice/backend/engine"
	"coppice/backend/provider"
	"coppice/backend/provider/price"
	"coppice/backend/sqlite"
)

// outfit is what runs in a workspace are made with: the settings, the providers, the tools.
type outfit struct {
	*config.Settings
	db       *sqlite.DB
	registry *provider.Registry
	here     string                    // the folder in which a command was given; empty in the window
	output   func(callID, text string) // is given what commands print; nil: nobody is
}

// newOutfit reads what is set up for a workspace, an absolute path. It asks no provider yet.
func newOutfit(ctx context.Context, db *sqlite.DB, workspace string, trust *config.Answers) (*outfit, error) {
	return (&registries{trust: trust}).outfit(ctx, db, workspace)
}

// registries keeps the registry of providers while the settings stay the same: it remembers what it found out. It is safe for concurrent use.
type registries struct {
	trust    *config.Answers
	mu       sync.Mutex
	options  provider.Options
	registry *provider.Registry
}

func (r *registries) outfit(_ context.Context, db *sqlite.DB, workspace string) (*outfit, error) {
	set, err := config.Load(workspace, r.trust)
	if err != nil {
		return nil, err
	}
	options, err := providerOptions(set)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.registry == nil || !reflect.DeepEqual(options, r.options) {
		full := options
		full.Sessions = recorded(db)
		if r.registry, err = provider.New(full); err != nil {
			return nil, err
		}
		r.options = options
	}
	return &outfit{Settings: set, db: db, registry: r.registry}, nil
}

// providerOptions returns the settings as the registry takes them. Equal options give the same registry.
func providerOptions(s *config.Settings) (provider.Options, error) {
	options := provider.Options{Default: s.Model, NoLocalServers: !s.LocalServers, Idle: time.Duration(s.IdleTimeout)}
	for name, p := range s.Providers {
		headers, err := config.ExpandAll(p.Headers, "providers."+name+".headers", os.LookupEnv)
		if err != nil {
			return options, err
		}
		options.Custom = append(options.Custom, provider.Custom{
			Name: name, Protocol: p.Protocol, BaseURL: p.BaseURL, KeyEnv: p.KeyEnv, Headers: headers, Extra: p.Extra,
		})
	}
	slices.SortFunc(options.Custom, func(a, b provider.Custom) int { return strings.Compare(a.Name, b.Name) })
	var err error
	options.Prices, err = price.ReadOwn(cmp.Or(config.HomePath(s.Pricing), filepath.Join(config.Folder(), "pricing.json")))
	return options, err
}

// recorded reads the messages of a session for replay/SESSION.
func recorded(db *sqlite.DB) func(context.Context, string) (iter.Seq2[core.Message, error], error) {
	return func(ctx context.Context, ref string) (iter.Seq2[core.Message, error], error) {
		session, err := findSession(ctx, db, ref)
		if err != nil {
			return nil, err
		}
		return func(yield func(core.Message, error) bool) {
			for m, err := range db.Messages(ctx, session.ID) {
				if err == nil {
					err = db.Hydrate(ctx, &m)
				}
				if !yield(m, err) || err != nil {
					return
				}
			}
		}, nil
	}
}

// engine is the engine of this process on the outfit's library.
func (o *outfit) engine() *engine.Engine {
	return &engine.Engine{Store: o.db, Price: o.registry, Now: func() int64 { return time.Now().UnixMilli() }, Owner: engine.Self()}
}

// task makes of a request what the engine runs, but for the prompt and the person's part. release ends what the task holds; it is never nil.
func (o *outfit) task(ctx context.Context, request RunRequest, session core.Session) (task engine.Task, release func(), err error) {
	release = func() {}
	asked, err := o.confirmations(ctx, request, session)
	if err == nil {
		err = unconfirmed(asked)
	}
	if err != nil {
		return task, release, err
	}
	former, err := o.former(ctx, session)
	if err != nil {
		return task, release, err
	}
	agent, err := o.chooseAgent(request, former)
	if err != nil {
		return task, release, err
	}
	if agent.Limits, err = request.limits(agent.Limits); err != nil {
		return task, release, err
	}
	ref, err := o.chooseModel(ctx, request, former, agent)
	if err != nil {
		return task, release, err
	}
	baseURL, server, err := o.chooseServer(request, former, ref)
	if err != nil {
		return task, release, err
	}
	model, info, err := o.registry.Open(ctx, ref, baseURL)
	if err != nil {
		return task, release, err
	}
	if err := checkMode(request.Mode); err != nil {
		return task, release, err
	}
	box, err := o.toolbox(ctx)
	if err != nil {
		return task, release, err
	}
	release = box.close
	instructions, err := engine.ReadInstructions(o.Workspace, xdg.Home)
	if err != nil {
		return task, release, err
	}
	return engine.Task{
		SessionID: session.ID, Name: request.Name, From: request.FromUID, Root: request.Root, Aside: request.Aside, Cites: request.Cites, AgentName: agent.Name,
		System: engine.SystemPrompt(agent, engine.PlaceOf(o.Workspace, box.box.Level(), time.Now()), instructions, o.Trusted), Instructions: instructions,
		ModelRef: info.Provider + "/" + info.ID, BaseURL: server, Model: model, Info: info, Effort: cmp.Or(core.Effort(request.Effort), agent.Effort),
		Tools: agent.Choose(box.all()), Renew: func() []engine.Tool { return agent.Choose(box.all()) },
		Notices: slices.Concat(o.Ignored, o.RelativeArguments(), box.notices()), Mode: cmp.Or(core.Mode(request.Mode), agent.Mode), Budget: agent.Limits, WorkspacePath: o.Workspace,
		Summary: request.Summary, TakeOver: request.TakeOver,
	}, release, nil
}

func checkMode(mode string) error {
	if mode == "" || slices.Contains(core.Modes(), core.Mode(mode)) {
		return nil
	}
	return core.E(core.Invalid, "there is no mode %q", mode).WithHint("one of: %s", joinNames(core.Modes()))
}

// former is the last run of a session that moved its head; the zero value where there was none.
func (o *outfit) former(ctx context.Context, session core.Session) (core.Run, error) {
	if session.ID == "" {
		return core.Run{}, nil
	}
	runs, err := o.db.Runs(ctx, session.ID)
	if err != nil {
		return core.Run{}, err
	}
	for _, run := range slices.Backward(runs) {
		if run.Lane == 0 {
			return run, nil
		}
	}
	return core.Run{}, nil
}

// chooseAgent takes the agent that is asked for, else that of the session's last run if it is still there, else the configured one.
func (o *outfit) chooseAgent(request RunRequest, former core.Run) (engine.Agent, error) {
	if request.Agent == "" && former.Agent != "" {
		if _, found := config.FindAgent(o.Agents, former.Agent); found {
			return o.Resolve(former.Agent)
		}
	}
	return o.Resolve(request.Agent)
}

// chooseModel takes the model that is asked for, else that of the session's last run unless another agent is asked for, else the
// agent's, else what there is.
func (o *outfit) chooseModel(ctx context.Context, request RunRequest, former core.Run, agent engine.Agent) (string, error) {
	if request.Model != "" {
		return request.Model, nil
	}
	if former.Model != "" && (request.Agent == "" || request.Agent == former.Agent) {
		return former.Model, nil
	}
	if agent.Model != "" {
		return agent.Model, nil
	}
	return o.registry.Default(ctx)
}

// limits puts what is asked for over an agent's limits.
func (r *RunRequest) limits(b core.Budget) (core.Budget, error) {
	if r.BudgetUSD != "" {
		var budget config.Dollars
		if err := budget.UnmarshalText([]byte(r.BudgetUSD)); err != nil {
			return b, err
		}
		b.CostNanoUSD = int64(budget)
	}
	b.Steps = cmp.Or(r.MaxSteps, b.Steps)
	b.Tokens = cmp.Or(r.MaxTokens, b.Tokens)
	b.TimeoutMs = cmp.Or(r.TimeoutMs, b.TimeoutMs)
	return b, nil
}

// options is what a run of the session can be given, and what it would be given.
func (o *outfit) options(ctx context.Context, session core.Session) (ComposerOptions, error) {
	catalog, err := o.registry.Models(ctx)
	if err != nil {
		return ComposerOptions{}, err
	}
	out := ComposerOptions{
		Models: nonNil(catalog.Models), Agents: []AgentInfo{}, Problems: []ProviderState{}, Workspace: o.Workspace, Sandbox: o.level(), Trust: o.Trust,
	}
	for _, p := range catalog.Providers {
		if p.Code != "" {
			out.Problems = append(out.Problems, ProviderState{Provider: p.Provider, Message: p.Problem, Hint: p.Hint})
		}
	}
	for _, a := range o.AllAgents() {
		effective, err := o.Resolve(a.Name)
		if err != nil {
			return out, err
		}
		out.Agents = append(out.Agents, AgentInfo{Name: a.Name, Description: a.Description, Mode: string(effective.Mode), Model: a.Model})
	}
	former, err := o.former(ctx, session)
	if err != nil {
		return out, err
	}
	agent, err := o.chooseAgent(RunRequest{}, former)
	if err != nil {
		return out, err
	}
	out.Agent, out.Mode = agent.Name, string(agent.Mode)
	out.Model, err = o.chooseModel(ctx, RunRequest{}, former, agent)
	if core.CodeOf(err) == core.NotFound { // there is none: the screen says what to do
		err = nil
	}
	return out, err
}

// workspaceOf is where a session works: where it is told to, else where it did, if that is a folder of this machine, else a folder
// kept for such sessions, so that an agent is never let into one by chance.
func workspaceOf(requested string, session core.Session) (string, error) {
	for _, path := range []string{requested, session.WorkspacePath} {
		if path == "" {
			continue
		}
		absolute, err := filepath.Abs(path)
		if err == nil {
			if info, statErr := os.Stat(absolute); statErr == nil && info.IsDir() {
				return absolute, nil
			}
		}
		if path == requested {
			return "", core.E(core.Invalid, "the workspace %s is no folder", requested)
		}
	}
	scratch := filepath.Join(xdg.DataHome, "coppice", "scratch")
	return scratch, core.Wrap(core.Unavailable, os.MkdirAll(scratch, 0o700), "make a folder to work in")
}
