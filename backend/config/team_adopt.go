package config

import (
	"cmp"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v4"
)

// adoptTeam turns what fuseraft writes into the keys and values of a team, and short forms into whole ones. What it does not know stays as
// it is, so that the reader reports it with its line.
func adoptTeam(node *yaml.Node) {
	if node.Kind == yaml.MappingNode && len(node.Content) == 2 && node.Content[0].Value == "Orchestration" {
		*node = *node.Content[1]
	}
	adoptMapping(node, "")
	if agents := childOf(node, "agents"); agents != nil {
		for _, item := range agents.Content {
			if item.Kind == yaml.ScalarNode { // the name of an agent
				name := *item
				*item = yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Line: name.Line, Content: []*yaml.Node{key("agent", name.Line), &name}}
			}
		}
	}
	if selection := childOf(node, "selection"); selection != nil && selection.Kind == yaml.ScalarNode {
		strategy := *selection
		*selection = yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Line: strategy.Line, Content: []*yaml.Node{key("strategy", strategy.Line), &strategy}}
	}
}

// fuseraftKeys are the keys of fuseraft that have another name here, by the key that they are below. Others differ in their capitals only.
func fuseraftKeys() map[string]string {
	return map[string]string{
		"agents.instructions": "prompt", "agents.plugins": "tools",
		"selection.type": "strategy", "selection.default_agent": "start", "selection.structured_routes": "routes", "selection.initial": "start",
		"selection.manager_agent": "manager",
		"routes.keyword":          "signal", "routes.agent": "to", "routes.source_agents": "from", "routes.condition": "when",
		"termination.agent_names": "agents", "termination.max_iterations": "max_turns", "termination.strategies": "any",
		"any.agent_names": "agents", "any.max_iterations": "max_turns",
		"compaction.trigger_turn_count": "turns", "compaction.keep_recent_turns": "keep_turns",
		".max_total_tokens": "max_tokens", ".max_cost_usd": "budget",
	}
}

// fuseraftValues are the values of fuseraft that have another name here.
func fuseraftValues() map[string]string {
	return map[string]string{"roundrobin": "round_robin", "statemachine": "state_machine", "magentic": "planner"} //nolint:misspell // the name that fuseraft gives it
}

var capitals = regexp.MustCompile(`([a-z0-9])([A-Z])`)

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
	for i := 0; i+1 < len(node.Content); i += 2 {
		name, value := node.Content[i], node.Content[i+1]
		foreign := name.Value != strings.ToLower(name.Value)
		if foreign {
			name.Value = snake(name.Value)
			if ours, ok := fuseraftKeys()[below+"."+name.Value]; ok {
				name.Value = ours
			}
		}
		if name.Value == "states" {
			adoptStates(name, value)
			continue
		}
		adoptValue(name.Value, value)
		adoptMapping(value, name.Value)
	}
	adoptInline(node)
	adoptGates(node)
	if below == "termination" || below == "any" {
		adoptType(node)
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

// adoptInline moves what fuseraft has in a mapping of its own to where it is here: StateMachine and Model.
func adoptInline(node *yaml.Node) {
	for i := 0; i+1 < len(node.Content); i += 2 {
		name, value := node.Content[i].Value, node.Content[i+1]
		switch {
		case name == "state_machine" && value.Kind == yaml.MappingNode:
			for j := 0; j+1 < len(value.Content); j += 2 {
				if value.Content[j].Value == "initial" {
					value.Content[j].Value = "start"
				}
			}
			node.Content = append(append(node.Content[:i:i], value.Content...), node.Content[i+2:]...)
			return
		case name == "model" && value.Kind == yaml.MappingNode && len(value.Content) == 2 && value.Content[0].Value == "model_id":
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

// adoptGates turns the validators of fuseraft into gates.
func adoptGates(node *yaml.Node) {
	var gates, kept []*yaml.Node
	command := ""
	if pattern := childOf(node, "required_command_pattern"); pattern != nil {
		command, _, _ = strings.Cut(pattern.Value, "|")
	}
	gate := func(line int, name, value string) {
		gates = append(gates, &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Line: line, Content: []*yaml.Node{key(name, line), {Kind: yaml.ScalarNode, Tag: "!!str", Value: value, Line: line}}})
	}
	for i := 0; i+1 < len(node.Content); i += 2 {
		name, value := node.Content[i], node.Content[i+1]
		validators := value.Content
		if name.Value == "validator" {
			validators = []*yaml.Node{value}
		}
		switch name.Value {
		case "validator", "validators":
			var unknown []*yaml.Node
			for _, v := range validators {
				switch v.Value {
				case "RequireWriteFile":
					gate(v.Line, "wrote", "*")
				case "RequireShellPass":
					gate(v.Line, "passed", cmp.Or(command, " "))
				default:
					unknown = append(unknown, v)
				}
			}
			if len(unknown) > 0 {
				kept = append(kept, key("validators "+unknown[0].Value, unknown[0].Line), value)
			}
		case "required_command_pattern":
		case "require_human_approval":
			if value.Value == "true" {
				gate(name.Line, "approve", "Approve this hand-over?")
			}
		default:
			kept = append(kept, name, value)
		}
	}
	if len(gates) > 0 {
		kept = append(kept, key("gates", gates[0].Line), &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Line: gates[0].Line, Content: gates})
	}
	node.Content = kept
}

// adoptType drops the type of a termination of fuseraft: its other keys define it.
func adoptType(node *yaml.Node) {
	for i := 0; i+1 < len(node.Content); i += 2 {
		if node.Content[i].Value == "type" {
			switch strings.ToLower(node.Content[i+1].Value) {
			case "regex", "maxiterations", "composite", "tokenbudget":
				node.Content = append(node.Content[:i:i], node.Content[i+2:]...)
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
