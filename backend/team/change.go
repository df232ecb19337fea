package team

import (
	"slices"
	"strings"

	"coppice/backend/core"
)

// The verbs of a change.
const (
	ChangeSkip   = "skip"   // the agent has no turns until it is unskipped
	ChangeUnskip = "unskip" // it has turns again
	ChangeModel  = "model"  // the agent uses another model from its next turn on
	ChangeAdd    = "add"    // an agent of the configuration joins the team
)

// Change is a change of a team that the user requests, also while it works.
type Change struct {
	Verb  string
	Agent string
	Model string // of ChangeModel, and of ChangeAdd unless it is empty: PROVIDER/MODEL
}

// ChangeName is the name in messages of the user that change the team. They are in the tree, and no agent is sent them.
const ChangeName = "team"

// ParseChange reads a change such as "/skip critic", "/model critic=openai/gpt-5.5" or "/add review". ok is false for any other text.
func ParseChange(text string) (c Change, ok bool) {
	verb, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
	verb, is := strings.CutPrefix(verb, "/")
	agent, model, assigns := strings.Cut(strings.TrimSpace(rest), "=")
	if !is || agent == "" || strings.ContainsAny(agent, " \t\n/") || strings.ContainsAny(model, " \t\n") {
		return c, false
	}
	switch verb {
	case ChangeSkip, ChangeUnskip:
		return Change{Verb: verb, Agent: agent}, !assigns
	case ChangeModel:
		return Change{verb, agent, model}, model != ""
	case ChangeAdd:
		return Change{verb, agent, model}, !assigns || model != ""
	}
	return c, false
}

// IsChange reports whether a message changes the team.
func IsChange(m *core.Message) bool { return m.Kind == core.KindCommand && m.Name == ChangeName }

// Skip returns a team in which an agent is skipped, or not any more. An agent that decides for the others cannot be skipped, nor the last one
// that works.
func Skip(t core.Team, name string, skip bool) (core.Team, error) {
	t.Agents = slices.Clone(t.Agents)
	at := slices.IndexFunc(t.Agents, func(a core.TeamAgent) bool { return a.Name == name })
	if at < 0 {
		return t, core.E(core.Invalid, "unknown agent %q", name)
	}
	if skip && isNeeded(&t.Selection, name) {
		return t, core.E(core.Invalid, "skip %s: the team cannot select agents without it", name)
	}
	t.Agents[at].Skipped = skip
	if working := working(&t); len(working) == 0 {
		return t, core.E(core.Invalid, "skip %s: no agent would be left to work", name)
	}
	return t, nil
}

// isNeeded reports whether a selection cannot do without an agent.
func isNeeded(s *core.TeamSelection, name string) bool {
	needed := []string{s.Manager, s.Judge, s.Author, s.Critic, s.Splitter, s.Mapper, s.Reducer}
	for _, stage := range s.Stages {
		needed = append(needed, stage.Author, stage.Critic)
	}
	for i := range s.States {
		needed = append(needed, s.States[i].Judge)
		for _, edge := range s.States[i].Transitions {
			needed = append(needed, edge.Judge, edge.Mapper)
		}
	}
	return slices.Contains(needed, name)
}

// working returns the agents that work and are not skipped.
func working(t *core.Team) []string {
	var names []string
	for i := range t.Agents {
		if a := &t.Agents[i]; !a.Skipped && a.Name != t.Selection.Manager && a.Name != t.Selection.Judge {
			names = append(names, a.Name)
		}
	}
	return names
}

// isSkipped reports whether an agent is skipped.
func isSkipped(t *core.Team, name string) bool {
	agent, _ := t.Find(name)
	return agent.Skipped
}

// unskipped leaves out the agents that are skipped, unless all are.
func unskipped(t *core.Team, names []string) []string {
	left := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return isSkipped(t, name) })
	if len(left) == 0 {
		return names
	}
	return left
}

// skipping returns what follows a move to an agent that is skipped: a node of a graph counts as done, and otherwise the next agent of the
// list has the turn.
func skipping(t *core.Team, s *core.TeamState, move core.TeamMove) core.TeamMove {
	for range len(t.Agents) + len(t.Selection.States) {
		if move.End != "" || move.Phase != core.PhaseWork || !isSkipped(t, move.Agent) {
			return move
		}
		if t.Selection.Strategy == core.SelectGraph {
			s.Done = append(s.Done, move.Node)
			move = ready(t, s, move.Gates)
			continue
		}
		next, ok := after(t, move.Agent)
		if !ok && (t.Selection.Strategy == core.SelectSequential || t.Selection.Strategy == "") {
			return core.TeamMove{End: core.TeamDone, Why: "every agent has had its turn", Gates: move.Gates}
		}
		move.Agent = next
	}
	return move
}
