package config

import (
	"cmp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// Where fuseraft expects the files that its validators read, unless the configuration names others.
const (
	fuseraftBrief  = ".fuseraft/artifacts/brief.json"
	fuseraftReport = ".fuseraft/artifacts/test-report.json"
)

// adoptGates turns the validators of fuseraft into gates.
func adoptGates(node *yaml.Node) {
	var gates, kept []*yaml.Node
	command, instead := valueIn(node, "required_command_pattern"), valueIn(node, "shell_fallback_pattern")
	for i := 0; i+1 < len(node.Content); i += 2 {
		name, value := node.Content[i], node.Content[i+1]
		validators := value.Content
		if name.Value == "validator" {
			validators = []*yaml.Node{value}
		}
		switch name.Value {
		case "validator", "validators":
			var unknown *yaml.Node
			for _, v := range validators {
				if gate := validatorGate(v, command, instead); gate != nil {
					gates = append(gates, gate)
				} else {
					unknown = v
				}
			}
			if unknown != nil {
				kept = append(kept, key("validators "+unknown.Value, unknown.Line), value)
			}
		case "required_command_pattern", "shell_fallback_pattern":
		case "require_human_approval":
			if value.Value == "true" {
				gates = append(gates, gateNode(name.Line, "approve", "Approve this hand-over?"))
			}
		default:
			kept = append(kept, name, value)
		}
	}
	if len(gates) > 0 {
		kept = append(kept, key("gates", gates[0].Line), sequence(gates[0].Line, gates...))
	}
	node.Content = kept
}

// gateNode returns a gate with keys and texts in turn.
func gateNode(line int, texts ...string) *yaml.Node {
	gate := mapping(line)
	for i := 0; i+1 < len(texts); i += 2 {
		gate.Content = append(gate.Content, key(texts[i], line), textNode(texts[i+1], line))
	}
	return gate
}

// validatorGate returns the gate of a validator, or nil if it has no gate here.
func validatorGate(v *yaml.Node, command, instead string) *yaml.Node {
	switch v.Value {
	case "RequireWriteFile":
		return gateNode(v.Line, "wrote", "*", "or_passed", strings.Trim("git commit|"+instead, "|"))
	case "RequireBrief":
		return withFields(gateNode(v.Line, "exists", fuseraftBrief), "goal", "files_to_change", "acceptance_criteria", "implementation")
	case "RequireShellPass":
		return gateNode(v.Line, "passed", cmp.Or(command, " "))
	case "RequireAllFilesWritten":
		return withFields(gateNode(v.Line, "wrote_listed", fuseraftBrief), "files_to_change")
	case "TestReportValid":
		return gateNode(v.Line, "report", fuseraftReport, "brief", fuseraftBrief)
	case "RequireReviewJudgement":
		return gateNode(v.Line, "judged", "review", "brief", fuseraftBrief)
	}
	return nil
}

// withFields adds the fields that a gate reads.
func withFields(gate *yaml.Node, names ...string) *yaml.Node {
	fields := sequence(gate.Line)
	for _, name := range names {
		fields.Content = append(fields.Content, textNode(name, gate.Line))
	}
	gate.Content = append(gate.Content, key("fields", gate.Line), fields)
	return gate
}

// adoptValidation lets gates read the files that a configuration names for its validators.
func adoptValidation(root *yaml.Node) {
	named, selection := takeKey(root, "validation"), childOf(root, "selection")
	if selection == nil {
		return
	}
	eachMapping(selection, func(gate *yaml.Node) {
		if named == nil || valueIn(named, "brief_path") == "" {
			if valueIn(gate, "judged") != "" && valueIn(gate, "brief") == fuseraftBrief {
				takeKey(gate, "brief") // as in fuseraft, criteria are counted only if their file is named
			}
		}
		if named == nil {
			return
		}
		for _, at := range []string{"exists", "wrote_listed", "passed_listed", "brief", "report"} {
			file := childOf(gate, at)
			switch {
			case file == nil:
			case file.Value == fuseraftBrief:
				file.Value = cmp.Or(valueIn(named, "brief_path"), file.Value)
			case file.Value == fuseraftReport:
				file.Value = cmp.Or(valueIn(named, "test_report_path"), file.Value)
			}
		}
		if patterns := childOf(named, "test_assertion_patterns"); patterns != nil && childOf(gate, "report") != nil {
			gate.Content = append(gate.Content, key("assertions", patterns.Line), patterns)
		}
	})
}

// eachMapping calls visit with a node and all below it that are mappings.
func eachMapping(node *yaml.Node, visit func(*yaml.Node)) {
	if node.Kind == yaml.MappingNode {
		visit(node)
	}
	for _, child := range node.Content {
		eachMapping(child, visit)
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
			if name := keyNode(root, "contracts"); name != nil {
				name.Value, name.Line = "contracts "+predicateName(predicate), predicate.Line
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

// predicateName returns the name of a predicate of a contract.
func predicateName(predicate *yaml.Node) string {
	if predicate.Kind == yaml.MappingNode && len(predicate.Content) > 0 {
		return predicate.Content[0].Value
	}
	return predicate.Value
}

// gateOf returns the gate of a predicate of a contract; nil: no gate is equal.
func gateOf(predicate *yaml.Node) *yaml.Node {
	if predicate.Kind != yaml.MappingNode || len(predicate.Content) != 2 {
		return nil
	}
	of := predicate.Content[1]
	known := func(names ...string) bool {
		for i := 0; i+1 < len(of.Content); i += 2 {
			if !slices.Contains(names, of.Content[i].Value) {
				return false
			}
		}
		return of.Kind == yaml.MappingNode
	}
	switch name := predicate.Content[0].Value; {
	case name == "file_exists" && known("path"):
		return gateNode(of.Line, "exists", valueIn(of, "path"))
	case name == "command_succeeded" && known("pattern") && valueIn(of, "pattern") != "":
		gate := gateNode(of.Line, "passed", valueIn(of, "pattern"), "session", "true")
		gate.Content[3].Tag = "!!bool"
		return gate
	case name == "command_succeeded" && known("pattern_field", "pattern_source"):
		return withFields(gateNode(of.Line, "passed_listed", cmp.Or(valueIn(of, "pattern_source"), fuseraftBrief)), valueIn(of, "pattern_field"))
	case name == "files_written" && known("source", "field"):
		return withFields(gateNode(of.Line, "wrote_listed", cmp.Or(valueIn(of, "source"), fuseraftBrief)), cmp.Or(valueIn(of, "field"), "files_to_change"))
	case name == "test_report" && known("no_failures", "has_assertions"):
		return reportGate(of)
	}
	return nil
}

// reportGate returns the gate of a report of tests with the checks that a contract declares.
func reportGate(of *yaml.Node) *yaml.Node {
	gate, checks := gateNode(of.Line, "report", fuseraftReport, "brief", fuseraftBrief), sequence(of.Line)
	for _, check := range [][2]string{{"no_failures", "failures"}, {"has_assertions", "assertions"}} {
		if valueIn(of, check[0]) == "true" {
			checks.Content = append(checks.Content, textNode(check[1], of.Line))
		}
	}
	if len(checks.Content) == 0 {
		return withFields(gateNode(of.Line, "exists", fuseraftReport), "results")
	}
	gate.Content = append(gate.Content, key("checks", of.Line), checks)
	return gate
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
