// Package launch resolves a request into a task for the engine: it chooses the agent, the model, the server, the tools and
// the limits, and asks for the confirmations that the run needs.
package launch

import (
	"cmp"
	"context"
	"iter"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"coppice/backend/config"
	"coppice/backend/core"
	"coppice/backend/engine"
	"coppice/backend/provider"
	"coppice/backend/provider/key"
	"coppice/backend/provider/price"
	"coppice/backend/sqlite"
)

// RunEnv holds the settings, the providers and the tools that a run in a workspace starts with.
type RunEnv struct {
	*config.Settings
	version  string
	DB       *sqlite.DB
	Registry *provider.Registry
	Here     string                    // the working folder of the command; empty in the window
	Output   func(callID, text string) // receives the output of commands; may be nil, and may be set between two runs
}

// output passes the output of a command on.
func (o *RunEnv) output(callID, text string) {
	if o.Output != nil {
		o.Output(callID, text)
	}
}

// Launcher creates run environments. It reuses the registry of providers, which caches what it has learned about them, until
// the settings change. It is safe for concurrent use.
type Launcher struct {
	version  string // of the program, for MCP servers
	trust    *config.Answers
	keys     *key.Ring
	mu       sync.Mutex
	options  provider.Options
	registry *provider.Registry
}

// New returns a launcher that uses trust for the questions whether to trust a workspace.
func New(version string, trust *config.Answers) *Launcher {
	return &Launcher{version: version, trust: trust, keys: key.New(nil)}
}

// Env loads the configuration for a workspace, which is an absolute path. It does not call any provider.
func (r *Launcher) Env(db *sqlite.DB, workspace string) (*RunEnv, error) {
	set, err := config.Load(workspace, r.trust)
	if err != nil {
		return nil, err
	}
	return r.env(db, set)
}

// UserEnv loads the user's own configuration, with nothing of any workspace and with the mistakes that are in it. It does
// not call any provider.
func (r *Launcher) UserEnv(db *sqlite.DB) (*RunEnv, error) {
	set, err := config.ReadUser()
	if err != nil {
		return nil, err
	}
	return r.env(db, set)
}

func (r *Launcher) env(db *sqlite.DB, set *config.Settings) (*RunEnv, error) {
	options, err := ProviderOptions(set)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.registry == nil || !reflect.DeepEqual(options, r.options) {
		full := options
		full.Sessions, full.Keys = recorded(db), r.keys
		if r.registry, err = provider.New(full); err != nil {
			return nil, err
		}
		r.options = options
	}
	return &RunEnv{Settings: set, version: r.version, DB: db, Registry: r.registry}, nil
}

// ProviderOptions returns the options of the provider registry for the settings. Equal settings give equal options.
func ProviderOptions(s *config.Settings) (provider.Options, error) {
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
	options.Prices, err = price.ReadOwn(config.PricingPath(s.Pricing))
	return options, err
}

// recorded returns a function that reads the messages of a session for the model replay/SESSION.
func recorded(db *sqlite.DB) func(context.Context, string) (iter.Seq2[core.Message, error], error) {
	return func(ctx context.Context, ref string) (iter.Seq2[core.Message, error], error) {
		session, err := db.Session(ctx, ref)
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

// Engine returns an engine for the library of the run environment, owned by this process.
func (o *RunEnv) Engine() *engine.Engine {
	return &engine.Engine{Store: o.DB, Price: o.Registry, Now: func() int64 { return time.Now().UnixMilli() }, Owner: engine.Self()}
}

// Task resolves a request into a task for the engine. The caller adds the prompt and the callbacks to the user. release
// frees the resources of the task; it is never nil.
func (o *RunEnv) Task(ctx context.Context, request RunRequest, session core.Session) (task engine.Task, release func(), err error) {
	release = func() {}
	asked, err := o.Confirmations(ctx, request, session)
	if err == nil {
		err = Unconfirmed(asked)
	}
	if err != nil {
		return task, release, err
	}
	former, lost, err := formerState(ctx, o.DB, session, request.FromUID)
	if err != nil {
		return task, release, err
	}
	crew, err := o.chooseTeam(request, former)
	if err != nil {
		return task, release, err
	}
	if crew != nil && request.OutputSchema != nil {
		return task, release, core.E(core.Invalid, "a schema of the answer is for one agent, and the run has a team").WithHint("name an agent, or leave out the schema")
	}
	if crew != nil {
		return o.teamTask(ctx, request, session, former, lost, crew)
	}
	if len(request.AgentModels) > 0 {
		return task, release, core.E(core.Invalid, "a model is given for an agent of a team, and the run has no team").WithHint("name the team, or give the model without the name of an agent")
	}
	agent, err := o.ChooseAgent(request, former)
	if err != nil {
		return task, release, err
	}
	limits, err := request.limits(agent.Limits)
	if err != nil {
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
	model, info, err := o.Registry.Open(ctx, ref, baseURL)
	if err != nil {
		return task, release, err
	}
	if err := CheckMode(request.Mode); err != nil {
		return task, release, err
	}
	plan, summarizer, notices, err := o.contextPlan(ctx, request, former, agent, info, baseURL)
	if err != nil {
		return task, release, err
	}
	output, aboutOutput, err := outputOf(request, former)
	if err != nil {
		return task, release, err
	}
	box, err := o.toolbox(ctx)
	if err != nil {
		return task, release, err
	}
	release = box.close
	instructions, err := o.instructions()
	if err != nil {
		return task, release, err
	}
	inactive, err := InactiveTools(ctx, o.DB, session)
	if err != nil {
		return task, release, err
	}
	return engine.Task{
		Inactive:  inactive,
		SessionID: session.ID, Name: request.Name, From: request.FromUID, Root: request.Root, Aside: request.Aside, Cites: request.Cites, Agent: agent, Servers: box.servers(),
		System: engine.SystemPrompt(agent, engine.EnvironmentOf(o.Workspace, box.box.Level(), time.Now()), instructions, o.Trusted) + config.SkillsPrompt(agent, o.Skills) + missingStart(session) + aboutOutput, Instructions: instructions, Output: output,
		ModelRef: info.Provider + "/" + info.ID, BaseURL: server, Model: model, Info: info, Effort: cmp.Or(core.Effort(request.Effort), agent.Effort),
		Tools: engine.ChooseTools(agent, box.all()), Renew: func() []engine.Tool { return engine.ChooseTools(agent, box.all()) },
		Context: plan, Summarizer: summarizer, Delegation: o.delegation(),
		Notices: slices.Concat(o.Ignored, o.RelativeArguments(), o.changedAgent(request, former), stricterMode(request, former), lost, box.notices(), notices), Mode: cmp.Or(core.Mode(request.Mode), agent.Mode), Budget: limits, WorkspacePath: o.Workspace,
		NewSteps: request.sets("max_steps", request.MaxSteps, former.Limits.Steps), NewTimeout: request.sets("timeout", request.TimeoutMs, former.Limits.TimeoutMs),
		Summary: request.Summary, TakeOver: request.TakeOver, ResumedFrom: resumedFrom(session, former, lost), HibernateAfterMs: request.HibernateAfterMs, Wake: request.Wake,
	}, release, nil
}

// missingStart returns what the model must know of a session whose source has lost its beginning; empty if nothing is missing, or the
// original task is unknown.
func missingStart(session core.Session) string {
	if !session.IncompleteStart || session.Task == "" {
		return ""
	}
	return "\n\nThe first messages of this conversation are missing. Its original task was:\n" + session.Task
}

// LastRun returns the last run of a session that moved its head, or the zero value if the session has no such run.
func LastRun(ctx context.Context, db *sqlite.DB, session core.Session) (core.Run, error) {
	if session.ID == "" {
		return core.Run{}, nil
	}
	runs, err := db.Runs(ctx, session.ID)
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

// chooseModel returns the model of the request, else that of the session's former state unless the request names another agent,
// else the agent's, else the registry's default.
func (o *RunEnv) chooseModel(ctx context.Context, request RunRequest, former core.RunState, agent core.Agent) (string, error) {
	if request.Model != "" {
		return request.Model, nil
	}
	if former.Model != "" && (request.Agent == "" || request.Agent == former.Agent.Name) {
		return former.Model, nil
	}
	if agent.Model != "" {
		return agent.Model, nil
	}
	return o.Registry.Default(ctx)
}
