package core

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
