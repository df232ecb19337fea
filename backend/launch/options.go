package launch

import (
	"context"

	"coppice/backend/lists"

	"coppice/backend/config"
	"coppice/backend/core"
)

// ComposerOptions are what a run can be given, and what it would be given.
type ComposerOptions struct {
	Models    []core.ModelInfo      `json:"models"`
	Agents    []AgentInfo           `json:"agents"`
	Model     string                `json:"model"` // PROVIDER/MODEL that a run would use; empty: none is reachable
	Agent     string                `json:"agent"`
	Mode      string                `json:"mode"`
	Workspace string                `json:"workspace"`
	Problems  []ProviderState       `json:"problems"` // why what is not here is not here
	Sandbox   string                `json:"sandbox"`  // what confines commands, in words
	Trust     config.WorkspaceTrust `json:"trust"`
}

// ProviderState says why a provider cannot be used, and what to do about it.
type ProviderState struct {
	Provider string `json:"provider"`
	Message  string `json:"message"`
	Hint     string `json:"hint"`
}

// AgentInfo describes an agent.
type AgentInfo struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Mode        string `json:"mode"`
	Model       string `json:"model"` // empty: the run's
}

// Options is what a run of the session can be given, and what it would be given.
func (o *RunEnv) Options(ctx context.Context, session core.Session) (ComposerOptions, error) {
	catalog, err := o.Registry.Models(ctx)
	if err != nil {
		return ComposerOptions{}, err
	}
	out := ComposerOptions{
		Models: lists.NonNil(catalog.Models), Agents: []AgentInfo{}, Problems: []ProviderState{}, Workspace: o.Workspace, Sandbox: o.level(), Trust: o.Trust,
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
	former, err := LastRun(ctx, o.DB, session)
	if err != nil {
		return out, err
	}
	agent, err := o.ChooseAgent(RunRequest{}, former)
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
