package config

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"coppice/backend/lazyregexp"
)

// adoptTeam turns what fuseraft writes into the keys and values of a team, and short forms into whole ones. What it does not know stays as
// it is, so that the reader reports it with its line.
func adoptTeam(node *yaml.Node) {
	if node.Kind == yaml.MappingNode && len(node.Content) == 2 && node.Content[0].Value == "Orchestration" {
		*node = *node.Content[1]
	}
	foreign := childOf(node, "Agents") != nil
	adoptMapping(node, "")
	adoptTeamAgents(node)
	if foreign {
		adoptCritics(node)
	}
	adoptContracts(node)
	adoptValidation(node)
	if agents := childOf(node, "agents"); agents != nil {
		for _, item := range agents.Content {
			if item.Kind == yaml.ScalarNode { // the name of an agent
				name := *item
				*item = *mapping(name.Line, key("agent", name.Line), &name)
			}
		}
	}
	if selection := childOf(node, "selection"); selection != nil && selection.Kind == yaml.ScalarNode {
		strategy := *selection
		*selection = *mapping(strategy.Line, key("strategy", strategy.Line), &strategy)
	}
}

// fuseraftKeys are the keys of fuseraft that have another name here, by the key that they are below. Others differ in their capitals only.
func fuseraftKeys() map[string]string {
	return map[string]string{
		"agents.instructions": "prompt", "agents.plugins": "tools", "agents.function_choice": dropped, "agents.trust_score": dropped, ".schema_version": dropped,
		"selection.type": "strategy", "selection.default_agent": "start", "selection.structured_routes": "routes", "selection.initial": "start", "state_machine.initial": "start",
		"selection.manager_agent": "manager",
		"magentic.instructions":   "prompt", "magentic.max_round_count": "rounds", "magentic.max_stall_count": "stalls", "magentic.max_reset_count": "resets",
		"magentic.enable_plan_review": "review", "adversarial.pass_keyword": "approval", "stages.generator": "author", "stages.label": dropped,
		"scatter_gather.participants": "branches", "scatter_gather.synthesizer": "judge", "scatter_gather.max_concurrency": dropped,
		"map_reduce.items_json_path": "items", "map_reduce.max_concurrency": dropped, "map_reduce.max_splitter_retries": dropped,
		"graph.entry_node": "start", "nodes.id": "name", "nodes.sub_graph_id": "sub_graph", "edges.keyword": "signal", "edges.source_agents": dropped, "graph.max_retries": dropped,
		"transitions.parallel": dropped, "transitions.source_agents": dropped, "merge.strategy": "join", "merge.agent": "judge",
		"routes.keyword": "signal", "routes.agent": "to", "routes.source_agents": "from", "routes.condition": "when",
		"termination.agent_names": "agents", "termination.max_iterations": "max_turns", "termination.strategies": "any", "termination.condition": "field",
		"any.agent_names": "agents", "any.max_iterations": "max_turns", "any.strategies": "any", "any.condition": "field",
		".change_tracking": dropped, ".evidence_store": dropped, // what agents do is recorded anyway
		"compaction.trigger_turn_count": "turns", "compaction.keep_recent_turns": "keep_turns",
		".max_total_tokens": "max_tokens", ".max_cost_usd": "budget",
	}
}

// fuseraftValues are the values of fuseraft that have another name here.
func fuseraftValues() map[string]string {
	return map[string]string{"roundrobin": "round_robin", "statemachine": "state_machine", "magentic": "planner", "scattergather": "parallel", "mapreduce": "map_reduce"} //nolint:misspell // the name that fuseraft gives it
}

var capitals = lazyregexp.New(`([a-z0-9])([A-Z])`)

// snake turns MaxTurns into max_turns.
func snake(name string) string {
	return strings.ToLower(capitals.ReplaceAllString(name, "${1}_${2}"))
}

func adoptMapping(node *yaml.Node, below string) {
	switch node.Kind {
	case yaml.SequenceNode:
		for _, item := range node.Content {
			adoptMapping(item, below)
		}
		return
	case yaml.MappingNode:
	default:
		return
	}
	foreign := false
	for i := 0; i+1 < len(node.Content); i += 2 {
		name, value := node.Content[i], node.Content[i+1]
		if below != "models" && name.Value != strings.ToLower(name.Value) {
			foreign = true
			name.Value = snake(name.Value)
			if ours, ok := fuseraftKeys()[below+"."+name.Value]; ok {
				name.Value = ours
			}
			if below == "adversarial" && name.Value == "approval" {
				value.Value = approvalOf(value.Value)
			}
		}
		switch name.Value {
		case "states":
			adoptStates(name, value)
			continue
		case "sub_graphs":
			adoptSubGraphs(value)
			continue
		}
		adoptValue(name.Value, value)
		adoptMapping(value, name.Value)
	}
	for foreign && takeKey(node, dropped) != nil {
	}
	adoptInline(node, below)
	adoptGates(node)
	switch {
	case below == "agents" && foreign:
		adoptAgent(node)
	case below == "selection":
		adoptGraph(node)
	case below == "termination" || below == "any":
		adoptType(node)
	}
}

// adoptAgent gives an agent of fuseraft that names no tools none. That others are sent as texts needs no setting.
func adoptAgent(node *yaml.Node) {
	if window := childOf(node, "context_window"); window != nil && len(window.Content) == 2 && window.Content[0].Value == "text_only" {
		takeKey(node, "context_window")
	}
	tools := childOf(node, "tools")
	if tools == nil {
		tools = sequence(node.Line)
		node.Content = append(node.Content, key("tools", node.Line), tools)
	}
	if len(tools.Content) == 0 {
		tools.Content = []*yaml.Node{textNode(noTools, tools.Line)}
	}
}

// adoptStates turns a map of states into a list.
func adoptStates(name, value *yaml.Node) {
	if value.Kind == yaml.MappingNode {
		list := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Line: value.Line}
		for i := 0; i+1 < len(value.Content); i += 2 {
			state := value.Content[i+1]
			if state.Kind == yaml.MappingNode {
				state.Content = append([]*yaml.Node{key("name", value.Content[i].Line), value.Content[i]}, state.Content...)
				state.Line = value.Content[i].Line
			}
			list.Content = append(list.Content, state)
		}
		*value = *list
	}
	adoptMapping(value, name.Value)
}

// adoptInline moves what fuseraft has in a mapping of its own to where it is here.
func adoptInline(node *yaml.Node, below string) {
	for i := 0; i+1 < len(node.Content); i += 2 {
		name, value := node.Content[i].Value, node.Content[i+1]
		switch {
		case inlined(name) && value.Kind == yaml.MappingNode:
			if name == "scatter_gather" {
				value.Content = append(value.Content, key("join", value.Line), textNode("judge", value.Line))
			}
			node.Content = slices.Concat(node.Content[:i], value.Content, node.Content[i+2:])
			adoptInline(node, below)
			return
		case (name == "model" || below == "models") && value.Kind == yaml.MappingNode && len(value.Content) == 2 && value.Content[0].Value == "model_id":
			model := value.Content[1].Value
			scalar(value, withProvider(model))
		}
	}
}

// adoptValue adopts the values of a key.
func adoptValue(name string, value *yaml.Node) {
	switch name {
	case "strategy":
		if ours, ok := fuseraftValues()[strings.ToLower(value.Value)]; ok {
			value.Value = ours
		}
	case "join":
		if ours, ok := map[string]string{"ranked": "ranking", "semantic_diff": "judge"}[strings.ToLower(value.Value)]; ok {
			value.Value = ours
		}
	case "model":
		if value.Kind == yaml.ScalarNode {
			value.Value = withProvider(value.Value)
		}
	case "tools":
		adoptTools(value)
	}
}

// withProvider adds the provider to the id of a well-known model.
func withProvider(model string) string {
	for prefix, provider := range map[string]string{"gpt-": "openai/", "o1": "openai/", "o3": "openai/", "o4": "openai/", "claude-": "anthropic/", "gemini-": "google/"} {
		if strings.HasPrefix(model, prefix) {
			return provider + model
		}
	}
	return model
}

// plugins are the tools of fuseraft's plugins.
func plugins() map[string][]string {
	read := []string{"read_file", "list_files", "find_files"}
	return map[string][]string{
		"FileSystem": append(read, "search", "write_file", "edit_file", "apply_patch", "delete_file"), "Shell": {"run_command"}, "Git": {"run_command"},
		"Search": {"search", "find_files"}, "Handoff": {},
	}
}

// adoptTools turns plugins of fuseraft into tools. Handoff is offered wherever a signal is needed.
func adoptTools(list *yaml.Node) {
	var content []*yaml.Node
	for _, item := range list.Content {
		names, isPlugin := plugins()[item.Value]
		if !isPlugin {
			content = append(content, item)
			continue
		}
		for _, name := range names {
			content = append(content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: name, Line: item.Line})
		}
	}
	list.Content = content
}

// adoptType drops the type of a termination of fuseraft: its other keys define it. A limit of turns beside it is a condition of its own.
func adoptType(node *yaml.Node) {
	if limit := childOf(node, "max_turns"); limit != nil && childOf(node, "type") != nil && (childOf(node, "any") != nil || childOf(node, "pattern") != nil || childOf(node, "field") != nil) {
		takeKey(node, "max_turns")
		turns := mapping(limit.Line, key("max_turns", limit.Line), limit)
		if any := childOf(node, "any"); any != nil {
			any.Content = append(any.Content, turns)
		} else {
			own := mapping(node.Line, node.Content...)
			takeKey(own, "type")
			node.Content = []*yaml.Node{key("any", node.Line), sequence(node.Line, own, turns)}
		}
	}
	for i := 0; i+1 < len(node.Content); i += 2 {
		if node.Content[i].Value == "type" {
			switch strings.ToLower(node.Content[i+1].Value) {
			case "regex", "maxiterations", "composite", "tokenbudget", "structured":
				takeKey(node, "type")
				return
			}
		}
	}
}

func key(name string, line int) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: name, Line: line}
}

// childOf returns the value of a key of a mapping; nil: it has none.
func childOf(node *yaml.Node, name string) *yaml.Node {
	for i := 0; i+1 < len(node.Content) && node.Kind == yaml.MappingNode; i += 2 {
		if node.Content[i].Value == name {
			return node.Content[i+1]
		}
	}
	return nil
}
