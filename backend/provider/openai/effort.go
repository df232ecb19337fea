package openai

import (
	"strings"

	"coppice/backend/core"
)

// reasons says whether a model of OpenAI's own reasons: all do but the GPTs up to the fourth, and those made for
// chat. The others refuse to be told how much.
func reasons(model string) bool {
	for _, prefix := range []string{"gpt-3", "gpt-4", "chatgpt"} {
		if strings.HasPrefix(model, prefix) {
			return false
		}
	}
	return !strings.Contains(model, "-chat")
}

// vendorEffort returns the step of a model of OpenAI's own that is nearest to what is asked. The first ones could
// not be told to reason not at all.
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

// effort returns the fields that tell an endpoint how much to reason.
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
		if effort != core.EffortNone { // many know no such step
			return map[string]any{"reasoning_effort": effort}
		}
	case effortUnknown:
	}
	return nil
}
