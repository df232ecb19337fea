// Package team decides which agent of a team takes the next turn, and when the work of the team ends. All of it is pure functions of the
// definition, a serialisable state and the last turn: the same arguments give the same result, so that a run that was killed continues as
// if it had not been.
package team

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"coppice/backend/core"
)

// Turn is what an agent has done in its turn.
type Turn struct {
	Text    string   // its last answer
	Signals []string // the arguments of its calls of the tool handoff
	Human   []string // what the user has added since the turn began
	Wrote   []string // the files that it has changed
	Passed  []string // the commands that succeeded

	// Totals of the session so far.
	Tokens, CostNanoUSD, ElapsedMs int64
}

// maxFailures is how often a step may fail in a row before the user has to decide.
const maxFailures = 3

// MaxTurns is how many turns a team takes whose termination has no other limit.
const MaxTurns = 100

// Start returns the state in which the work on a prompt begins. A prompt such as "@critic …" is for one agent alone.
func Start(t *core.Team, prompt string) core.TeamState {
	s := core.TeamState{}
	if name, ok := addressed(t, prompt); ok {
		s.TeamMove = core.TeamMove{Agent: name, Phase: core.PhaseAddressed}
		s.Held = &core.TeamMove{End: core.TeamDone, Why: name + " has answered"}
		return s
	}
	s.TeamMove = skipping(t, &s, strategyOf(t).start(t, &s))
	return s
}

// Start returns the state in which the agent of a branch works, in a run of its own.
func (b Branch) Start(s core.TeamState) core.TeamState {
	return core.TeamState{
		TeamMove: core.TeamMove{Agent: b.Agent, Node: b.Node, Phase: core.PhaseBranch, Note: b.Note}, StartUID: s.StartUID,
		Held: &core.TeamMove{End: core.TeamDone, Why: b.Agent + " has answered"},
	}
}

// Next returns the state after a turn. In the result either End is set, or Gates are to be checked, see Gated, or the Agent has the next
// turn; in the phase core.PhaseBranches the branches are to be run, see Joined.
func Next(t *core.Team, s core.TeamState, turn Turn) core.TeamState {
	s = clone(s)
	switch s.Phase {
	case core.PhaseAddressed, core.PhaseBranch:
		s.Turns++
		return release(t, s)
	case core.PhaseJudge:
		return judged(t, s, turn)
	case core.PhaseWork, core.PhaseJoin:
		s.Turns++
	case core.PhaseChoose, core.PhasePlan, core.PhaseLedger, core.PhaseFinal, core.PhaseBranches:
	}
	move := skipping(t, &s, strategyOf(t).next(t, &s, &turn))
	return decide(t, s, turn, move)
}

// Joined returns the state after the branches of core.PhaseBranches, and the text that joins their answers.
func Joined(t *core.Team, s core.TeamState, answers []Answer, turn Turn) (next core.TeamState, text string) {
	s = clone(s)
	s.Turns += int64(len(answers))
	move, text := join(t, &s, answers)
	move = skipping(t, &s, move)
	turn.Text = text
	return decide(t, s, turn, move), text
}

// decide applies the user's words, the termination and the gates to the move that the selection has made.
func decide(t *core.Team, s core.TeamState, turn Turn, move core.TeamMove) core.TeamState {
	for _, text := range turn.Human {
		if name, ok := addressed(t, text); ok {
			waiting := settled(s, turn, move)
			s.Held = &waiting
			s.TeamMove = core.TeamMove{Agent: name, Node: s.Node, Phase: core.PhaseAddressed}
			return s
		}
	}
	if move.End == core.TeamDone || s.Phase != core.PhaseWork && s.Phase != core.PhaseJoin && s.Phase != core.PhaseBranches {
		return pass(t, s, turn, move)
	}
	verdict, judge := terminated(t, &s, &turn)
	switch {
	case verdict == yes && len(turn.Human) == 0:
		return guarded(t, s, turn, core.TeamMove{End: core.TeamDone, Why: "the termination condition is met"})
	case verdict == unknown && len(turn.Human) == 0:
		s.Held = &move
		s.Unmet, _ = unmet(t.EndGates, turn)
		s.TeamMove = core.TeamMove{Agent: judge.Judge, Node: s.Node, Phase: core.PhaseJudge, Note: judge.Question + "\nAnswer with YES or NO on a line of its own, then the reason."}
		return s
	case s.Turns >= limitOf(t):
		return pass(t, s, turn, core.TeamMove{End: core.TeamLimit, Why: fmt.Sprintf("the team has taken %d turns and its termination condition is not met", s.Turns)})
	}
	return pass(t, s, turn, move)
}

// judged returns the state after the turn of a judge. The gates of the end that a turn decides were checked against the turn before.
func judged(t *core.Team, s core.TeamState, turn Turn) core.TeamState {
	why := s.Unmet
	s.Unmet = ""
	if !isYes(turn.Text) {
		return release(t, s)
	}
	end := core.TeamMove{End: core.TeamDone, Why: "the judge " + s.Agent + " has agreed"}
	if why != "" {
		s.Held = &end
		return Gated(t, s, why)
	}
	_, end.Gates = unmet(t.EndGates, turn)
	return pass(t, s, turn, end)
}

// unmet returns why a turn does not pass one of the gates, empty if it passes, and the gates that a turn does not decide.
func unmet(gates []core.TeamGate, turn Turn) (why string, open []core.TeamGate) {
	for _, gate := range gates {
		switch failure, decided := failure(gate, &turn); {
		case !decided:
			open = append(open, gate)
		case why == "":
			why = failure
		}
	}
	return why, open
}

// settled returns a move whose gates that the turn decides are checked: without those that it passes, or another turn of the same agent.
func settled(s core.TeamState, turn Turn, move core.TeamMove) core.TeamMove {
	why, open := unmet(move.Gates, turn)
	if why != "" {
		return core.TeamMove{Agent: s.Agent, Node: s.Node, Phase: s.Phase, Note: blocked(why)}
	}
	move.Gates = open
	return move
}

// blocked returns what an agent is sent whose turn does not pass a gate.
func blocked(why string) string { return "The hand-over is blocked: " + why + "." }

// guarded ends the work if the gates of the end are passed.
func guarded(t *core.Team, s core.TeamState, turn Turn, end core.TeamMove) core.TeamState {
	end.Gates = t.EndGates
	return pass(t, s, turn, end)
}

// pass applies a move if the turn passes its gates. Those that the turn does not decide are left in Gates.
func pass(t *core.Team, s core.TeamState, turn Turn, move core.TeamMove) core.TeamState {
	why, open := unmet(move.Gates, turn)
	if why != "" {
		s.Held, s.Gates = &move, nil
		return Gated(t, s, why)
	}
	if len(open) > 0 {
		s.Held, s.Gates = &move, open
		return s
	}
	return apply(s, move)
}

// failure returns why a turn does not pass a gate; empty if it does. decided is false if the turn does not decide that.
func failure(gate core.TeamGate, turn *Turn) (why string, decided bool) {
	ran := func(texts string) bool {
		return slices.ContainsFunc(turn.Passed, func(line string) bool { return isOneOf(texts, line) })
	}
	switch {
	case gate.Session:
	case gate.Wrote != "":
		if slices.ContainsFunc(turn.Wrote, func(path string) bool { return matches(gate.Wrote, path) }) || gate.OrPassed != "" && ran(gate.OrPassed) {
			return "", true
		}
		return fmt.Sprintf("no file that matches %s was written in this turn", gate.Wrote), true
	case gate.Passed != "":
		if ran(gate.Passed) {
			return "", true
		}
		return fmt.Sprintf("no command with %q has succeeded in this turn", gate.Passed), true
	}
	return "", false
}

// isOneOf reports whether a command contains one of several texts, which are separated by |.
func isOneOf(texts, command string) bool {
	for text := range strings.SplitSeq(texts, "|") {
		if strings.Contains(strings.ToLower(command), strings.ToLower(strings.TrimSpace(text))) {
			return true
		}
	}
	return false
}

// Gated returns the state after the gates of a state were checked. why is empty if they are passed, otherwise the agent has another turn
// to mend what fails. If they fail three times in a row the work ends until the user decides.
func Gated(t *core.Team, s core.TeamState, why string) core.TeamState {
	s = clone(s)
	held := *s.Held
	s.Held, s.Gates = nil, nil
	if why == "" {
		return apply(s, held)
	}
	begin := ""
	if s.Phase != core.PhaseWork && s.Phase != core.PhaseJoin { // the judge has agreed, or the plan is refused: the work begins again
		s.TeamMove = skipping(t, &s, strategyOf(t).start(t, &s))
		if s.Note != "" {
			begin = "\n" + s.Note
		}
	}
	if s = again(s, blocked(why)+begin); s.End != "" {
		s.Held = &held // the user may let it pass, see Overrule
	}
	return s
}

// Overrule returns the state after the user has let a move pass whose gates failed.
func Overrule(s core.TeamState) core.TeamState {
	s = clone(s)
	if s.Held == nil {
		return s
	}
	held := *s.Held
	s.Held, s.Gates, s.End, s.Why = nil, nil, "", ""
	return apply(s, held)
}

// again gives the same agent another turn, with a note. After three times in a row the user has to decide.
func again(s core.TeamState, note string) core.TeamState {
	s.Failures++
	if s.Failures >= maxFailures {
		s.End, s.Why = core.TeamStuck, fmt.Sprintf("%s failed %d times in a row: %s", s.Agent, s.Failures, strings.TrimSuffix(note, "."))
		return s
	}
	s.Note = note
	return s
}

// retry is again as a move.
func retry(s *core.TeamState, note string) core.TeamMove {
	next := again(*s, note)
	s.Failures = next.Failures
	move := next.TeamMove
	move.Gates = nil
	return move
}

// apply makes a move.
func apply(s core.TeamState, move core.TeamMove) core.TeamState {
	if move.Agent != s.Agent || move.Node != s.Node || move.Phase != s.Phase {
		s.Failures = 0
	}
	move.Gates = nil
	if move.Phase != core.PhaseJoin {
		s.Cites = nil
	}
	if move.End != "" {
		move.Agent, move.Node, move.Phase = s.Agent, s.Node, s.Phase
	}
	s.TeamMove = move
	return s
}

// release makes the move that has waited.
func release(t *core.Team, s core.TeamState) core.TeamState {
	if s.Held == nil {
		return s
	}
	move := *s.Held
	s.Held = nil
	if move.End == "" && s.Turns >= limitOf(t) {
		move = core.TeamMove{End: core.TeamLimit, Why: fmt.Sprintf("the team has taken %d turns", s.Turns)}
	}
	return pass(t, s, Turn{}, move)
}

// limitOf returns how many turns a team may take.
func limitOf(t *core.Team) int64 {
	if t.Limits.Steps > 0 || hasTurns(t.Termination) {
		return int64(1) << 60 // that limit ends it
	}
	return MaxTurns
}

func hasTurns(c *core.TeamCondition) bool {
	return c != nil && (c.MaxTurns > 0 || slices.ContainsFunc(c.Any, func(c core.TeamCondition) bool { return hasTurns(&c) }))
}

// clone returns a state that shares nothing that Next changes.
func clone(s core.TeamState) core.TeamState {
	s.Done, s.Visits = slices.Clone(s.Done), maps.Clone(s.Visits)
	return s
}
