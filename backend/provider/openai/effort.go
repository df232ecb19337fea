package openai

import (
	"strings"

	"coppice/backend/core"
)

// reasons reports whether one of OpenAI's own models reasons: all do except the GPTs up to version 4, and those made
// for chat. The others reject a reasoning effort.
func reasons(model string) bool {
	for _, prefix := range []string{"gpt-3", "gpt-4", "chatgpt"} {
		if strings.HasPrefix(model, prefix) {
			return false
		}
	}
	return !strings.Contains(model, "-chat")
}

// vendorEffort returns the level of one of OpenAI's own models that is nearest to the requested one. The first models
// could not turn reasoning off.
func vendorEffort(model string, effort core.Effort) string {
	if effort != core.EffortNone {
		return string(effort)
	}
	switch {
	case strings.HasPrefix(model, "o1"), strings.HasPrefix(model, "o3"), strings.HasPrefix(model, "o4"), strings.Contains(model, "codex"):
		return "low"
	case model == "gpt-5", strings.HasPrefix(model, "gpt-5-"):
		return "minimal"
	}
	return "none"
}

// effort returns the fields that set the reasoning effort at an endpoint.
func (q quirks) effortFields(model string, effort core.Effort) map[string]any {
	if effort == "" {
		return nil
	}
	switch q.effort {
	case effortVendor:
		if reasons(model) {
			return map[string]any{"reasoning_effort": vendorEffort(model, effort)}
		}
	case effortObject:
		return map[string]any{"reasoning": map[string]any{"effort": effort}}
	case effortSwitch:
		state := "enabled"
		if effort == core.EffortNone {
			state = "disabled"
		}
		return map[string]any{"thinking": map[string]any{"type": state}}
	case effortField:
		if effort != core.EffortNone { // many servers do not support this level
			return map[string]any{"reasoning_effort": effort}
		}
	case effortUnknown:
	}
	return nil
}
