package core

// Limits of the counts of one message. A larger number is an error of its source. The numbers of a million messages at
// their limits still add up within an int64.
const (
	MaxTokens      = 1 << 40
	MaxCostNanoUSD = 1 << 43 // about 8,796 US dollars
)

// Bound limits the token counts and the cost of a message to 0 … MaxTokens and 0 … MaxCostNanoUSD, and reports whether it had to
// change any. The Usage that m pointed to stays as it is.
func (m *Message) Bound() bool {
	changed := false
	if m.Usage != nil {
		if u := m.Usage.bounded(); u.counts() != m.Usage.counts() {
			m.Usage, changed = &u, true
		}
	}
	if m.CostNanoUSD != nil {
		if cost := min(max(*m.CostNanoUSD, 0), MaxCostNanoUSD); cost != *m.CostNanoUSD {
			m.CostNanoUSD, changed = &cost, true
		}
	}
	return changed
}

func (u *Usage) counts() [5]int64 {
	return [5]int64{u.InputTokens, u.OutputTokens, u.CacheReadTokens, u.CacheWriteTokens, u.ReasoningTokens}
}

func (u *Usage) bounded() Usage {
	b := *u
	for _, n := range []*int64{&b.InputTokens, &b.OutputTokens, &b.CacheReadTokens, &b.CacheWriteTokens, &b.ReasoningTokens} {
		*n = min(max(*n, 0), MaxTokens)
	}
	return b
}
