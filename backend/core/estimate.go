package core

import "unicode/utf8"

// Estimate is the list price of a model call whose cost its tool did not record. It is kept apart from costs: nobody
// may have been billed for it. The store computes it with a Pricer, and an archive does not contain it.
type Estimate struct {
	NanoUSD *int64 // nil: the price is unknown
	Partial bool   // some of the tokens are unknown, so the price is at least NanoUSD
}

// Pricer estimates calls. It may be used concurrently.
type Pricer interface {
	// Estimate returns the list price of an answer at the time it was created.
	Estimate(m *Message) Estimate
	// PriceKey identifies the prices: estimates with different keys may differ. It is never 0.
	PriceKey() int64
}

// IsUnpriced reports whether the message is a call of which some cost is neither known nor estimated.
func (m *Message) IsUnpriced() bool {
	return m.IsCall() && m.CostNanoUSD == nil && (m.Estimate.NanoUSD == nil || m.Estimate.Partial)
}

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
