package team

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"coppice/backend/core"
)

const (
	partPrefix   = "part " // of the node of a branch of map_reduce
	defaultItems = "items"
	// maxParts is how many parts of a task the branches of map_reduce work on.
	maxParts = 50
)

// split asks the splitter for the parts of the task.
func split(t *core.Team, _ *core.TeamState) core.TeamMove {
	field := cmp.Or(t.Selection.Items, defaultItems)
	return core.TeamMove{
		Agent: t.Selection.Splitter,
		Note:  fmt.Sprintf("Split the task into parts that can be worked on independently. Answer with a JSON object only, whose field %q lists them.", field),
	}
}

// mapReduce lets the mapper work on all parts at once, and then the reducer join the results.
func mapReduce(t *core.Team, s *core.TeamState, turn *Turn) core.TeamMove {
	if s.Phase == core.PhaseJoin {
		return ended(s.Agent + " has joined the parts")
	}
	parts, wrong := mapped(t.Selection.Items, turn)
	if wrong != "" {
		return retry(s, wrong)
	}
	return core.TeamMove{Agent: t.Selection.Mapper, Phase: core.PhaseBranches, Parts: parts}
}

// mapped returns the parts of the task in an answer, or what is wrong with them.
func mapped(items string, turn *Turn) (parts []string, wrong string) {
	items = cmp.Or(items, defaultItems)
	switch parts = partsIn(turn.Text, items); {
	case len(parts) == 0:
		return nil, fmt.Sprintf("Answer with a JSON object whose field %q is a list with at least one part of the task.", items)
	case len(parts) > maxParts:
		return nil, fmt.Sprintf("These are %d parts; at most %d are possible. Join some of them.", len(parts), maxParts)
	}
	return parts, ""
}

// partsIn returns the list in a field of the JSON of an answer: texts as they are, other values as JSON.
func partsIn(text, names string) (parts []string) {
	object, ok := jsonIn(text)
	if !ok {
		return nil
	}
	list, _ := fieldOf(object, names)
	var values []json.RawMessage
	if json.Unmarshal([]byte(list), &values) != nil {
		return nil
	}
	for _, value := range values {
		var part string
		if json.Unmarshal(value, &part) != nil {
			part = string(value)
		}
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}
