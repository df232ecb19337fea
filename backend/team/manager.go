package team

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"coppice/backend/core"
)

// roster lists the agents that a manager may choose.
func roster(t *core.Team) string {
	var b strings.Builder
	for _, name := range choices(t) {
		agent, _ := t.Find(name)
		fmt.Fprintf(&b, "- %s: %s\n", name, cmp.Or(agent.Description, "no description"))
	}
	return b.String()
}

// choices returns the agents that a manager may choose: all but itself.
func choices(t *core.Team) []string {
	var names []string
	for i := range t.Agents {
		if t.Agents[i].Name != t.Selection.Manager {
			names = append(names, t.Agents[i].Name)
		}
	}
	return unskipped(t, names)
}

// choose asks the manager for the next agent. Visits counts the turns of each agent; Plan is the one that had the last turn.
func choose(t *core.Team, s *core.TeamState) core.TeamMove {
	note := "Choose the agent that continues:\n" + roster(t)
	if s.Plan != "" && !t.Selection.Repeat && len(choices(t)) > 1 {
		note += s.Plan + " had the last turn: choose another one.\n"
	}
	return core.TeamMove{
		Agent: t.Selection.Manager, Phase: core.PhaseChoose,
		Note: note + `Answer with a JSON object only: {"agent": NAME, "reason": WHY}. If the work is done, the agent is "DONE".`,
	}
}

// chosen reads the manager's choice. If it names no agent three times, the next one of the list is taken.
func chosen(t *core.Team, s *core.TeamState, turn *Turn) core.TeamMove {
	if s.Phase != core.PhaseChoose {
		s.Plan = s.Agent
		return choose(t, s)
	}
	name, reason := choiceIn(t, turn.Text)
	if name == "DONE" {
		return ended("the manager has ended the work: " + reason)
	}
	others := slices.DeleteFunc(choices(t), func(n string) bool { return n == s.Plan && !t.Selection.Repeat && len(choices(t)) > 1 })
	if slices.Contains(others, name) {
		return core.TeamMove{Agent: name, Why: reason}
	}
	if s.Failures++; s.Failures >= maxFailures {
		next := others[0]
		if at := slices.Index(choices(t), s.Plan); at >= 0 {
			next = choices(t)[(at+1)%len(choices(t))]
		}
		return core.TeamMove{Agent: next, Why: fmt.Sprintf("the manager named no agent %d times", s.Failures)}
	}
	move := choose(t, s)
	move.Note = "Your answer names no agent that may be next. It must be one of: " + strings.Join(others, ", ") + ".\n" + move.Note
	return move
}

// choiceIn returns the agent that an answer names, as JSON or as the only name in it.
func choiceIn(t *core.Team, text string) (name, reason string) {
	if object, ok := jsonIn(text); ok {
		given, _ := fieldOf(object, "agent")
		reason, _ = fieldOf(object, "reason")
		for _, known := range append(choices(t), "DONE") {
			if strings.EqualFold(given, known) {
				return known, reason
			}
		}
		return "", reason
	}
	words := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '-' })
	for _, known := range append(choices(t), "DONE") {
		if slices.ContainsFunc(words, func(w string) bool { return strings.EqualFold(w, known) }) {
			if name != "" {
				return "", ""
			}
			name = known
		}
	}
	return name, strings.TrimSpace(text)
}

// The defaults of a planner.
const (
	defaultPlannerRounds = 20
	defaultStalls        = 3
	defaultResets        = 2
)

func plan(t *core.Team, _ *core.TeamState) core.TeamMove {
	return core.TeamMove{
		Agent: t.Selection.Manager, Phase: core.PhasePlan,
		Note: "Write a plan for the task: what is known, what must be found out, and the steps with the agent of each.\nThe agents:\n" + roster(t),
	}
}

// planned continues the manager's loop: a plan, then turns of agents that a ledger of the progress chooses, and the result.
func planned(t *core.Team, s *core.TeamState, turn *Turn) core.TeamMove {
	switch s.Phase {
	case core.PhasePlan:
		s.Plan, s.Stalls = turn.Text, 0
		move := ledger(t, s, "")
		if t.Selection.Review {
			move.Gates = []core.TeamGate{{Approve: "Follow the plan of " + s.Agent + "?"}}
		}
		return move
	case core.PhaseLedger:
		return progressed(t, s, turn)
	case core.PhaseFinal:
		return ended("the manager has written the result")
	default:
		s.Round++
		if rounds := cmp.Or(t.Selection.Rounds, defaultPlannerRounds); s.Round >= rounds {
			return core.TeamMove{End: core.TeamLimit, Why: fmt.Sprintf("the work is not done after %d rounds", rounds)}
		}
		return ledger(t, s, "")
	}
}

func ledger(t *core.Team, s *core.TeamState, before string) core.TeamMove {
	return core.TeamMove{
		Agent: t.Selection.Manager, Phase: core.PhaseLedger,
		Note: before + "The plan:\n" + s.Plan + "\n\nThe agents:\n" + roster(t) + "\nJudge the progress. Answer with a JSON object only: " +
			`{"done": true or false, "progress": whether the last turn brought the work forward, "agent": the NAME of the next agent, "instruction": what it should do, "reason": WHY}`,
	}
}

// progressed reads the ledger.
func progressed(t *core.Team, s *core.TeamState, turn *Turn) core.TeamMove {
	object, ok := jsonIn(turn.Text)
	done, _ := fieldOf(object, "done")
	progress, _ := fieldOf(object, "progress")
	instruction, _ := fieldOf(object, "instruction")
	name, reason := choiceIn(t, turn.Text)
	switch {
	case ok && done == "true":
		return core.TeamMove{Agent: t.Selection.Manager, Phase: core.PhaseFinal, Note: "The work is done. Write the result for the user."}
	case !ok || name == "" || name == "DONE":
		move := ledger(t, s, "Your answer is no JSON object that names an agent of the list.\n")
		if again := retry(s, "The manager keeps no ledger"); again.End != "" {
			return again
		}
		return move
	case progress == "false" && s.Round > 0:
		s.Stalls++
	default:
		s.Stalls = max(s.Stalls-1, 0)
	}
	if s.Stalls < cmp.Or(t.Selection.Stalls, defaultStalls) {
		return core.TeamMove{Agent: name, Note: instruction, Why: reason}
	}
	resets := cmp.Or(t.Selection.Resets, defaultResets)
	if s.Resets++; s.Resets > resets {
		return core.TeamMove{End: core.TeamStuck, Why: fmt.Sprintf("no progress after %d plans", s.Resets)}
	}
	move := plan(t, s)
	move.Note = "The work makes no progress with this plan:\n" + s.Plan + "\n\n" + move.Note
	return move
}
