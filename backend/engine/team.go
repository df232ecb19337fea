package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"coppice/backend/core"
	"coppice/backend/team"
)

// Team is the team that works on a task. Each turn of an agent is a run of ordinary steps; between two turns the team's state alone
// changes, and the next request stores it. So a run that was killed between two turns computes the same turn again.
type Team struct {
	core.TeamRun
	Agents map[string]*TeamAgent // by name: all of the definition
	// Command runs the commands of gates; nil: they fail.
	Command Tool
	// Change returns the team after a change that the user requests, and what its agents run with; nil: it cannot be changed.
	Change func(ctx context.Context, crew core.TeamRun, c team.Change) (core.TeamRun, map[string]*TeamAgent, error)
}

// TeamAgent is what an agent of a team runs with, as Task has it for one agent.
type TeamAgent struct {
	Agent      core.Agent
	System     string
	ModelRef   string
	BaseURL    string
	Model      Model
	Info       core.ModelInfo
	Effort     core.Effort
	Mode       core.Mode
	Context    core.ContextPlan
	Summarizer *Summarizer
}

// current returns the agent of the state; before the first turn, the first one of the definition.
func (t *Team) current() string {
	if _, ok := t.Agents[t.State.Agent]; ok {
		return t.State.Agent
	}
	return t.Definition.Agents[0].Name
}

// Enter makes an agent of the team the one that works on the task.
func (t *Task) Enter(name string) {
	a := t.Team.Agents[name]
	t.Agent, t.System, t.ModelRef, t.BaseURL, t.Model, t.Info = a.Agent, a.System, a.ModelRef, a.BaseURL, a.Model, a.Info
	t.Effort, t.Mode, t.Context, t.Summarizer = a.Effort, a.Mode, a.Context, a.Summarizer
	if t.Aside {
		t.Mode = core.ModePlan
	}
}

// enter begins to work as the agent of the team's state.
func (r *run) enter() {
	r.task.Enter(r.task.Team.State.Agent)
	r.row.Agent, r.row.Model, r.row.BaseURL, r.row.Mode = r.task.Agent.Name, r.task.ModelRef, r.task.BaseURL, r.task.Mode
	r.form, r.recent, r.reminders, r.pause = core.RequestForm{}, nil, 0, 0
	r.offer()
}

// offer sets the tools that the model is offered now.
func (r *run) offer() {
	tools := r.task.Tools
	if r.task.Renew != nil {
		tools = r.task.Renew()
	}
	t := r.task.Team
	if t != nil {
		tools = ChooseTools(r.task.Agent, tools)
	}
	if len(r.task.Agent.Delegates) > 0 && r.task.Delegation != nil {
		tools = append(slices.Clip(tools), delegate{r})
	}
	if t == nil {
		r.setTools(tools)
		return
	}
	if signals := team.SignalsOf(&t.Definition, t.State.Agent); len(signals) > 0 && t.State.Phase == core.PhaseWork {
		tools = append(slices.Clip(tools), handoff{signals})
	}
	r.setTools(tools)
}

// seen returns a path as the agent sees it.
func (r *run) seen(path []core.Message) []core.Message {
	if r.task.Team == nil {
		return path
	}
	return team.Seen(path, &r.task.Team.TeamRun)
}

// path returns the conversation up to the head.
func (r *run) path(ctx context.Context) ([]core.Message, error) {
	if r.head == "" {
		return nil, nil
	}
	return r.Store.Conversation(ctx, r.row.SessionID, r.head)
}

// startTeam begins the work on a prompt, or continues a turn. A turn that was finished, but whose successor did not send a request, is
// followed by that now.
func (r *run) startTeam(ctx context.Context) (core.StopReason, error) {
	t := r.task.Team
	path, err := r.path(ctx)
	if err != nil {
		return "", err
	}
	r.changeAgain(ctx, path)
	if t.State.Agent == "" {
		prompt := ""
		for i := range path {
			if path[i].IsPrompt() {
				prompt = textOf(path[i].Parts)
			}
		}
		return r.proceed(ctx, team.Start(&t.Definition, prompt), team.Turn{})
	}
	if !slices.ContainsFunc(path, func(m core.Message) bool { return m.UID == t.State.StartUID }) {
		t.State.StartUID = r.head // the user has gone elsewhere in the tree: the turn begins again there
	}
	turn, done, err := r.turn(ctx, path)
	if err != nil {
		return "", err
	}
	if done {
		return r.proceed(ctx, team.Next(&t.Definition, t.State, turn), turn)
	}
	if err := r.readTurn(ctx); err != nil {
		return "", err
	}
	if n := len(r.context); n > 0 && r.context[n-1].Role == core.RoleAssistant {
		return "", r.instruct(ctx, "[SYSTEM] The work was stopped here. Continue the task from where it left off.")
	}
	return "", nil
}

// pathOfTurn returns the conversation from the last message before the turn up to the head.
func (r *run) pathOfTurn(ctx context.Context) ([]core.Message, error) {
	if r.head == "" {
		return nil, nil
	}
	return r.Store.PathSince(ctx, r.row.SessionID, r.head, r.task.Team.State.StartUID)
}

// pathOfAgent returns the part of the conversation that the context of the agent is derived from. A compaction that keeps what the agent
// does not see needs the whole conversation.
func (r *run) pathOfAgent(ctx context.Context) ([]core.Message, error) {
	if r.head == "" || r.form.Context == core.ContextSummary {
		return r.path(ctx)
	}
	s := &r.task.Team.State
	if team.ViewOf(&r.task.Team.TeamRun) == core.ViewLast {
		if path, err := r.pathOfTurn(ctx); err != nil || len(path) > 0 && path[0].UID == s.StartUID && team.IsJudgedBy(&path[0], s.Agent) {
			return path, err
		}
		return r.path(ctx)
	}
	path, err := r.Store.AgentPath(ctx, r.row.SessionID, r.head, s.Agent, s.StartUID)
	if err != nil {
		return nil, err
	}
	seen := r.seen(path)
	for i := len(seen) - 1; i >= 0; i-- {
		if seen[i].Kind != core.KindCompaction {
			continue
		}
		c, keeps := seen[i].Compaction()
		if keeps && !slices.ContainsFunc(seen, func(m core.Message) bool { return m.UID == c.FirstKept }) {
			return r.path(ctx)
		}
		break
	}
	return path, nil
}

// readTurn reads the context of the turn.
func (r *run) readTurn(ctx context.Context) error {
	path, err := r.pathOfAgent(ctx)
	if err != nil {
		return err
	}
	state := r.state()
	r.context = contextOf(path, &state)
	return nil
}

// turn returns what the agent has done in its turn; done reports whether the turn is finished.
func (r *run) turn(ctx context.Context, path []core.Message) (turn team.Turn, done bool, err error) {
	s := &r.task.Team.State
	from := slices.IndexFunc(path, func(m core.Message) bool { return m.UID == s.StartUID }) + 1
	for i := from; i < len(path); i++ {
		switch m := &path[i]; {
		case m.Role == core.RoleUser && m.Kind != core.KindMeta && m.Kind != core.KindCompaction && !team.IsChange(m):
			turn.Human = append(turn.Human, textOf(m.Parts))
		case m.Role == core.RoleAssistant && m.Agent == s.Agent:
			if text := textOf(m.Parts); text != "" {
				turn.Text = text
			}
			done = isAnswer(m)
			if len(ownCalls(m)) > 0 {
				err = r.gather(ctx, m, path[i+1:], &turn)
			}
		case m.Role == core.RoleTool:
			done = done || len(handedOver(m)) > 0
			turn.Signals = append(turn.Signals, handedOver(m)...)
		}
		if err != nil {
			return turn, false, err
		}
	}
	total := r.spent
	total.add(&r.row)
	turn.Tokens, turn.CostNanoUSD, turn.ElapsedMs = total.tokens, total.costNanoUSD, r.row.UsedMs+r.Now()-r.row.StartedAtMs
	if r.row.UnpricedSteps > 0 {
		turn.CostNanoUSD = math.MaxInt64 // a limit of an unknown cost cannot be kept
	}
	return turn, done, nil
}

// isAnswer reports whether a message ends a turn.
func isAnswer(m *core.Message) bool {
	return len(ownCalls(m)) == 0 && textOf(m.Parts) != "" && m.FinishReason != core.FinishLength && m.FinishReason != core.FinishAborted && m.FinishReason != core.FinishError
}

// passed reports whether the result of a call in the messages after it is no error.
func passed(callID string, after []core.Message) bool {
	for i := range after {
		for j := range after[i].Parts {
			if p := &after[i].Parts[j]; p.Type == core.PartToolResult && p.ID == callID {
				return !p.IsError
			}
		}
	}
	return false
}

// gather adds what the calls of an answer have done: facts, not claims.
func (r *run) gather(ctx context.Context, m *core.Message, results []core.Message, turn *team.Turn) error {
	execs, err := r.Store.Execs(ctx, r.row.SessionID, m.UID)
	if err != nil {
		return err
	}
	changes, err := r.Store.FileChanges(ctx, r.row.SessionID, m.UID)
	if err != nil {
		return err
	}
	for _, change := range changes {
		turn.Wrote = append(turn.Wrote, change.Path)
	}
	calls := ownCalls(m)
	for i := range execs {
		e := &execs[i]
		if e.State != core.ExecDone || int(e.Position) >= len(calls) {
			continue
		}
		var given struct {
			Command string `json:"command"`
		}
		if json.Unmarshal(calls[e.Position].Arguments, &given) == nil && given.Command != "" && passed(e.CallID, results) {
			turn.Passed = append(turn.Passed, given.Command)
		}
	}
	return nil
}

// followTurn does what an answer in a turn of a team requests. An empty reason means that a model is to be called again, that of this agent
// or of the next one.
func (r *run) followTurn(ctx context.Context, answer *core.Message) (core.StopReason, error) {
	calls := ownCalls(answer)
	if len(calls) > 0 {
		if err := r.work(ctx, answer, calls); err != nil {
			return "", err
		}
		if r.isLooping(calls) {
			r.emit(Event{Type: EventNotice, Text: "stopped: the model repeats the same calls with the same results"})
			return core.StopDoomLoop, nil
		}
		if len(handedOver(&r.context[len(r.context)-1])) == 0 {
			return "", r.limitTurn(ctx)
		}
	} else if asked, err := r.remind(ctx, answer); err != nil || asked {
		return "", err
	}
	if _, reason, err := r.review(ctx, answer); err != nil || reason != "" {
		return reason, err
	}
	if _, err := r.takeQueued(ctx); err != nil {
		return "", err
	}
	return r.nextTurn(ctx)
}

// limitTurn lets the agent end its turn if it has used up the steps of a turn.
func (r *run) limitTurn(ctx context.Context) error {
	limit := r.task.Agent.Limits.Steps
	if limit == 0 || r.form.Closing {
		return nil
	}
	path, err := r.pathOfTurn(ctx)
	if err != nil {
		return err
	}
	from := slices.IndexFunc(path, func(m core.Message) bool { return m.UID == r.task.Team.State.StartUID }) + 1
	steps := int64(0)
	for i := from; i < len(path); i++ {
		if path[i].Role == core.RoleAssistant {
			steps++
		}
	}
	if steps < limit {
		return nil
	}
	why := fmt.Sprintf("%s has used its %d steps of a turn", r.task.Agent.Name, limit)
	r.emit(Event{Type: EventNotice, Text: why})
	return r.askToClose(ctx, why)
}

// nextTurn hands over after a turn.
func (r *run) nextTurn(ctx context.Context) (core.StopReason, error) {
	if err := r.recount(ctx); err != nil {
		return "", err
	}
	path, err := r.pathOfTurn(ctx)
	if err != nil {
		return "", err
	}
	turn, _, err := r.turn(ctx, path)
	if err != nil {
		return "", err
	}
	return r.proceed(ctx, team.Next(&r.task.Team.Definition, r.task.Team.State, turn), turn)
}

// proceed does what a state of the team requires before the next turn begins. A reason means that the work ends.
func (r *run) proceed(ctx context.Context, s core.TeamState, turn team.Turn) (core.StopReason, error) {
	t := r.task.Team
	for {
		switch {
		case s.End == core.TeamStuck && s.Held != nil && r.task.Ask != nil:
			overruled, err := r.approve(ctx, "Hand over although "+s.Why)
			if err != nil {
				return "", err
			}
			if !overruled {
				return r.endTeam(&s)
			}
			s = team.Overrule(s)
		case s.End != "":
			return r.endTeam(&s)
		case len(s.Gates) > 0:
			why, err := r.checkGates(ctx, s.Gates, turn)
			if err != nil {
				return "", err
			}
			if why == noUser {
				return core.StopRefused, nil
			}
			s = team.Gated(&t.Definition, s, why)
		case s.Phase == core.PhaseBranches:
			var reason core.StopReason
			var err error
			if s, reason, err = r.runBranches(ctx, s, turn); err != nil || reason != "" {
				return reason, err
			}
		default:
			return "", r.beginTurn(ctx, s)
		}
	}
}

// beginTurn lets the agent of a state work.
func (r *run) beginTurn(ctx context.Context, s core.TeamState) error {
	t := r.task.Team
	s.StartUID = r.head
	t.State = s
	r.enter()
	words := s.Agent
	switch s.Phase {
	case core.PhaseChoose:
		words += " chooses the next agent"
	case core.PhasePlan:
		words += " plans"
	case core.PhaseLedger:
		words += " judges the progress"
	case core.PhaseFinal:
		words += " writes the result"
	case core.PhaseJudge, core.PhaseJoin:
		words += " is the judge"
	case core.PhaseAddressed:
		words += " is addressed"
	case core.PhaseWork, core.PhaseBranches, core.PhaseBranch:
	}
	if s.Why != "" {
		words += ": " + core.Cut(strings.Join(strings.Fields(s.Why), " "), 200)
	}
	r.emit(Event{Type: EventTurn, Text: words, Agents: []string{s.Agent}})
	return r.readTurn(ctx)
}

// endTeam returns how the run ends. The state in which it does is not stored: a run that continues computes it again, under its limits.
func (r *run) endTeam(s *core.TeamState) (core.StopReason, error) {
	switch s.End {
	case core.TeamStuck:
		return core.StopError, core.E(core.Conflict, "the team cannot go on: %s", s.Why).WithHint("resume the session with a task that helps it, such as: @%s …", s.Agent)
	case core.TeamLimit:
		r.emit(Event{Type: EventNotice, Text: "the team stops: " + s.Why})
		return core.StopMaxSteps, nil
	case core.TeamDone:
	}
	r.emit(Event{Type: EventNotice, Text: "the team is done: " + s.Why})
	return core.StopTeamDone, nil
}

// handedOver returns the signals of the successful calls of handoff in a message with results.
func handedOver(m *core.Message) []string {
	var signals []string
	for i := range m.Parts {
		p := &m.Parts[i]
		if signal, ok := strings.CutPrefix(textOf(p.Result), handoffDone); ok && p.Type == core.PartToolResult && p.Name == handoffName && !p.IsError {
			signals = append(signals, signal)
		}
	}
	return signals
}
