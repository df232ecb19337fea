package price

import (
	"math/big"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
)

const (
	million = 1_000_000
	dayMs   = 24 * 60 * 60 * 1000
)

// rate is the price of a million tokens of each kind, and of a thousand requests. A kind without its own price costs as
// much as the kind that contains it: cached tokens as input, reasoning as output.
type rate struct {
	FromMs     int64   `json:"fromMs"`    // valid from this time
	DayFromMs  int64   `json:"dayFromMs"` // valid at these times of a UTC day; always if both are equal
	DayToMs    int64   `json:"dayToMs"`
	Input      *amount `json:"input"`
	Output     *amount `json:"output"`
	CacheRead  *amount `json:"cacheRead"`
	CacheWrite *amount `json:"cacheWrite"`
	// CacheWrite1h is the price of tokens that the provider caches for an hour instead of five minutes.
	CacheWrite1h *amount `json:"cacheWrite1h"`
	Reasoning    *amount `json:"reasoning"`
	Requests     *amount `json:"requests"`
}

// amount is a price in billionths of a US dollar. It may rise with the length of the whole prompt.
type amount struct {
	Base  int64  `json:"base"`
	Tiers []tier `json:"tiers"` // from the shortest prompt to the longest
}

type tier struct {
	Above int64 `json:"above"` // input tokens
	Price int64 `json:"price"`
}

// at returns the last rate in the list that is valid at a time, else the first.
func (m *model) at(atMs int64) *rate {
	for i := len(m.Rates) - 1; i > 0; i-- {
		if m.Rates[i].valid(atMs) {
			return &m.Rates[i]
		}
	}
	return &m.Rates[0]
}

func (r *rate) valid(atMs int64) bool {
	if atMs < r.FromMs {
		return false
	}
	day := (atMs%dayMs + dayMs) % dayMs
	switch {
	case r.DayFromMs == r.DayToMs:
		return true
	case r.DayFromMs < r.DayToMs:
		return day >= r.DayFromMs && day < r.DayToMs
	default: // over midnight
		return day >= r.DayFromMs || day < r.DayToMs
	}
}

// counts reports whether a text call has a price.
func (r *rate) counts() bool {
	return r.Input != nil || r.Output != nil || r.Requests != nil
}

// cost does not trust the provider's arithmetic: if the parts exceed the whole, it charges nothing for the remainder.
func (r *rate) cost(u core.Usage) int64 {
	input, output := max(u.InputTokens, 0), max(u.OutputTokens, 0)
	var sum big.Int
	add := func(tokens int64, price *amount) {
		if price != nil && tokens > 0 {
			sum.Add(&sum, new(big.Int).Mul(big.NewInt(tokens), big.NewInt(price.of(u.InputTokens))))
		}
	}
	part := func(whole *int64, tokens int64, price *amount) {
		if price != nil {
			*whole -= max(tokens, 0)
			add(tokens, price)
		}
	}
	part(&input, u.CacheReadTokens, r.CacheRead)
	write := max(u.CacheWriteTokens, 0)
	if r.CacheWrite1h != nil {
		long := min(hourCached(&u), write)
		part(&input, long, r.CacheWrite1h)
		write -= long
	}
	part(&input, write, r.CacheWrite)
	part(&output, u.ReasoningTokens, r.Reasoning)
	add(input, r.Input)
	add(output, r.Output)
	add(million/1000, r.Requests) // one request, priced per thousand
	sum.Add(&sum, big.NewInt(million/2))
	sum.Quo(&sum, big.NewInt(million))
	if !sum.IsInt64() {
		return 1<<63 - 1
	}
	return sum.Int64()
}

// hourCached returns how many of the written tokens Anthropic caches for an hour.
func hourCached(u *core.Usage) int64 {
	tokens := gjson.GetBytes(u.Native, "cache_creation.ephemeral_1h_input_tokens").Num
	return int64(min(max(tokens, 0), core.MaxTokens))
}

func (a *amount) of(inputTokens int64) int64 {
	price := a.Base
	for _, t := range a.Tiers {
		if inputTokens > t.Above {
			price = t.Price
		}
	}
	return price
}

// base returns the price of a short prompt; 0 if it is free.
func (a *amount) base() int64 {
	if a == nil {
		return 0
	}
	return a.Base
}
