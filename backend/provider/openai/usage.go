package openai

import (
	"encoding/json"

	"coppice/backend/core"
)

// chatUsage returns the usage of a chat completion; nil if the server does not report it.
func chatUsage(raw json.RawMessage) *core.Usage {
	u := objectOf(raw)
	usage := usageOf(raw, u, "prompt_tokens", "completion_tokens")
	for _, name := range []string{"prompt_cache_hit_tokens", "cached_tokens"} { // DeepSeek, Moonshot
		if usage.CacheReadTokens == 0 {
			usage.CacheReadTokens, _ = u.count(name)
		}
	}
	total, _ := u.count("total_tokens")
	return normal(usage, total)
}

// responseUsage returns the usage of a response; nil if the server does not report it.
func responseUsage(raw json.RawMessage) *core.Usage {
	u := objectOf(raw)
	total, _ := u.count("total_tokens")
	return normal(usageOf(raw, u, "input_tokens", "output_tokens"), total)
}

// usageOf returns the server's counts; input and output are the names of fields.
func usageOf(raw json.RawMessage, u fields, input, output string) core.Usage {
	usage := core.Usage{Native: raw}
	in, out := u.object(input+"_details"), u.object(output+"_details")
	usage.InputTokens, _ = u.count(input)
	usage.OutputTokens, _ = u.count(output)
	usage.CacheReadTokens, _ = in.count("cached_tokens")
	usage.CacheWriteTokens, _ = in.count("cache_write_tokens")
	usage.ReasoningTokens, _ = out.count("reasoning_tokens")
	return usage
}

// normal makes cached tokens a part of the input and reasoning tokens a part of the output, as core.Usage requires.
func normal(u core.Usage, total int64) *core.Usage {
	for _, n := range []*int64{&u.InputTokens, &u.OutputTokens, &u.CacheReadTokens, &u.CacheWriteTokens, &u.ReasoningTokens} {
		*n = max(*n, 0)
	}
	if u.InputTokens+u.OutputTokens == 0 {
		return nil
	}
	if hidden := total - u.InputTokens - u.OutputTokens; hidden > 0 { // xAI and Gemini include reasoning only in the total
		u.OutputTokens += hidden
		if u.ReasoningTokens == 0 {
			u.ReasoningTokens = hidden
		}
	}
	if cached := u.CacheReadTokens + u.CacheWriteTokens; cached > u.InputTokens { // counted separately, as Anthropic does behind a proxy
		u.InputTokens += cached
	}
	u.OutputTokens = max(u.OutputTokens, u.ReasoningTokens)
	return &u
}
