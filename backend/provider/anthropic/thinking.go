package anthropic

import (
	"regexp"
	"strconv"
	"strings"

	"coppice/backend/core"

	sdk "github.com/anthropics/anthropic-sdk-go"
)

// version is a model's place in its line: 4.6 is 406. Claude models of no number are the newest; a model of
// somebody else has 0.
type version int

const newest version = 1 << 20

// versions finds the numbers in claude-opus-4-6, claude-haiku-4-5-20251001 and claude-3-7-sonnet-latest.
var versions = regexp.MustCompile(`claude(?:-[a-z]+)?-(\d{1,2})(?:[-.](\d{1,2}))?(?:[^\d]|$)`)

func versionOf(model string) version {
	found := versions.FindStringSubmatch(model)
	if found == nil {
		if strings.Contains(model, "claude") {
			return newest
		}
		return 0
	}
	major, _ := strconv.Atoi(found[1]) // digits, or nothing
	minor, _ := strconv.Atoi(found[2])
	return version(100*major + minor)
}

// outputTokens is what a model may write where the request does not say: the protocol wants a number.
// It leaves room for the largest reasoning and stays within what each model takes.
func outputTokens(model string) int64 {
	switch v := versionOf(model); {
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

// rejectsTemperature says whether a model takes no temperature any more.
func rejectsTemperature(model string) bool { return versionOf(model) >= 407 }

// thinking puts into p how much to reason. Until 4.5 a model is given a budget; from 4.6 on it decides by the effort, and
// from 5 on it reasons unless told otherwise, which some lines refuse. A conversation in the midst of tool
// calls that did not begin with reasoning cannot go on with a budget.
func thinking(p *sdk.MessageNewParams, r core.Request, opensReasoning bool) {
	v := versionOf(r.Model)
	switch {
	case v >= 500 && r.Effort == core.EffortNone:
		off(p, r.Model, v)
	case r.Effort == core.EffortNone || v != 0 && v < 307:
	case v >= 500 || v >= 406 && r.Effort != "":
		adaptive(p, effort(r.Effort))
	case r.Effort != "" && opensReasoning:
		budget(p, r.Effort)
	}
}

// off is the nearest that a model of version 5 or later takes to not reasoning at all.
func off(p *sdk.MessageNewParams, model string, v version) {
	switch {
	case strings.Contains(model, "haiku"),
		strings.Contains(model, "opus") && v < 505,
		strings.Contains(model, "sonnet") && v < 505:
		p.Thinking = sdk.ThinkingConfigParamUnion{OfDisabled: new(sdk.NewThinkingConfigDisabledParam())}
	case strings.Contains(model, "sonnet"):
		p.Thinking = sdk.ThinkingConfigParamUnion{OfBetweenTools: new(sdk.NewThinkingConfigBetweenToolsParam())}
	default:
		adaptive(p, sdk.OutputConfigEffortLow)
	}
}

func adaptive(p *sdk.MessageNewParams, effort sdk.OutputConfigEffort) {
	p.Thinking = sdk.ThinkingConfigParamUnion{OfAdaptive: &sdk.ThinkingConfigAdaptiveParam{
		Display: sdk.ThinkingConfigAdaptiveDisplaySummarized, // newer models show none of it by default
	}}
	p.OutputConfig.Effort = effort
}

func effort(e core.Effort) sdk.OutputConfigEffort {
	switch e {
	case core.EffortLow:
		return sdk.OutputConfigEffortLow
	case core.EffortMedium:
		return sdk.OutputConfigEffortMedium
	case core.EffortHigh:
		return sdk.OutputConfigEffortHigh
	default:
		return "" // the model's own
	}
}

// leastBudget is the smallest that the protocol takes; it must be below the whole output.
const leastBudget = 1024

func budget(p *sdk.MessageNewParams, e core.Effort) {
	tokens := int64(4096)
	switch e {
	case core.EffortMedium:
		tokens = 10_000
	case core.EffortHigh:
		tokens = 24_000
	default:
	}
	if tokens = min(tokens, p.MaxTokens/2); tokens >= leastBudget {
		p.Thinking = sdk.ThinkingConfigParamOfEnabled(tokens)
	}
}

// reasons says whether a call will reason: such a call takes neither a temperature nor a forced tool.
func reasons(p *sdk.MessageNewParams) bool {
	return p.Thinking.OfAdaptive != nil || p.Thinking.OfEnabled != nil
}
