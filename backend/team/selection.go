package team

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"coppice/backend/core"
)

// strategy selects agents. Its functions may change the fields of a state that only strategies use; the rest is the move's.
type strategy struct {
	start func(t *core.Team, s *core.TeamState) core.TeamMove
	next  func(t *core.Team, s *core.TeamState, turn *Turn) core.TeamMove
}

func strategyOf(t *core.Team) strategy {
	switch t.Selection.Strategy {
	case core.SelectRoundRobin:
		return strategy{first, roundRobin}
	case core.SelectKeyword:
		return strategy{first, keyword}
	case core.SelectStructured:
		return strategy{first, structured}
	case core.SelectAdversarial:
		return strategy{author, adversarial}
	case core.SelectStateMachine:
		return strategy{firstState, stateMachine}
	case core.SelectGraph:
		return strategy{firstNode, graph}
	case core.SelectLLM:
		return strategy{choose, chosen}
	case core.SelectPlanner:
		return strategy{plan, planned}
	case core.SelectParallel:
		return strategy{branches, joined}
	case core.SelectMapReduce:
		return strategy{split, mapReduce}
	case core.SelectSequential:
		return strategy{first, sequential}
	}
	return strategy{first, sequential}
}

func ended(why string) core.TeamMove { return core.TeamMove{End: core.TeamDone, Why: why} }

func first(t *core.Team, _ *core.TeamState) core.TeamMove {
	return core.TeamMove{Agent: cmp.Or(t.Selection.Start, t.Agents[0].Name)}
}

// after returns the agent after another one in the list; ok is false if the first one is next.
func after(t *core.Team, name string) (next string, ok bool) {
	at := slices.IndexFunc(t.Agents, func(a core.TeamAgent) bool { return a.Name == name }) + 1
	return t.Agents[at%len(t.Agents)].Name, at < len(t.Agents)
}

func sequential(t *core.Team, s *core.TeamState, _ *Turn) core.TeamMove {
	next, ok := after(t, s.Agent)
	if !ok {
		return ended("every agent has had its turn")
	}
	return core.TeamMove{Agent: next}
}

func roundRobin(t *core.Team, s *core.TeamState, _ *Turn) core.TeamMove {
	next, _ := after(t, s.Agent)
	return core.TeamMove{Agent: next}
}

// keyword follows the route of the one signal in the answer. Without a signal the first agent is next.
func keyword(t *core.Team, s *core.TeamState, turn *Turn) core.TeamMove {
	found := signalsIn(turn, SignalsOf(t, ""))
	if len(found) > 1 {
		return retry(s, "Your answer has the signals "+strings.Join(found, " and ")+". Give exactly one of them.")
	}
	if len(found) == 0 {
		if start := first(t, s); start.Agent != s.Agent {
			return start
		}
		return retry(s, "Your answer has no signal. Give one of these, on a line of its own or with the tool handoff: "+strings.Join(SignalsOf(t, s.Agent), ", ")+".")
	}
	for i := range t.Selection.Routes {
		r := &t.Selection.Routes[i]
		if r.Signal == found[0] && (len(r.From) == 0 || slices.Contains(r.From, s.Agent)) {
			return follow(r, s)
		}
	}
	return retry(s, "The signal "+found[0]+" is not yours. Yours are: "+strings.Join(SignalsOf(t, s.Agent), ", ")+".")
}

// follow returns the move along a route. One that leads an agent to itself ends the work.
func follow(r *core.TeamRoute, s *core.TeamState) core.TeamMove {
	if r.To == "" || r.To == s.Agent && slices.Contains(r.From, s.Agent) {
		return core.TeamMove{End: core.TeamDone, Why: s.Agent + " has ended the work with " + cmp.Or(r.Signal, "its answer"), Gates: r.Gates}
	}
	return core.TeamMove{Agent: r.To, Gates: r.Gates}
}

// SignalsOf returns the signals that an agent may give; an empty name: those of all agents.
func SignalsOf(t *core.Team, agent string) []string {
	var signals []string
	add := func(signal string) {
		if signal != "" && !slices.Contains(signals, signal) {
			signals = append(signals, signal)
		}
	}
	for _, r := range t.Selection.Routes {
		if agent == "" || len(r.From) == 0 || slices.Contains(r.From, agent) {
			add(r.Signal)
		}
	}
	for _, n := range t.Selection.States {
		for _, e := range n.Transitions {
			if agent == "" || n.Agent == agent {
				add(e.Signal)
			}
		}
	}
	return signals
}

// structured follows the first route whose condition the JSON of the answer fulfils.
func structured(t *core.Team, s *core.TeamState, turn *Turn) core.TeamMove {
	var fields []string
	for i := range t.Selection.Routes {
		r := &t.Selection.Routes[i]
		if len(r.From) > 0 && !slices.Contains(r.From, s.Agent) {
			continue
		}
		if fieldHolds(r.When, turn.Text) {
			return follow(r, s)
		}
		if !slices.Contains(fields, r.When.Field) {
			fields = append(fields, r.When.Field)
		}
	}
	if len(fields) == 0 {
		return ended("no route leads on from " + s.Agent)
	}
	return retry(s, "Answer with a JSON object whose fields decide who is next: "+strings.Join(fields, ", ")+".")
}

// The defaults of an adversarial team.
const (
	defaultRounds   = 3
	defaultApproval = `(?m)^\W*APPROVED\b`
)

// stageOf returns the author and the critic of the present stage, and whether it is the last one.
func stageOf(t *core.Team, s *core.TeamState) (stage core.TeamStage, last bool) {
	stages := t.Selection.Stages
	if len(stages) == 0 {
		return core.TeamStage{Author: t.Selection.Author, Critic: t.Selection.Critic}, true
	}
	at := min(int(s.Stage), len(stages)-1)
	return stages[at], at == len(stages)-1
}

func author(t *core.Team, s *core.TeamState) core.TeamMove {
	stage, _ := stageOf(t, s)
	s.Round = 1
	return core.TeamMove{Agent: stage.Author}
}

// adversarial lets the author and the critic of each stage alternate until the critic approves. A stage that is not approved is followed
// by the next one; only the last one ends the work then.
func adversarial(t *core.Team, s *core.TeamState, turn *Turn) core.TeamMove {
	stage, last := stageOf(t, s)
	if s.Agent != stage.Critic {
		return core.TeamMove{Agent: stage.Critic, Note: "Name what is wrong with the work of " + stage.Author + "." + howToApprove(t)}
	}
	approved, err := regexp.MatchString(cmp.Or(t.Selection.Approval, defaultApproval), turn.Text)
	approved = approved && err == nil
	rounds := cmp.Or(t.Selection.Rounds, defaultRounds)
	switch {
	case !approved && s.Round < rounds:
		s.Round++
		return core.TeamMove{Agent: stage.Author, Note: "Revise your work: " + stage.Critic + " has not approved it."}
	case approved && last:
		return ended(s.Agent + " has approved")
	case last:
		return core.TeamMove{End: core.TeamLimit, Why: fmt.Sprintf("%s has not approved in %d rounds", s.Agent, rounds)}
	}
	s.Stage++
	next := author(t, s)
	if !approved {
		next.Why = fmt.Sprintf("%s has not approved in %d rounds", stage.Critic, rounds)
	}
	return next
}

// howToApprove returns how a critic approves, unless the definition has a pattern of its own: the critic's prompt explains that.
func howToApprove(t *core.Team) string {
	if t.Selection.Approval != "" {
		return " If nothing is, approve it."
	}
	return " If nothing is, begin your answer with APPROVED."
}
