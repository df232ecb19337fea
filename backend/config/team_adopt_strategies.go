package config

import (
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"coppice/backend/core"
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

// adoptCritics lets the critics of fuseraft see nothing but the work that they judge, unless they are authors as well.
func adoptCritics(root *yaml.Node) {
	selection := childOf(root, "selection")
	if selection == nil || valueIn(selection, "strategy") != string(core.SelectAdversarial) {
		return
	}
	stages := childrenOf(selection, "stages")
	is := func(role, name string) bool {
		return slices.ContainsFunc(stages, func(stage *yaml.Node) bool { return valueIn(stage, role) == name })
	}
	for _, agent := range childrenOf(root, "agents") {
		if name := valueIn(agent, "name"); is("critic", name) && !is("author", name) && childOf(agent, "view") == nil {
			agent.Content = append(agent.Content, key("view", agent.Line), textNode(string(core.ViewLast), agent.Line))
		}
	}
}

// adoptEnd removes the termination that fuseraft ignores: these strategies end by themselves.
func adoptEnd(root, selection *yaml.Node) {
	if strategy := childOf(selection, "strategy"); strategy != nil && slices.Contains([]string{"planner", "map_reduce", "parallel"}, strategy.Value) {
		takeKey(root, "termination")
	}
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
