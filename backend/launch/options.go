package launch

import (
	"context"

	"coppice/backend/config"
	"coppice/backend/core"
	"coppice/backend/lists"
)

// ComposerOptions are the options of a run and their defaults for a session.
type ComposerOptions struct {
	Models    []core.ModelInfo      `json:"models"`
	Agents    []AgentInfo           `json:"agents"`
	Teams     []TeamInfo            `json:"teams"`    // those that can be named here
	Commands  []CommandInfo         `json:"commands"` // the user's own
	Model     string                `json:"model"`    // the default, as PROVIDER/MODEL; empty if no model is available
	Agent     string                `json:"agent"`
	Mode      string                `json:"mode"`
	Effort    string                `json:"effort"`    // empty: the model's own
	BudgetUSD string                `json:"budgetUsd"` // empty: no limit
	MaxSteps  int64                 `json:"maxSteps"`  // 0: no limit
	Workspace string                `json:"workspace"`
	Problems  []ProviderState       `json:"problems"` // why providers cannot be used
	Sandbox   string                `json:"sandbox"`  // description of what confines commands
	Trust     config.WorkspaceTrust `json:"trust"`
}

// ProviderState describes why a provider cannot be used, and the remedy.
type ProviderState struct {
	Provider string      `json:"provider"`
	Message  string      `json:"message"`
	Hint     string      `json:"hint"`
	Remedy   core.Remedy `json:"-"`
}

// AgentInfo describes an agent.
type AgentInfo struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Mode        string `json:"mode"`
	Model       string `json:"model"` // empty: the model of the run
}

// CommandInfo describes a command of the user, which a prompt names as /NAME.
type CommandInfo struct {
	Name        string `json:"name"`
	Takes       string `json:"takes"` // what its arguments are; empty: unknown
	Description string `json:"description"`
}

// Options returns the options of a run of the session and their defaults.
func (o *RunEnv) Options(ctx context.Context, session core.Session) (ComposerOptions, error) {
	catalog, err := o.Registry.Models(ctx)
	if err != nil {
		return ComposerOptions{}, err
	}
	out := ComposerOptions{
		Models: lists.NonNil(catalog.Models), Agents: []AgentInfo{}, Teams: []TeamInfo{}, Commands: []CommandInfo{}, Problems: []ProviderState{}, Workspace: o.Workspace, Sandbox: o.level(), Trust: o.Trust,
	}
	for _, p := range catalog.Providers {
		if p.Code != "" {
			out.Problems = append(out.Problems, ProviderState{Provider: p.Provider, Message: p.Problem, Hint: p.Hint, Remedy: p.Remedy})
		}
	}
	for _, a := range o.AllAgents() {
		effective, err := o.Resolve(a.Name)
		if err != nil {
			return out, err
		}
		out.Agents = append(out.Agents, AgentInfo{Name: a.Name, Description: a.Description, Mode: string(effective.Mode), Model: a.Model})
	}
	for _, c := range o.Commands {
		out.Commands = append(out.Commands, CommandInfo{c.Name, c.Takes, c.Description})
	}
	former, err := FormerState(ctx, o.DB, session, "")
	if err != nil {
		return out, err
	}
	if out.Teams, err = o.Teams(); err != nil {
		return out, err
	}
	agent, err := o.ChooseAgent(RunRequest{}, former)
	if err != nil {
		return out, err
	}
	out.Agent, out.Mode, out.Effort, out.MaxSteps = agent.Name, string(agent.Mode), string(agent.Effort), agent.Limits.Steps
	if cost := agent.Limits.CostNanoUSD; cost > 0 {
		text, err := config.Dollars(cost).MarshalText()
		if err != nil {
			return out, err
		}
		out.BudgetUSD = string(text)
	}
	out.Model, err = o.chooseModel(ctx, RunRequest{}, former, agent)
	if core.CodeOf(err) == core.NotFound { // without a model, the page shows what to do
		err = nil
	}
	return out, err
}
