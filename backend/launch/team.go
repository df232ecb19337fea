package launch

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"coppice/backend/config"
	"coppice/backend/core"
	"coppice/backend/engine"
)

// chooseTeam returns the team of the request, else that of the session's former state unless the request names an agent; nil: one agent
// works alone. As with agents, a session continues with the definition that was recorded. That of an imported run is not used.
func (o *RunEnv) chooseTeam(request RunRequest, former core.RunState) (*core.TeamRun, error) {
	switch {
	case request.Team != "" && request.Agent != "":
		return nil, core.E(core.Invalid, "a run has an agent or a team, not both").WithHint("give one of them")
	case request.Team != "":
		definition, err := o.Team(request.Team)
		if err != nil {
			return nil, err
		}
		if o.bringsTeam(request.Team) {
			for i := range definition.Agents {
				if a := &definition.Agents[i]; a.Mode == core.ModeYolo {
					a.Mode = core.ModeConfirmSensitive
				}
			}
		}
		crew := &core.TeamRun{Definition: definition}
		if former.Team != nil && !former.Imported && !request.Says() {
			if _, ok := definition.Find(former.Team.State.Agent); ok {
				crew.State = former.Team.State // the work continues with the changed definition
			}
		}
		return crew, nil
	case former.Team != nil && !former.Imported && request.Agent == "":
		return new(*former.Team), nil
	}
	return nil, nil
}

// bringsTeam reports whether a team is a file of a workspace that the user does not trust: what it permits is not in force.
func (o *RunEnv) bringsTeam(ref string) bool {
	if o.Trusted {
		return false
	}
	absolute, err := filepath.Abs(ref)
	if err != nil {
		return true
	}
	below, err := filepath.Rel(config.Resolved(o.Workspace), config.Resolved(absolute))
	return err != nil || filepath.IsLocal(below)
}

// teamTask resolves a request into a task for a team.
func (o *RunEnv) teamTask(ctx context.Context, request RunRequest, session core.Session, former core.RunState, lost []string, crew *core.TeamRun) (task engine.Task, release func(), err error) {
	release = func() {}
	for _, name := range slices.Sorted(maps.Keys(request.AgentModels)) {
		if _, ok := crew.Definition.Find(name); !ok {
			return task, release, core.E(core.Invalid, "the model %s is given for %q, which is no agent of the team", request.AgentModels[name], name)
		}
	}
	for _, text := range request.TeamChanges {
		if err := o.changeTeam(crew, text); err != nil {
			return task, release, err
		}
	}
	limits := crew.Definition.Limits
	if former.Team != nil && request.Team == "" {
		limits = former.Limits
	}
	if limits, err = request.limits(limits); err != nil {
		return task, release, err
	}
	if err := CheckMode(request.Mode); err != nil {
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
	place := engine.EnvironmentOf(o.Workspace, box.box.Level(), time.Now())
	builder := teamBuilder{env: o, request: request, former: former, system: func(a core.Agent) string {
		return engine.SystemPrompt(a, place, instructions, o.Trusted) + config.SkillsPrompt(a, o.Skills) + missingStart(session)
	}}
	team := &engine.Team{TeamRun: *crew, Change: builder.change}
	notices, err := builder.build(ctx, &team.TeamRun, &team.Agents)
	if err != nil {
		return task, release, err
	}
	for _, tool := range box.all() {
		if tool.Spec().Name == "run_command" {
			team.Command = tool
		}
	}
	slices.Sort(notices)
	task = engine.Task{
		SessionID: session.ID, Name: request.Name, From: request.FromUID, Root: request.Root, Cites: request.Cites, Servers: box.servers(),
		Instructions: instructions, Team: team, Delegation: o.delegation(), Tools: box.all(), Renew: box.all, Budget: limits, WorkspacePath: o.Workspace,
		Notices:  slices.Concat(o.Ignored, o.RelativeArguments(), lost, box.notices(), slices.Compact(notices)),
		NewSteps: request.sets("max_steps", request.MaxSteps, former.Limits.Steps), NewTimeout: request.sets("timeout", request.TimeoutMs, former.Limits.TimeoutMs),
		Summary: request.Summary, TakeOver: request.TakeOver, ResumedFrom: resumedFrom(session, former, lost), HibernateAfterMs: request.HibernateAfterMs, Wake: request.Wake,
	}
	task.Enter(cmp.Or(crew.State.Agent, crew.Definition.Agents[0].Name))
	return task, release, nil
}

// teamAgent resolves what an agent of a team runs with. member is what it had in the session's former run.
func (o *RunEnv) teamAgent(ctx context.Context, request RunRequest, former core.RunState, agent *core.TeamAgent, member core.TeamMember) (*engine.TeamAgent, []string, error) {
	ref := cmp.Or(member.Model, agent.Model, request.Model, o.Model)
	if request.Model != "" && agent.Model == "" {
		ref = request.Model
	}
	ref = cmp.Or(request.AgentModels[agent.Name], ref)
	if ref == "" {
		var err error
		if ref, err = o.Registry.Default(ctx); err != nil {
			return nil, nil, err
		}
	}
	then := core.RunState{Model: member.Model, BaseURL: member.BaseURL, Imported: former.Imported}
	baseURL, server, err := o.chooseServer(request, then, ref)
	if err != nil {
		return nil, nil, err
	}
	model, info, err := o.Registry.Open(ctx, ref, baseURL)
	if err != nil {
		return nil, nil, err
	}
	plan, summarizer, notices, err := o.contextPlan(ctx, request, core.RunState{Imported: true}, agent.Agent, info, baseURL)
	if err != nil {
		return nil, nil, err
	}
	return &engine.TeamAgent{
		Agent: agent.Agent, ModelRef: info.Provider + "/" + info.ID, BaseURL: server, Model: model, Info: info,
		Effort: cmp.Or(core.Effort(request.Effort), member.Effort, agent.Effort), Mode: cmp.Or(core.Mode(request.Mode), member.Mode, agent.Mode), Context: plan, Summarizer: summarizer,
	}, notices, nil
}

// teamwork describes to an agent the team that it works in.
func teamwork(t *core.Team, name string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Your team\n\nYou are %s, one of several agents that work on the same task in one conversation:\n", name)
	for i := range t.Agents {
		a := &t.Agents[i]
		fmt.Fprintf(&b, "- %s", a.Name)
		if a.Description != "" {
			b.WriteString(": " + a.Description)
		}
		b.WriteString("\n")
	}
	b.WriteString("The answers of the others begin with their name, as in [" + t.Agents[0].Name + "]. Answer only as yourself, and do not begin with your name.")
	return b.String()
}
