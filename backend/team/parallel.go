package team

import (
	"cmp"
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

// Branch is what an agent does in a branch of its own. Agent and Node identify it among the branches of a fork.
type Branch struct {
	Agent string
	Node  string // a state of a state machine, or a part of map_reduce; empty: none
	Note  string
}

// Title returns what the branch is called where its answer is joined with others.
func (b Branch) Title() string {
	if strings.HasPrefix(b.Node, partPrefix) {
		return b.Node
	}
	return b.Agent
}

// branches lets all agents of the branches work at once.
func branches(t *core.Team, _ *core.TeamState) core.TeamMove {
	return core.TeamMove{Agent: branching(t)[0], Phase: core.PhaseBranches}
}

// BranchesOf returns the branches of a state in the phase core.PhaseBranches.
func BranchesOf(t *core.Team, s *core.TeamState) []Branch {
	var found []Branch
	switch {
	case len(s.Parts) > 0:
		for i, part := range s.Parts {
			note := fmt.Sprintf("Work on part %d of %d alone:\n%s", i+1, len(s.Parts), part)
			found = append(found, Branch{Agent: cmp.Or(forked(t, s).Mapper, t.Selection.Mapper), Node: fmt.Sprintf("%s%d", partPrefix, i+1), Note: note})
		}
	case forked(t, s).To != "":
		for _, target := range forked(t, s).Targets {
			if node := nodeOf(t, target); node != nil && !isSkipped(t, node.Agent) {
				found = append(found, Branch{Agent: node.Agent, Node: target})
			}
		}
	default:
		for _, name := range branching(t) {
			found = append(found, Branch{Agent: name})
		}
	}
	return found
}

// branching returns the agents of the strategy parallel: those that are named, otherwise all but the judge.
func branching(t *core.Team) []string {
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
	how, judge, after := t.Selection.Join, t.Selection.Judge, ended("the branches are joined")
	switch edge := forked(t, s); {
	case edge.To != "":
		how, judge, after = edge.Join, edge.Judge, arrive(t, s)
	case t.Selection.Strategy == core.SelectMapReduce:
		note := "These are the results for the parts of the task. Write the final answer from them.\n\n" + union(answers)
		return core.TeamMove{Agent: t.Selection.Reducer, Phase: core.PhaseJoin, Note: note}, ""
	}
	if len(answers) == 0 { // the agents of all branches are skipped
		return after, ""
	}
	asked := core.TeamMove{Agent: judge, Node: s.Node, Edge: s.Edge, Phase: core.PhaseJoin}
	switch how {
	case core.JoinRanking:
		asked.Note = "Rank these answers to the task, the best one first. Answer with their names, one on each line, then your reasons, then the best answer in full.\n\n" + union(answers)
		return asked, ""
	case core.JoinJudge:
		asked.Note = "These are several answers to the task. Write the final answer from them: keep what they agree on, and decide where they differ.\n\n" + union(answers)
		return asked, ""
	case core.JoinVote:
		return after, vote(answers)
	case core.JoinConsensus:
		return after, consensus(answers)
	case core.JoinUnion:
	}
	return after, union(answers)
}

// consensus returns the last line that all answers have; if they differ, all of them.
func consensus(answers []Answer) string {
	for _, a := range answers {
		if !strings.EqualFold(choiceOf(a.Text), choiceOf(answers[0].Text)) {
			return "The answers differ.\n\n" + union(answers)
		}
	}
	return fmt.Sprintf("%s\n\n- all %d agree", choiceOf(answers[0].Text), len(answers))
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

// vote returns the answers by their votes: the field "vote" of their JSON, or their last line. If two are first, all answers follow.
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
	votes := func(i int) int { return len(by[strings.ToLower(choices[i])]) }
	tie := len(choices) > 1 && votes(0) == votes(1)
	var b strings.Builder
	for i, choice := range choices {
		voters := by[strings.ToLower(choice)]
		if i == 0 && !tie {
			fmt.Fprintf(&b, "%s\n\n", choice)
		}
		fmt.Fprintf(&b, "- %s: %d of %d (%s)\n", choice, len(voters), len(answers), strings.Join(voters, ", "))
	}
	if tie {
		b.WriteString("\n" + union(answers))
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
