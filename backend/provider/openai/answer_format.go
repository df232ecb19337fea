package openai

import (
	"encoding/json"
	"slices"

	"coppice/backend/core"
)

// answerFormat is the schema that an answer must satisfy.
type answerFormat struct {
	Name   string          `json:"name"`
	Schema json.RawMessage `json:"schema"`
	Strict bool            `json:"strict"` // the server guarantees it
}

func newAnswerFormat(schema json.RawMessage) answerFormat {
	var document any
	strict := json.Unmarshal(schema, &document) == nil && isStrict(document, true)
	return answerFormat{Name: "answer", Schema: schema, Strict: strict}
}

// sendsSchema reports whether a request contains the schema of the answer. At most servers it would bind the calls of tools too.
func (c *client) sendsSchema(r *core.Request) bool {
	return r.OutputSchema != nil && (c.quirks.schemaWithTools || !r.MayCall())
}

// isStrict reports whether a schema is one that servers can guarantee: each object requires all of its properties and allows no others, and
// no keyword is used that they reject.
func isStrict(schema any, isRoot bool) bool {
	object, ok := schema.(map[string]any)
	if !ok || isRoot && object["type"] != "object" {
		return false
	}
	for key, value := range object {
		switch key {
		case "type", "description", "title", "enum", "const", "$schema":
		case "properties", "$defs", "definitions":
			members, ok := value.(map[string]any)
			if !ok {
				return false
			}
			for _, member := range members {
				if !isStrict(member, false) {
					return false
				}
			}
		case "items":
			if !isStrict(value, false) {
				return false
			}
		case "anyOf":
			choices, ok := value.([]any)
			if !ok || isRoot || slices.ContainsFunc(choices, func(choice any) bool { return !isStrict(choice, false) }) {
				return false
			}
		case "required", "additionalProperties", "$ref":
		default:
			return false
		}
	}
	return object["type"] != "object" || isClosed(object)
}

// isClosed reports whether an object requires all of its properties and allows no others.
func isClosed(object map[string]any) bool {
	properties, _ := object["properties"].(map[string]any)
	required, _ := object["required"].([]any)
	if object["additionalProperties"] != false || len(required) != len(properties) {
		return false
	}
	for name := range properties {
		if !slices.Contains(required, any(name)) {
			return false
		}
	}
	return true
}
