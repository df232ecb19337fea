package anthropic

import (
	"strconv"
	"strings"

	"coppice/backend/core"
	"coppice/backend/lazyregexp"
)

// generation returns a model's version as a number: 4.6 is 406. Claude models without a version are the newest; models
// of other vendors have 0.
type generation int

const newest generation = 1 << 20

// versions matches the numbers in claude-opus-4-6, claude-haiku-4-5-20251001 and claude-3-7-sonnet-latest.
var versions = lazyregexp.New(`claude(?:-[a-z]+)?-(\d{1,2})(?:[-.](\d{1,2}))?(?:[^\d]|$)`)

func generationOf(model string) generation {
	found := versions.FindStringSubmatch(model)
	if found == nil {
		if strings.Contains(model, "claude") {
			return newest
		}
		return 0
	}
	major, _ := strconv.Atoi(found[1]) // digits, or empty
	minor, _ := strconv.Atoi(found[2])
	return generation(100*major + minor)
}

// outputTokens returns the output limit if the request has none, because the protocol requires one. It leaves room for
// the largest reasoning and stays within each model's maximum.
func outputTokens(model string) int64 {
	switch v := generationOf(model); {
	case v == 0:
		return 8192
	case v < 305:
		return 4096
	case v < 307:
		return 8192
	case v < 406:
		return 32000
	default:
		return 64000
	}
}

// rejectsTemperature reports whether a model no longer accepts a temperature.
func rejectsTemperature(model string) bool { return generationOf(model) >= 407 }

// thinking sets in p how much the model reasons. Models up to 4.5 take a budget; models from 4.6 on decide by the
// effort; models from 5 on reason by default, and some of them cannot turn it off. A conversation in the middle of tool
// calls that did not begin with reasoning cannot continue with a budget.
func thinking(p *request, r core.Request, opensReasoning bool) {
	v := generationOf(r.Model)
	switch {
	case v >= 500 && r.Effort == core.EffortNone:
		off(p, r.Model, v)
	case r.Effort == core.EffortNone || v != 0 && v < 307:
	case v >= 500 || v >= 406 && r.Effort != "":
		adaptive(p, r.Effort)
	case r.Effort != "" && opensReasoning:
		budget(p, r.Effort)
	}
}

// off sets the lowest reasoning that a model of version 5 or later accepts.
func off(p *request, model string, v generation) {
	switch {
	case strings.Contains(model, "haiku"),
		strings.Contains(model, "opus") && v < 505,
		strings.Contains(model, "sonnet") && v < 505:
		p.Thinking = &reasoning{Type: "disabled"}
	case strings.Contains(model, "sonnet"):
		p.Thinking = &reasoning{Type: "between_tools"}
	default:
		adaptive(p, core.EffortLow)
	}
}

func adaptive(p *request, effort core.Effort) {
	p.Thinking = &reasoning{Type: "adaptive", Display: "summarized"} // newer models show none of it by default
	switch effort {
	case core.EffortLow, core.EffortMedium, core.EffortHigh:
		p.OutputConfig = &outputConfig{Effort: string(effort)}
	default: // the model's own default
	}
}

// leastBudget is the smallest budget that the protocol accepts; it must be below the whole output.
const leastBudget = 1024

func budget(p *request, e core.Effort) {
	tokens := int64(4096)
	switch e {
	case core.EffortMedium:
		tokens = 10_000
	case core.EffortHigh:
		tokens = 24_000
	default:
	}
	if tokens = min(tokens, p.MaxTokens/2); tokens >= leastBudget {
		p.Thinking = &reasoning{Type: "enabled", BudgetTokens: tokens}
	}
}

// reasons reports whether a call will reason: such a call accepts neither a temperature nor a forced tool.
func reasons(p *request) bool {
	return p.Thinking != nil && (p.Thinking.Type == "adaptive" || p.Thinking.Type == "enabled")
}
