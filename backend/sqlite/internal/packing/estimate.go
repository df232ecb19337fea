package packing

import "coppice/backend/core"

// PriceKey identifies the prices that messages are estimated with; 0: it has no prices.
func (c *Codec) PriceKey() int64 {
	if c.prices == nil {
		return 0
	}
	return c.prices.PriceKey()
}

// Estimate returns the list price of a call whose cost is unknown; the zero Estimate for any other message, and without prices.
func (c *Codec) Estimate(m *core.Message) core.Estimate {
	if c.prices == nil || !m.IsCall() || m.CostNanoUSD != nil || m.Usage == nil {
		return core.Estimate{}
	}
	e := c.prices.Estimate(m)
	if e.NanoUSD == nil {
		return core.Estimate{}
	}
	bounded := min(max(*e.NanoUSD, 0), core.MaxCostNanoUSD)
	return core.Estimate{NanoUSD: &bounded, Partial: e.Partial}
}
