package launch

import (
	"cmp"
	"context"

	"coppice/backend/config"
	"coppice/backend/core"
	"coppice/backend/sqlite"
)

// FormerState returns the run state that a session continues with after a message, or after its head if fromUID is empty. It is the zero
// value if the session has no run. A run of an older version recorded a part of its state only.
func FormerState(ctx context.Context, db *sqlite.DB, session core.Session, fromUID string) (core.RunState, error) {
	if session.ID == "" {
		return core.RunState{}, nil
	}
	state, found, err := db.StateAt(ctx, session.ID, fromUID)
	if err != nil || found {
		return state, err
	}
	last, err := LastRun(ctx, db, session)
	if err != nil || last.ID == "" {
		return core.RunState{}, err
	}
	return core.RunState{
		Agent: core.Agent{Name: last.Agent}, Model: last.Model, BaseURL: last.BaseURL, Mode: last.Mode, Limits: last.Budget, WorkspacePath: last.WorkspacePath,
	}, nil
}

// ChooseAgent returns the agent of the request, else that of the session's former state, else the configured one. Its mode, effort
// and limits are those that the run starts with, apart from what the request overrides.
//
// A session continues with the definition of its agent that was recorded: an edited file changes a session only if the request
// names the agent. Another agent keeps the limits of cost and tokens, which are those of the whole session.
func (o *RunEnv) ChooseAgent(request RunRequest, former core.RunState) (core.Agent, error) {
	if request.Agent != "" || former.Agent.Name == "" {
		agent, err := o.Resolve(request.Agent)
		if former.Agent.Name != "" {
			agent.Limits.CostNanoUSD = cmp.Or(former.Limits.CostNanoUSD, agent.Limits.CostNanoUSD)
			agent.Limits.Tokens = cmp.Or(former.Limits.Tokens, agent.Limits.Tokens)
		}
		return agent, err
	}
	agent := former.Agent
	if agent.Prompt == "" { // the definition was not recorded
		if _, found := config.FindAgent(o.Agents, agent.Name); !found {
			return o.Resolve("")
		}
		var err error
		if agent, err = o.Resolve(agent.Name); err != nil {
			return agent, err
		}
		agent.Effort = cmp.Or(former.Effort, agent.Effort)
	} else {
		agent.Effort = former.Effort
	}
	agent.Mode, agent.Limits = former.Mode, former.Limits
	return agent, nil
}

// changedAgent returns a notice if the file of an agent differs from the definition that a session continues with.
func (o *RunEnv) changedAgent(request RunRequest, former core.RunState) []string {
	file, found := config.FindAgent(o.Agents, former.Agent.Name)
	if request.Agent != "" || former.Agent.Prompt == "" || !found || file.Source == "" || file.Prompt == former.Agent.Prompt {
		return nil
	}
	return []string{"the agent " + former.Agent.Name + " was edited since; the session continues with its earlier prompt until the agent is named again"}
}
