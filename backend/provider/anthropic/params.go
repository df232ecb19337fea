package anthropic

import (
	"encoding/json"
	"maps"

	"coppice/backend/core"
)

// newRequest returns the body of a call.
func newRequest(r core.Request, c conversation) request {
	p := request{Model: r.Model, MaxTokens: r.MaxOutputTokens, Messages: c.messages(), Stream: true}
	if p.MaxTokens == 0 {
		p.MaxTokens = outputTokens(r.Model)
	}
	for _, spec := range r.Tools {
		p.Tools = append(p.Tools, newTool(spec))
	}
	if r.System != "" {
		p.System = []content{{Type: "text", Text: r.System}}
	}
	thinking(&p, r, c.opensReasoning())
	choose(&p, r.ToolChoice)
	if r.Temperature != nil && !reasons(&p) && !rejectsTemperature(r.Model) {
		p.Temperature = r.Temperature
	}
	remember(&p)
	return p
}

func choose(p *request, choice core.ToolChoice) {
	if len(p.Tools) == 0 {
		return
	}
	switch choice {
	case core.ToolChoiceNone:
		p.ToolChoice = &toolChoice{Type: "none"}
	case core.ToolChoiceRequired:
		if !reasons(p) { // models that reason reject it
			p.ToolChoice = &toolChoice{Type: "any"}
		}
	default:
	}
}

// remember marks up to where the server may cache a prompt for the next call: the tools and the system prompt, which
// never change, and the last two user messages, so that this call finds the cache of the one before.
func remember(p *request) {
	mark := &cacheControl{Type: "ephemeral"}
	switch {
	case len(p.System) > 0:
		p.System[len(p.System)-1].CacheControl = mark
	case len(p.Tools) > 0:
		p.Tools[len(p.Tools)-1].CacheControl = mark
	}
	marks := 2
	for i := len(p.Messages) - 1; i >= 0 && marks > 0; i-- {
		if m := p.Messages[i]; m.Role == roleUser {
			m.Content[len(m.Content)-1].CacheControl = mark
			marks--
		}
	}
}

func newTool(spec core.ToolSpec) tool {
	return tool{Name: spec.Name, Description: spec.Description, InputSchema: schema(spec.Parameters)}
}

// schema passes a schema on unchanged, unless it is a choice at the top level, which some MCP servers send and
// Anthropic rejects. Then the model gets the fields alone, and the tool's own errors report which of them go together.
func schema(parameters json.RawMessage) any {
	var fields map[string]json.RawMessage
	if json.Unmarshal(parameters, &fields) != nil || fields == nil {
		return json.RawMessage(`{"type":"object","properties":{}}`)
	}
	kept := maps.Clone(fields)
	for _, key := range []string{"oneOf", "anyOf", "allOf"} {
		delete(kept, key)
	}
	if string(kept["type"]) == `"object"` && len(kept) == len(fields) {
		return parameters
	}
	kept["type"] = json.RawMessage(`"object"`)
	return kept
}
