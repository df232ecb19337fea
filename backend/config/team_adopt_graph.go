package config

import (
	"cmp"

	"go.yaml.in/yaml/v4"
)

// maxSubGraphs is how many nodes of a graph are replaced by sub-graphs.
const maxSubGraphs = 100

// adoptGraph turns the graph of fuseraft, whose edges have signals, into a state machine.
func adoptGraph(selection *yaml.Node) {
	graph := childOf(selection, "graph")
	if graph == nil || graph.Kind != yaml.MappingNode || childOf(graph, "nodes") == nil || childOf(graph, "edges") == nil {
		return
	}
	takeKey(selection, "graph")
	if strategy := childOf(selection, "strategy"); strategy != nil {
		strategy.Value = "state_machine"
	}
	left := maxSubGraphs
	states := graphStates(graph, &left)
	selection.Content = append(selection.Content, key("states", states.Line), states)
	selection.Content = append(selection.Content, graph.Content...) // start, and what is not known
}

// adoptSubGraphs adopts graphs with names of their own, which stay as they are.
func adoptSubGraphs(graphs *yaml.Node) {
	for i := 1; i < len(graphs.Content); i += 2 {
		spec := graphs.Content[i]
		for j := 0; j+1 < len(spec.Content); j += 2 {
			spec.Content[j].Value = snake(spec.Content[j].Value)
			adoptMapping(spec.Content[j+1], spec.Content[j].Value)
		}
	}
}

// graphStates returns the states of a graph. Nodes that are graphs of their own are replaced by the states of these.
func graphStates(graph *yaml.Node, left *int) *yaml.Node {
	nodes, edges, graphs := takeKey(graph, "nodes"), takeKey(graph, "edges"), childOf(graph, "sub_graphs")
	if start := childOf(graph, "start"); start == nil && len(nodes.Content) > 0 {
		graph.Content = append(graph.Content, key("start", nodes.Line), textNode(valueIn(nodes.Content[0], "name"), nodes.Line))
	}
	aside := map[string]bool{} // the nodes that work in parallel
	for _, node := range nodes.Content {
		if parallel := takeKey(node, "parallel"); parallel != nil && parallel.Value == "true" {
			aside[valueIn(node, "name")] = true
		}
	}
	for _, node := range nodes.Content {
		var own []*yaml.Node
		for _, edge := range edges.Content {
			if valueIn(edge, "from") == valueIn(node, "name") && !aside[valueIn(node, "name")] {
				own = append(own, edge)
			}
		}
		if valueIn(node, "terminal") != "true" {
			takeKey(node, "gates") // fuseraft ignores them
		}
		if own = fanOut(own, edges.Content, aside); len(own) > 0 {
			node.Content = append(node.Content, key("transitions", own[0].Line), sequence(own[0].Line, own...))
		}
	}
	for _, edge := range edges.Content {
		takeKey(edge, "from")
	}
	states := sequence(nodes.Line)
	entries := map[string]string{} // of the nodes that are graphs, the state that they begin with
	complete := true
	for _, node := range nodes.Content {
		inner, entry := subStates(node, graphs, left)
		if inner == nil {
			complete = complete && childOf(node, "sub_graph") == nil
			inner = []*yaml.Node{node}
		}
		states.Content = append(states.Content, inner...)
		entries[valueIn(node, "name")] = entry
	}
	eachMapping(states, func(edge *yaml.Node) {
		if to := childOf(edge, "to"); to != nil {
			to.Value = cmp.Or(entries[to.Value], to.Value)
		}
	})
	if start := childOf(graph, "start"); start != nil {
		start.Value = cmp.Or(entries[start.Value], start.Value)
	}
	if complete {
		takeKey(graph, "sub_graphs")
	}
	return states
}

// subStates returns the states that replace a node which is a graph of its own, and the one that it begins with; nil: it is none, or one
// that is not known.
func subStates(node, graphs *yaml.Node, left *int) (states []*yaml.Node, entry string) {
	id := childOf(node, "sub_graph")
	if id == nil || graphs == nil {
		return nil, ""
	}
	spec := childOf(graphs, id.Value)
	if *left--; *left < 0 || spec == nil || len(spec.Content) != 2 || childOf(node, "agent") != nil {
		return nil, ""
	}
	name, inner := valueIn(node, "name"), copyNode(spec.Content[1])
	switch spec.Content[0].Value {
	case "graph":
		if childOf(inner, "nodes") == nil || childOf(inner, "edges") == nil {
			return nil, ""
		}
		states = graphStates(inner, left).Content
		for _, state := range states {
			rename(state, name+"/")
		}
		for _, state := range states {
			if valueIn(state, "terminal") == "true" || childOf(state, "transitions") == nil { // the answer that leaves the graph
				takeKey(state, "terminal")
				gates := takeKey(state, "gates")
				follow(state, node)
				addGates(state, gates)
			}
		}
		return states, name + "/" + valueIn(inner, "start")
	case "scatter_gather":
		targets := sequence(spec.Line)
		for _, agent := range childrenOf(inner, "branches") {
			states = append(states, gateNode(agent.Line, "name", name+"/"+agent.Value, "agent", agent.Value))
			targets.Content = append(targets.Content, textNode(name+"/"+agent.Value, agent.Line))
		}
		last := gateNode(spec.Line, "name", name, "agent", valueIn(inner, "judge"))
		last.Content = append(last.Content, key("targets", spec.Line), targets)
		follow(last, node)
		return append(states, last), ""
	case "map_reduce":
		edge := gateNode(spec.Line, "to", name+"/result", "mapper", valueIn(inner, "mapper"), "items", cmp.Or(valueIn(inner, "items"), "items"))
		first := gateNode(spec.Line, "name", name, "agent", valueIn(inner, "splitter"))
		first.Content = append(first.Content, key("transitions", spec.Line), sequence(spec.Line, edge))
		last := gateNode(spec.Line, "name", name+"/result", "agent", valueIn(inner, "reducer"))
		follow(last, node)
		return []*yaml.Node{first, last}, ""
	}
	return nil, ""
}

// follow gives a state what follows a node: its transitions, or that the work ends.
func follow(state, node *yaml.Node) {
	for _, name := range []string{"transitions", "terminal", "gates"} {
		if value := childOf(node, name); value != nil {
			state.Content = append(state.Content, key(name, value.Line), copyNode(value))
		}
	}
}

// addGates adds gates to the transitions of a state, or to the state that ends the work.
func addGates(state, gates *yaml.Node) {
	if gates == nil {
		return
	}
	nodes := childrenOf(state, "transitions")
	if len(nodes) == 0 {
		nodes = []*yaml.Node{state}
	}
	for _, node := range nodes {
		if own := childOf(node, "gates"); own != nil {
			own.Content = append(own.Content, gates.Content...)
		} else {
			node.Content = append(node.Content, key("gates", gates.Line), copyNode(gates))
		}
	}
}

// rename puts a prefix before the names of states.
func rename(state *yaml.Node, prefix string) {
	eachMapping(state, func(node *yaml.Node) {
		for _, name := range []string{"name", "to"} {
			if value := childOf(node, name); value != nil {
				value.Value = prefix + value.Value
			}
		}
		for _, target := range childrenOf(node, "targets") {
			target.Value = prefix + target.Value
		}
	})
}

// childrenOf returns the items of a list of a mapping.
func childrenOf(node *yaml.Node, name string) []*yaml.Node {
	if list := childOf(node, name); list != nil {
		return list.Content
	}
	return nil
}

// copyNode returns a deep copy of a node.
func copyNode(node *yaml.Node) *yaml.Node {
	out := *node
	out.Content = make([]*yaml.Node, len(node.Content))
	for i, child := range node.Content {
		out.Content[i] = copyNode(child)
	}
	return &out
}

// fanOut joins edges with the same signal to nodes that work in parallel into one transition. The state after these is where they lead to.
func fanOut(own, all []*yaml.Node, aside map[string]bool) []*yaml.Node {
	var out []*yaml.Node
	targets := map[string]*yaml.Node{} // by signal
	for _, edge := range own {
		to, signal := childOf(edge, "to"), valueIn(edge, "signal")
		if to == nil || !aside[to.Value] {
			out = append(out, edge)
			continue
		}
		if list := targets[signal]; list != nil {
			list.Content = append(list.Content, textNode(to.Value, to.Line))
			continue
		}
		targets[signal] = sequence(to.Line, textNode(to.Value, to.Line))
		next := ""
		for _, after := range all {
			if valueIn(after, "from") == to.Value {
				next = cmp.Or(next, valueIn(after, "to"))
			}
		}
		edge.Content = append(edge.Content, key("targets", to.Line), targets[signal])
		to.Value = next
		out = append(out, edge)
	}
	return out
}
