package config

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// dropped is the name of a key of fuseraft that has no effect here.
const dropped = ""

// noTools is the pattern of an agent without tools.
const noTools = "none"

// inlined reports whether fuseraft has the settings of a key in a mapping of its own, where they are beside the key here.
func inlined(name string) bool {
	return slices.Contains([]string{"state_machine", "magentic", "adversarial", "scatter_gather", "map_reduce", "merge"}, name) //nolint:misspell // the name that fuseraft gives it
}

// adoptTeamAgents gives the agents of fuseraft the models that their aliases mean, and no tools if they name none.
func adoptTeamAgents(root *yaml.Node) {
	aliases := map[string]string{}
	if models := takeKey(root, "models"); models != nil {
		for i := 0; i+1 < len(models.Content); i += 2 {
			aliases[models.Content[i].Value] = models.Content[i+1].Value
		}
	}
	adopt := func(node *yaml.Node) {
		if model := childOf(node, "model"); model != nil && aliases[model.Value] != "" {
			model.Value = withProvider(aliases[model.Value])
		}
	}
	if agents := childOf(root, "agents"); agents != nil {
		for _, agent := range agents.Content {
			adopt(agent)
		}
	}
	if selection := childOf(root, "selection"); selection != nil {
		adopt(selection)
		adoptManager(root, selection)
		adoptEnd(root, selection)
	}
}

// adoptManager makes an agent of the model that selects agents in fuseraft.
func adoptManager(root, selection *yaml.Node) {
	agents, model := childOf(root, "agents"), takeKey(selection, "model")
	if agents == nil || model == nil {
		return
	}
	line, name := model.Line, "Manager"
	for slices.ContainsFunc(agents.Content, func(a *yaml.Node) bool { n := childOf(a, "name"); return n != nil && n.Value == name }) {
		name += "2"
	}
	prompt := "You select the agent that works next."
	if own := takeKey(selection, "prompt"); own != nil {
		prompt = strings.NewReplacer("{{$agents}}", "that you are given", "{{$history}}", "before").Replace(own.Value)
	}
	agents.Content = append(agents.Content, mapping(line, key("name", line), textNode(name, line), key("model", line), model, key("prompt", line), textNode(prompt, line), key("tools", line), sequence(line, textNode(noTools, line))))
	selection.Content = append(selection.Content, key("manager", line), textNode(name, line))
}

// adoptEnd removes the termination that fuseraft ignores: these strategies end by themselves.
func adoptEnd(root, selection *yaml.Node) {
	if strategy := childOf(selection, "strategy"); strategy != nil && slices.Contains([]string{"planner", "map_reduce", "parallel"}, strategy.Value) {
		takeKey(root, "termination")
	}
}

// adoptContracts turns the contracts of transitions into gates. A predicate without an equal here stays, so that it is reported.
func adoptContracts(root *yaml.Node) {
	contracts := childOf(root, "contracts")
	if contracts == nil {
		return
	}
	gates := map[string][]*yaml.Node{}
	complete := true
	for _, contract := range contracts.Content {
		name, requires := childOf(contract, "name"), childOf(contract, "requires")
		if name == nil || requires == nil {
			continue
		}
		for _, predicate := range requires.Content {
			if gate := gateOf(predicate); gate != nil {
				gates[name.Value] = append(gates[name.Value], gate)
				continue
			}
			complete = false
			if name := keyNode(root, "contracts"); name != nil && len(predicate.Content) > 0 {
				name.Value, name.Line = "contracts "+predicate.Content[0].Value, predicate.Line
			}
		}
	}
	if complete {
		takeKey(root, "contracts")
	}
	if selection := childOf(root, "selection"); selection != nil {
		useContracts(selection, gates)
	}
}

// gateOf returns the gate of a predicate of a contract; nil: no gate is equal.
func gateOf(predicate *yaml.Node) *yaml.Node {
	for from, to := range map[string]string{"file_exists.path": "exists", "command_succeeded.pattern": "passed"} {
		outer, inner, _ := strings.Cut(from, ".")
		if of := childOf(predicate, outer); of != nil && len(of.Content) == 2 && of.Content[0].Value == inner {
			return mapping(of.Line, key(to, of.Line), of.Content[1])
		}
	}
	return nil
}

// useContracts replaces the names of contracts below a node by their gates.
func useContracts(node *yaml.Node, gates map[string][]*yaml.Node) {
	for _, child := range node.Content {
		useContracts(child, gates)
	}
	if node.Kind != yaml.MappingNode {
		return
	}
	var found []*yaml.Node
	for _, name := range []string{"contract", "contracts"} {
		names := childOf(node, name)
		if names == nil {
			continue
		}
		list := names.Content
		if names.Kind == yaml.ScalarNode {
			list = []*yaml.Node{names}
		}
		if slices.ContainsFunc(list, func(n *yaml.Node) bool { return gates[n.Value] == nil }) {
			continue
		}
		takeKey(node, name)
		for _, n := range list {
			found = append(found, gates[n.Value]...)
		}
	}
	if len(found) == 0 {
		return
	}
	if own := childOf(node, "gates"); own != nil {
		own.Content = append(own.Content, found...)
		return
	}
	node.Content = append(node.Content, key("gates", found[0].Line), sequence(found[0].Line, found...))
}

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
	nodes, edges := takeKey(graph, "nodes"), takeKey(graph, "edges")
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
		if own = fanOut(own, edges.Content, aside); len(own) > 0 {
			node.Content = append(node.Content, key("transitions", own[0].Line), sequence(own[0].Line, own...))
		}
	}
	for _, edge := range edges.Content {
		takeKey(edge, "from")
	}
	selection.Content = append(selection.Content, key("states", nodes.Line), nodes)
	selection.Content = append(selection.Content, graph.Content...) // start, and what is not known
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

// approvalOf returns the regular expression that finds a keyword at the beginning of a line.
func approvalOf(keyword string) string { return `(?im)^\W*` + regexp.QuoteMeta(keyword) + `\b` }

// takeKey removes a key of a mapping and returns its value; nil: it has none.
func takeKey(node *yaml.Node, name string) *yaml.Node {
	for i := 0; i+1 < len(node.Content) && node.Kind == yaml.MappingNode; i += 2 {
		if node.Content[i].Value == name {
			value := node.Content[i+1]
			node.Content = slices.Delete(slices.Clone(node.Content), i, i+2)
			return value
		}
	}
	return nil
}

// keyNode returns a key of a mapping; nil: it has none.
func keyNode(node *yaml.Node, name string) *yaml.Node {
	for i := 0; i+1 < len(node.Content); i += 2 {
		if node.Content[i].Value == name {
			return node.Content[i]
		}
	}
	return nil
}

// valueIn returns the text of a key of a mapping; empty: it has none.
func valueIn(node *yaml.Node, name string) string {
	if value := childOf(node, name); value != nil {
		return value.Value
	}
	return ""
}

func textNode(value string, line int) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: value, Line: line}
}

func mapping(line int, content ...*yaml.Node) *yaml.Node {
	return &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Line: line, Content: content}
}

func sequence(line int, content ...*yaml.Node) *yaml.Node {
	return &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Line: line, Content: content}
}
