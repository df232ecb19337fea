package core

import (
	"encoding/json"
	"unicode/utf8"
)

// Usage counts the tokens of one model call. Cached tokens are part of the input, reasoning
// tokens part of the output, for every provider.
type Usage struct {
	InputTokens      int64           `json:"inputTokens"`
	OutputTokens     int64           `json:"outputTokens"`
	CacheReadTokens  int64           `json:"cacheReadTokens,omitempty"`
	CacheWriteTokens int64           `json:"cacheWriteTokens,omitempty"`
	ReasoningTokens  int64           `json:"reasoningTokens,omitempty"`
	Native           json.RawMessage `json:"native,omitempty"` // as the provider reported it
	// Extra holds the fields that this version does not know, so that they survive every round trip.
	Extra map[string]json.RawMessage `json:"-"`
}

// estimatedField of a usage's Extra marks a usage that Coppice estimated.
const estimatedField = "estimated"

// EstimatedUsage returns a usage that no provider counted: that of an answer that broke off before its provider reported one.
func EstimatedUsage(inputTokens, outputTokens int64) *Usage {
	return &Usage{InputTokens: inputTokens, OutputTokens: outputTokens, Extra: map[string]json.RawMessage{estimatedField: json.RawMessage("true")}}
}

// IsEstimated reports whether Coppice estimated the usage, see EstimatedUsage.
func (u *Usage) IsEstimated() bool { return u != nil && string(u.Extra[estimatedField]) == "true" }

// maxTokenRunes is more text than a token represents, on average over an answer.
const maxTokenRunes = 10

// HasPlaceholderOutput reports whether the number of output tokens is a placeholder. Claude Code stores the usage of the
// beginning of a stream, such as one token, with many complete answers. These have no finish reason, and far more text
// than so few tokens can hold.
func (m *Message) HasPlaceholderOutput() bool {
	if m.Usage == nil || m.Origin == nil || m.Origin.Protocol != "anthropic" || m.FinishRaw != "" || m.FinishReason != "" {
		return false
	}
	length := int64(0)
	for i := range m.Parts {
		p := &m.Parts[i]
		size := int64(utf8.RuneCountInString(p.Text)) + int64(len(p.Arguments))
		if p.Truncated != nil {
			size = max(size, p.Truncated.SizeBytes)
		}
		length += size
	}
	return length > maxTokenRunes*m.Usage.OutputTokens
}
