package team

import (
	"fmt"
	"slices"
	"strings"

	"coppice/backend/core"
)

// Answer is the answer of a branch.
type Answer struct {
	Agent string
	Text  string
}

// branches lets all agents of the branches work at once.
func branches(t *core.Team, _ *core.TeamState) core.TeamMove {
	return core.TeamMove{Agent: BranchesOf(t)[0], Phase: core.PhaseBranches}
}

// BranchesOf returns the agents of the branches: those that are named, otherwise all but the judge.
func BranchesOf(t *core.Team) []string {
	if len(t.Selection.Branches) > 0 {
		return unskipped(t, t.Selection.Branches)
	}
	var names []string
	for i := range t.Agents {
		if t.Agents[i].Name != t.Selection.Judge {
			names = append(names, t.Agents[i].Name)
		}
	}
	return unskipped(t, names)
}

// join returns what follows the branches, and the text of their joined answers; empty if a judge writes it.
func join(t *core.Team, s *core.TeamState, answers []Answer) (move core.TeamMove, text string) {
	s.Round++
	switch t.Selection.Join {
	case core.JoinVote:
		return ended("the branches have voted"), vote(answers)
	case core.JoinRanking:
		return core.TeamMove{Agent: t.Selection.Judge, Phase: core.PhaseJoin, Note: "Rank these answers to the task, the best one first. Answer with their names, one on each line, then your reasons, then the best answer in full.\n\n" + union(answers)}, ""
	case core.JoinJudge:
		return core.TeamMove{Agent: t.Selection.Judge, Phase: core.PhaseJoin, Note: "These are several answers to the task. Write the final answer from them.\n\n" + union(answers)}, ""
	case core.JoinUnion:
	}
	return ended("the branches are joined"), union(answers)
}

// joined ends the work after the judge's turn.
func joined(_ *core.Team, s *core.TeamState, _ *Turn) core.TeamMove {
	return ended(s.Agent + " has joined the branches")
}

func union(answers []Answer) string {
	var b strings.Builder
	for _, a := range answers {
		fmt.Fprintf(&b, "## %s\n\n%s\n\n", a.Agent, strings.TrimSpace(a.Text))
	}
	return strings.TrimSpace(b.String())
}

// vote returns the answers by their votes: the field "vote" of their JSON, or their last line. Among equals the first one wins.
func vote(answers []Answer) string {
	var choices []string
	by := map[string][]string{}
	for _, a := range answers {
		choice := choiceOf(a.Text)
		key := strings.ToLower(choice)
		if by[key] == nil {
			choices = append(choices, choice)
		}
		by[key] = append(by[key], a.Agent)
	}
	slices.SortStableFunc(choices, func(a, b string) int { return len(by[strings.ToLower(b)]) - len(by[strings.ToLower(a)]) })
	var b strings.Builder
	for i, choice := range choices {
		voters := by[strings.ToLower(choice)]
		if i == 0 {
			fmt.Fprintf(&b, "%s\n\n", choice)
		}
		fmt.Fprintf(&b, "- %s: %d of %d (%s)\n", choice, len(voters), len(answers), strings.Join(voters, ", "))
	}
	return strings.TrimSpace(b.String())
}

func choiceOf(text string) string {
	if object, ok := jsonIn(text); ok {
		if choice, exists := fieldOf(object, "vote"); exists {
			return strings.TrimSpace(choice)
		}
	}
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return plain(lines[len(lines)-1])
}
