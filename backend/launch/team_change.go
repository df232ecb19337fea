package launch

import (
	"context"
	"maps"
	"slices"
	"strings"

	"coppice/backend/core"
	"coppice/backend/engine"
	"coppice/backend/team"
)

// teamBuilder prepares the agents of a team for a run, also again when the user changes the team.
type teamBuilder struct {
	env     *RunEnv
	request RunRequest
	former  core.RunState
	system  func(a core.Agent) string // the system prompt of an agent
}

// build sets what the agents of a team run with, and the members of the team. The notices are what the user should know.
func (b *teamBuilder) build(ctx context.Context, crew *core.TeamRun, agents *map[string]*engine.TeamAgent) (notices []string, err error) {
	built, members := map[string]*engine.TeamAgent{}, []core.TeamMember{}
	for i := range crew.Definition.Agents {
		agent := &crew.Definition.Agents[i]
		member := core.TeamMember{Name: agent.Name}
		if at := slices.IndexFunc(crew.Members, func(m core.TeamMember) bool { return m.Name == agent.Name }); at >= 0 {
			member = crew.Members[at]
		}
		one, more, err := b.env.teamAgent(ctx, b.request, b.former, agent, member)
		if err != nil {
			return nil, core.Wrap(core.CodeOf(err), err, "prepare the agent %s", agent.Name)
		}
		prompted := one.Agent
		prompted.Prompt = strings.TrimSpace(prompted.Prompt) + "\n\n" + teamwork(&crew.Definition, agent.Name)
		one.System = b.system(prompted)
		built[agent.Name] = one
		members = append(members, core.TeamMember{Name: agent.Name, Model: one.ModelRef, BaseURL: one.BaseURL, Mode: one.Mode, Effort: one.Effort})
		notices = append(notices, more...)
	}
	crew.Members, *agents = members, built
	return notices, nil
}

// change implements engine.Team.Change.
func (b *teamBuilder) change(ctx context.Context, crew core.TeamRun, c team.Change) (core.TeamRun, map[string]*engine.TeamAgent, error) {
	if err := b.env.applyChange(&crew, c); err != nil {
		return crew, nil, err
	}
	other := *b
	other.request.AgentModels = maps.Clone(b.request.AgentModels)
	if c.Model != "" {
		delete(other.request.AgentModels, c.Agent) // the newer choice counts
	}
	var agents map[string]*engine.TeamAgent
	_, err := other.build(ctx, &crew, &agents)
	if err == nil {
		b.request = other.request
	}
	return crew, agents, err
}

// changeTeam applies a change as it is typed.
func (o *RunEnv) changeTeam(crew *core.TeamRun, text string) error {
	c, ok := team.ParseChange(text)
	if !ok {
		return core.E(core.Invalid, "invalid change of the team %q: want /skip NAME, /unskip NAME, /model NAME=PROVIDER/MODEL or /add NAME", text)
	}
	return o.applyChange(crew, c)
}

// applyChange changes a team. It shares nothing with the team before that it changes. Adding an agent of the team again changes nothing.
func (o *RunEnv) applyChange(crew *core.TeamRun, c team.Change) (err error) {
	switch c.Verb {
	case team.ChangeSkip, team.ChangeUnskip:
		crew.Definition, err = team.Skip(crew.Definition, c.Agent, c.Verb == team.ChangeSkip)
		return err
	case team.ChangeAdd:
		if _, ok := crew.Definition.Find(c.Agent); ok {
			return nil
		}
		agent, err := o.Resolve(c.Agent)
		if err != nil {
			return err
		}
		if c.Model != "" {
			agent.Model = c.Model
		}
		agent.Limits = core.Budget{Steps: agent.Limits.Steps} // the others are the team's
		crew.Definition.Agents = append(slices.Clip(crew.Definition.Agents), core.TeamAgent{Agent: agent})
		if len(crew.Definition.Selection.Branches) > 0 {
			crew.Definition.Selection.Branches = append(slices.Clip(crew.Definition.Selection.Branches), agent.Name)
		}
		return nil
	}
	at := slices.IndexFunc(crew.Definition.Agents, func(a core.TeamAgent) bool { return a.Name == c.Agent })
	if at < 0 {
		return core.E(core.Invalid, "unknown agent %q", c.Agent)
	}
	crew.Definition.Agents = slices.Clone(crew.Definition.Agents)
	crew.Definition.Agents[at].Model = c.Model
	crew.Members = slices.DeleteFunc(slices.Clone(crew.Members), func(m core.TeamMember) bool { return m.Name == c.Agent })
	return nil
}
