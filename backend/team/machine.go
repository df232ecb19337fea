package team

import (
	"fmt"
	"slices"
	"strings"

	"coppice/backend/core"
)

// nodeOf returns a state or node of the definition; nil: it has no such node.
func nodeOf(t *core.Team, name string) *core.TeamNode {
	at := slices.IndexFunc(t.Selection.States, func(n core.TeamNode) bool { return n.Name == name })
	if at < 0 {
		return nil
	}
	return &t.Selection.States[at]
}

// enter returns the move to a node.
func enter(t *core.Team, name string, gates []core.TeamGate) core.TeamMove {
	node := nodeOf(t, name)
	if node == nil || node.Agent == "" {
		return core.TeamMove{End: core.TeamDone, Why: "the state " + name + " is reached", Gates: gates}
	}
	move := core.TeamMove{Agent: node.Agent, Node: name, Gates: gates}
	if len(node.Targets) > 0 {
		move.Phase = core.PhaseBranches
	}
	return move
}

// arrive returns the move to the state that follows branches.
func arrive(t *core.Team, s *core.TeamState) core.TeamMove {
	to := forked(t, s).To
	move := enter(t, to, nil)
	if s.Edge == 0 && to == s.Node && move.Phase == core.PhaseBranches { // its own branches are joined
		move.Phase = core.PhaseWork
	}
	return move
}

func firstState(t *core.Team, _ *core.TeamState) core.TeamMove {
	if t.Selection.Start != "" {
		return enter(t, t.Selection.Start, nil)
	}
	return enter(t, t.Selection.States[0].Name, nil)
}

// stateMachine takes the transition of the present state that the answer calls for. Only the transitions of this state count.
func stateMachine(t *core.Team, s *core.TeamState, turn *Turn) core.TeamMove {
	node := nodeOf(t, s.Node)
	if s.Phase == core.PhaseJoin { // the judge has joined the branches
		return arrive(t, s)
	}
	if node == nil {
		return ended("the state " + s.Node + " is done")
	}
	if node.Terminal || len(node.Transitions) == 0 {
		return core.TeamMove{End: core.TeamDone, Why: "the state " + s.Node + " is done", Gates: node.Gates}
	}
	edge, wrong := edgeFor(node, turn)
	if edge == nil {
		return retry(s, wrong)
	}
	var parts []string
	if edge.Mapper != "" {
		if parts, wrong = mapped(edge.Items, turn); wrong != "" {
			return retry(s, wrong)
		}
	}
	if why := visit(s, node, edge); why != "" {
		return retry(s, why)
	}
	if len(edge.Targets) > 0 || edge.Mapper != "" {
		at := edgeIndex(node, edge)
		return core.TeamMove{Agent: s.Agent, Node: node.Name, Phase: core.PhaseBranches, Edge: int64(at) + 1, Parts: parts, Gates: edge.Gates}
	}
	return enter(t, edge.To, edge.Gates)
}

// edgeIndex returns the index of a transition of a node.
func edgeIndex(node *core.TeamNode, edge *core.TeamEdge) int {
	for i := range node.Transitions {
		if &node.Transitions[i] == edge {
			return i
		}
	}
	return -1
}

// forked returns the transition of a state machine that is taken in parallel, or that into a state which begins with branches; the zero
// value: none is.
func forked(t *core.Team, s *core.TeamState) core.TeamEdge {
	node := nodeOf(t, s.Node)
	switch {
	case node == nil || s.Edge > int64(len(node.Transitions)):
		return core.TeamEdge{}
	case s.Edge > 0:
		return node.Transitions[s.Edge-1]
	case len(node.Targets) > 0:
		return core.TeamEdge{To: node.Name, Targets: node.Targets, Join: node.Join, Judge: node.Judge}
	}
	return core.TeamEdge{}
}

// edgeFor returns the transition that an answer calls for: the one of its signal, else the first one whose condition its JSON fulfils, else
// the one that needs neither. wrong is what the agent is asked to do if none fits.
func edgeFor(node *core.TeamNode, turn *Turn) (edge *core.TeamEdge, wrong string) {
	var signals, fields []string
	var always *core.TeamEdge
	for i := range node.Transitions {
		switch e := &node.Transitions[i]; {
		case e.Signal != "":
			signals = append(signals, e.Signal)
		case e.When != nil:
			fields = append(fields, e.When.Field)
		case always == nil:
			always = e
		}
	}
	found := signalsIn(turn, signals)
	if len(found) > 1 {
		return nil, "Your answer has the signals " + strings.Join(found, " and ") + ". Give exactly one of them."
	}
	for i := range node.Transitions {
		e := &node.Transitions[i]
		if len(found) == 1 && e.Signal == found[0] || len(found) == 0 && e.When != nil && fieldHolds(e.When, turn.Text) {
			return e, ""
		}
	}
	if always != nil {
		return always, ""
	}
	var want []string
	if len(signals) > 0 {
		want = append(want, "one of these signals, on a line of its own or with the tool handoff: "+strings.Join(signals, ", "))
	}
	if len(fields) > 0 {
		want = append(want, "a JSON object with the fields "+strings.Join(fields, ", "))
	}
	return nil, "Your answer does not decide what is next. Give " + strings.Join(want, ", or ") + "."
}

// visit counts that an edge is taken. It returns why it may not be.
func visit(s *core.TeamState, node *core.TeamNode, edge *core.TeamEdge) (why string) {
	key := node.Name + " > " + edge.To
	if edge.MaxRevisit > 0 && s.Visits[key] >= edge.MaxRevisit {
		return fmt.Sprintf("The way from %s to %s was taken %d times, and may not be taken again. Decide otherwise", node.Name, edge.To, s.Visits[key])
	}
	if s.Visits == nil {
		s.Visits = map[string]int64{}
	}
	s.Visits[key]++
	return ""
}

func firstNode(t *core.Team, s *core.TeamState) core.TeamMove { return ready(t, s, nil) }

// ready returns the move to the first node of the definition that is not done and whose predecessors are.
func ready(t *core.Team, s *core.TeamState, gates []core.TeamGate) core.TeamMove {
	for i := range t.Selection.States {
		n := &t.Selection.States[i]
		waits := slices.ContainsFunc(n.After, func(name string) bool { return !slices.Contains(s.Done, name) })
		if !waits && !slices.Contains(s.Done, n.Name) {
			return enter(t, n.Name, gates)
		}
	}
	return core.TeamMove{End: core.TeamDone, Why: "every node is done", Gates: gates}
}

// graph works through the layers of the graph. A back edge makes its node, and all that come after that, undone.
func graph(t *core.Team, s *core.TeamState, turn *Turn) core.TeamMove {
	node := nodeOf(t, s.Node)
	if node == nil {
		return ended("every node is done")
	}
	if len(node.Transitions) > 0 {
		forward := core.TeamEdge{To: node.Name}
		all := *node
		all.Transitions = append(slices.Clone(node.Transitions), forward) // without a signal the work goes forward
		edge, wrong := edgeFor(&all, turn)
		if edge == nil {
			return retry(s, wrong)
		}
		if edge.To != node.Name || edge.Signal != "" || edge.When != nil {
			if why := visit(s, node, edge); why != "" {
				return retry(s, why)
			}
			undo(t, s, edge.To)
			return enter(t, edge.To, edge.Gates)
		}
	}
	s.Done = append(s.Done, node.Name)
	return ready(t, s, nil)
}

// undo makes a node and all that come after it undone.
func undo(t *core.Team, s *core.TeamState, name string) {
	s.Done = slices.DeleteFunc(s.Done, func(done string) bool { return done == name })
	for i := range t.Selection.States {
		n := &t.Selection.States[i]
		if slices.Contains(n.After, name) && slices.Contains(s.Done, n.Name) {
			undo(t, s, n.Name)
		}
	}
}

// Cycle returns the names of nodes that come after each other in a circle; empty: none do.
func Cycle(nodes []core.TeamNode) []string {
	const visiting, visited = 1, 2
	state := map[string]int{}
	var path []string
	var walk func(name string) []string
	walk = func(name string) []string {
		switch state[name] {
		case visiting:
			return append(path[slices.Index(path, name):len(path):len(path)], name)
		case visited:
			return nil
		}
		state[name], path = visiting, append(path, name)
		at := slices.IndexFunc(nodes, func(n core.TeamNode) bool { return n.Name == name })
		if at >= 0 {
			for _, before := range nodes[at].After {
				if cycle := walk(before); cycle != nil {
					return cycle
				}
			}
		}
		state[name], path = visited, path[:len(path)-1]
		return nil
	}
	for i := range nodes {
		if cycle := walk(nodes[i].Name); cycle != nil {
			return cycle
		}
	}
	return nil
}
