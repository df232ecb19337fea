package openai

import (
	"encoding/json"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/responses"

	"coppice/backend/core"
)

// chatUsage returns the usage of a chat completion; nil where the server does not tell it.
func chatUsage(u sdk.CompletionUsage) *core.Usage {
	usage := core.Usage{
		InputTokens:      u.PromptTokens,
		OutputTokens:     u.CompletionTokens,
		CacheReadTokens:  u.PromptTokensDetails.CachedTokens,
		CacheWriteTokens: u.PromptTokensDetails.CacheWriteTokens,
		ReasoningTokens:  u.CompletionTokensDetails.ReasoningTokens,
		Native:           json.RawMessage(u.RawJSON()),
	}
	for _, name := range []string{"prompt_cache_hit_tokens", "cached_tokens"} { // DeepSeek, Moonshot
		if f := u.JSON.ExtraFields[name]; usage.CacheReadTokens == 0 && given(f) {
			_ = json.Unmarshal([]byte(f.Raw()), &usage.CacheReadTokens) // what is no number is not told
		}
	}
	return normal(usage, u.TotalTokens)
}

// responseUsage returns the usage of a response; nil where the server does not tell it.
func responseUsage(u responses.ResponseUsage) *core.Usage {
	return normal(core.Usage{
		InputTokens:      u.InputTokens,
		OutputTokens:     u.OutputTokens,
		CacheReadTokens:  u.InputTokensDetails.CachedTokens,
		CacheWriteTokens: u.InputTokensDetails.CacheWriteTokens,
		ReasoningTokens:  u.OutputTokensDetails.ReasoningTokens,
		Native:           json.RawMessage(u.RawJSON()),
	}, u.TotalTokens)
}

// normal makes cached tokens a part of the input and reasoning tokens a part of the output, as core.Usage has them.
func normal(u core.Usage, total int64) *core.Usage {
	for _, n := range []*int64{&u.InputTokens, &u.OutputTokens, &u.CacheReadTokens, &u.CacheWriteTokens, &u.ReasoningTokens} {
		*n = max(*n, 0)
	}
	if u.InputTokens+u.OutputTokens == 0 {
		return nil
	}
	if hidden := total - u.InputTokens - u.OutputTokens; hidden > 0 { // xAI and Gemini count reasoning in the total only
		u.OutputTokens += hidden
		if u.ReasoningTokens == 0 {
			u.ReasoningTokens = hidden
		}
	}
	if cached := u.CacheReadTokens + u.CacheWriteTokens; cached > u.InputTokens { // counted apart, as Anthropic does behind a proxy
		u.InputTokens += cached
	}
	u.OutputTokens = max(u.OutputTokens, u.ReasoningTokens)
	return &u
}
