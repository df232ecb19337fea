package term

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"coppice/app/internal/find"
	"coppice/backend/answer"
	"coppice/backend/config"
	"coppice/backend/core"
	"coppice/backend/engine"
	"coppice/backend/launch"
	"coppice/backend/lists"
	"coppice/backend/sqlite"
)

// RunOptions are the flags of the commands that run a session.
type RunOptions struct {
	Models         []string
	agentModels    map[string]string // of agents of a team, by name: those of Models that were written NAME=PROVIDER/MODEL
	BaseURL        string
	Agent          string
	Team           string
	Mode           string
	Effort         string
	Budget         config.Dollars
	Timeout        config.Duration
	MaxSteps       int64
	MaxTokens      int64
	Images         []string
	Compaction     string // the strategy that compacts the context; empty: that of the agent or the configuration
	Name           string
	Workspace      string
	Session        string
	Newest         bool // continue the newest session of this workspace
	Picks          bool // let the user choose a session
	Branch         string
	HITL           bool
	Summary        bool
	TakeOver       bool
	Output         string
	JSON           bool
	OutputSchema   string // the file with the JSON Schema of the answer
	JSONStream     bool   // print the events of the run as lines of JSON
	HibernateAfter config.Duration
	confirmed      []string         // see launch.RunRequest
	wake           *engine.Wake     // why the session continues by itself; nil: the user continues it
	collect        func(RunOutcome) // receives the outcome instead of stdout; nil: none
	hasSchema      bool             // only an answer that satisfies the schema goes to stdout
	events         *eventStream     // writes the lines of JSONStream; nil: none are printed

	Given func(flag string) bool
}

// Efforts returns the reasoning efforts that a model accepts, smallest first.
func Efforts() []core.Effort {
	return []core.Effort{core.EffortNone, core.EffortLow, core.EffortMedium, core.EffortHigh}
}

// Check reports mistakes in the flags. Call it before any file is opened.
func (f *RunOptions) Check(t Terminal) error {
	if f.Effort != "" && !slices.Contains(Efforts(), core.Effort(f.Effort)) {
		return core.E(core.Invalid, "unknown effort %q", f.Effort).WithHint("one of: %s", lists.Join(Efforts()))
	}
	f.splitModels()
	for _, model := range slices.Concat(f.Models, slices.Collect(maps.Values(f.agentModels))) {
		if err := config.CheckModelRef(model); err != nil {
			return err
		}
	}
	if len(f.Models) > 1 && f.HITL {
		return core.E(core.Invalid, "--hitl takes one model, and --model names several").WithHint("give one of them")
	}
	if f.Team != "" && (f.Agent != "" || len(f.Models) > 1) {
		return core.E(core.Invalid, "--team names the agents: --agent and several --model do not go with it").WithHint("give one of them")
	}
	if f.JSONStream && (f.JSON || len(f.Models) > 1) {
		return core.E(core.Invalid, "--json-stream prints the events of one model, without --json").WithHint("leave out --json and all but one --model")
	}
	if f.OutputSchema != "" && len(f.Models) > 1 {
		return core.E(core.Invalid, "--output-schema takes one model, and --model names several").WithHint("give one of them")
	}
	if f.HITL && t.Prompter == nil {
		return core.E(core.Invalid, "--hitl needs a terminal")
	}
	if f.Session != "" && f.Newest {
		return core.E(core.Invalid, "--session and --continue name a session each").WithHint("give one of them")
	}
	if f.Branch != "" && f.Session == "" && !f.Newest && !f.Picks {
		return core.E(core.Invalid, "--branch needs a session").WithHint("add --session ID")
	}
	for flag, value := range map[string]int64{"max-steps": f.MaxSteps, "max-tokens": f.MaxTokens} {
		if err := NotNegative(flag, value); err != nil {
			return err
		}
	}
	if _, err := f.transcriptPath(); err != nil {
		return err
	}
	for _, err := range []error{launch.CheckMode(f.Mode), launch.CheckCompaction(f.Compaction), core.CheckName(f.Name)} {
		if err != nil {
			return err
		}
	}
	return nil
}

// splitModels moves the models of agents of a team out of Models.
func (f *RunOptions) splitModels() {
	f.Models = slices.DeleteFunc(f.Models, func(model string) bool {
		name, ref, isAgents := strings.Cut(model, "=")
		if isAgents = isAgents && !strings.Contains(name, "/"); isAgents {
			if f.agentModels == nil {
				f.agentModels = map[string]string{}
			}
			f.agentModels[name] = ref
		}
		return isAgents
	})
}

// transcriptPath returns the path of the transcript; empty: no transcript is written.
func (f *RunOptions) transcriptPath() (string, error) {
	if f.Output == "" {
		return "", nil
	}
	if strings.HasSuffix(f.Output, string(filepath.Separator)) {
		return "", core.E(core.Invalid, "--output %s is a folder, not a file", f.Output)
	}
	path, err := filepath.Abs(f.Output)
	return path, core.Wrap(core.Invalid, err, "find %s", f.Output)
}

// model returns the model that leads; empty: the flags name no model.
func (f *RunOptions) model() string {
	if len(f.Models) == 0 {
		return ""
	}
	return f.Models[0]
}

// CheckOneModel returns an error if the flags name several models. It is for commands that run one model.
func (f *RunOptions) CheckOneModel() error {
	if len(f.Models) > 1 {
		return core.E(core.Invalid, "--model names %d models: only coppice run takes several", len(f.Models)).WithHint("give one of them")
	}
	return nil
}

// request returns the request that the flags describe.
func (f *RunOptions) request(text string) (launch.RunRequest, error) {
	r := launch.RunRequest{
		Text: text, Model: f.model(), BaseURL: f.BaseURL, Agent: f.Agent, Team: f.Team, AgentModels: f.agentModels, Mode: f.Mode, Effort: f.Effort, MaxSteps: f.MaxSteps,
		MaxTokens: f.MaxTokens, TimeoutMs: f.Timeout.Milliseconds(), Name: f.Name, TakeOver: f.TakeOver, Summary: f.Summary, Review: f.HITL,
		Compaction: f.Compaction, HibernateAfterMs: f.HibernateAfter.Milliseconds(), Wake: f.wake,
		Confirmed: slices.Clone(f.confirmed),
	}
	if f.Workspace != "" {
		var err error
		if r.Workspace, err = f.here(); err != nil {
			return r, err
		}
		r.Confirmed = append(r.Confirmed, "wide:"+r.Workspace) // the user has named it
	}
	for flag, limit := range map[string]int64{"max-steps": f.MaxSteps, "max-tokens": f.MaxTokens, "timeout": f.Timeout.Milliseconds()} {
		if f.Given(flag) && limit == 0 {
			r.Unlimited = append(r.Unlimited, strings.ReplaceAll(flag, "-", "_"))
		}
	}
	if f.Given("budget") {
		budget, err := f.Budget.MarshalText()
		if err != nil {
			return r, err
		}
		r.BudgetUSD = string(budget)
	}
	if f.OutputSchema != "" {
		data, err := core.ReadRegular(f.OutputSchema, answer.MaxSchemaBytes)
		if err != nil {
			return r, core.Wrap(core.Invalid, err, "read the schema")
		}
		if _, err := answer.Parse(data); err != nil {
			return r, core.Wrap(core.Invalid, err, "--output-schema %s", f.OutputSchema)
		}
		r.OutputSchema = data
	}
	for _, path := range f.Images {
		image, err := launch.ReadImage(path)
		if err != nil {
			return r, err
		}
		r.Images = append(r.Images, image)
	}
	return r, nil
}

// Find returns the session that the flags select; the zero value: a new session.
func (f *RunOptions) Find(ctx context.Context, db *sqlite.DB) (core.Session, error) {
	if !f.Newest {
		return find.SessionOrNone(ctx, db, f.Session)
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
	return core.Session{}, core.E(core.NotFound, "no session in %s", here).WithHint("coppice sessions lists all of them")
}

// here returns the folder that the flags name, or the current folder.
func (f *RunOptions) here() (string, error) {
	path, err := filepath.Abs(f.Workspace)
	return path, core.Wrap(core.Invalid, err, "find the workspace")
}

// folder returns the workspace of a run: the folder that the flags name, else the workspace of the session if it exists
// on this machine, else the current folder.
func (f *RunOptions) folder(s core.Session) (string, error) {
	if f.Workspace == "" && s.WorkspacePath != "" {
		if path, err := launch.Workspace(s.WorkspacePath, core.Session{}); err == nil {
			return path, nil
		}
	}
	here, err := f.here()
	if err != nil {
		return "", err
	}
	return launch.Workspace(here, core.Session{})
}

// NotNegative returns an error if the value of a flag is negative.
func NotNegative(flag string, value int64) error {
	if value < 0 {
		return core.E(core.Invalid, "invalid --%s %d: want 0 or more", flag, value)
	}
	return nil
}
