package launch

import (
	"cmp"
	"context"

	"coppice/backend/config"
	"coppice/backend/core"
	"coppice/backend/sqlite"
)

// FormerState returns the run state that a session continues with after a message, or after its head if fromUID is empty. It is the zero
// value if the session has no run. If the state is damaged, or an older version wrote the run, it is the part that the last run
// recorded.
func FormerState(ctx context.Context, db *sqlite.DB, session core.Session, fromUID string) (core.RunState, error) {
	state, _, err := formerState(ctx, db, session, fromUID)
	return state, err
}

// formerState returns the same as FormerState, and a notice if the state of the last run is missing or damaged.
func formerState(ctx context.Context, db *sqlite.DB, session core.Session, fromUID string) (state core.RunState, lost []string, err error) {
	if session.ID == "" {
		return state, nil, nil
	}
	state, found, damaged := db.StateAt(ctx, session.ID, fromUID)
	if found || damaged != nil && core.CodeOf(damaged) != core.Corrupt {
		return state, nil, damaged
	}
	last, err := LastRun(ctx, db, session)
	if err != nil || last.ID == "" {
		return core.RunState{}, nil, err
	}
	notice := "the last run recorded no run state: the session continues with its messages and the settings known of that run"
	if damaged != nil {
		notice = "the run state of the checkpoint is damaged: the session continues with its messages and the settings known of the last run"
	}
	return core.RunState{
		Agent: core.Agent{Name: last.Agent}, Model: last.Model, BaseURL: last.BaseURL, Mode: last.Mode, Limits: last.Budget, WorkspacePath: last.WorkspacePath,
		Imported: last.Imported,
	}, []string{notice}, nil
}

// resumedFrom returns what a run continues a session with, unless its messages are damaged or refused.
func resumedFrom(session core.Session, former core.RunState, lost []string) core.ResumedFrom {
	switch {
	case session.ID == "":
		return ""
	case len(lost) == 0 && former.Model != "":
		return core.ResumedCheckpoint
	default:
		return core.ResumedMessages
	}
}

// modeOf returns the mode that a session continues with. An imported run permits nothing: after one of mode yolo, the user is asked.
func modeOf(former core.RunState) core.Mode {
	if former.Imported && former.Mode == core.ModeYolo {
		return core.ModeConfirmSensitive
	}
	return former.Mode
}

// stricterMode returns a notice if a session continues with another mode than that of its imported run.
func stricterMode(request RunRequest, former core.RunState) []string {
	mode := modeOf(former)
	if request.Mode != "" || request.Agent != "" || mode == former.Mode {
		return nil
	}
	return []string{"the session was imported: it continues in the mode " + string(mode) + " instead of " + string(former.Mode)}
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
	if !keepsDefinition(former) {
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
	agent.Mode, agent.Limits = modeOf(former), former.Limits
	return agent, nil
}

// keepsDefinition reports whether a session continues with the recorded definition of its agent: an older version recorded none, and
// that of an imported run would put a stranger's words into the system prompt.
func keepsDefinition(former core.RunState) bool {
	return former.Agent.Prompt != "" && !former.Imported
}

// changedAgent returns a notice if the file of an agent differs from the definition that a session continues with.
func (o *RunEnv) changedAgent(request RunRequest, former core.RunState) []string {
	file, found := config.FindAgent(o.Agents, former.Agent.Name)
	if request.Agent != "" || !keepsDefinition(former) || !found || file.Source == "" || file.Prompt == former.Agent.Prompt {
		return nil
	}
	return []string{"the agent " + former.Agent.Name + " was edited since; the session continues with its earlier prompt until the agent is named again"}
}
