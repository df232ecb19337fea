package openai

import (
	"encoding/json"
	"math/big"
)

// chatCost returns the cost of a call as OpenRouter reports it, in billionths of a US dollar; nil if it does not. If
// the user has a key of the provider behind OpenRouter, that provider's charge is added.
func chatCost(raw json.RawMessage) *int64 {
	u := objectOf(raw)
	cost, ok := nanoUSD(string(u["cost"]))
	if !ok {
		return nil
	}
	if string(u["is_byok"]) == "true" {
		upstream, _ := nanoUSD(string(u.object("cost_details")["upstream_inference_cost"]))
		cost += upstream
	}
	return &cost
}

// nanoUSD parses a number of US dollars in JSON without a float, and rounds half up. It returns false if the value is
// not a number, is negative, or is higher than any call can cost.
func nanoUSD(raw string) (int64, bool) {
	const longest, dearest = 40, 1_000_000
	var number json.Number
	if len(raw) > longest || raw == "" || raw[0] == '"' || json.Unmarshal([]byte(raw), &number) != nil {
		return 0, false
	}
	// The rough value is checked first: an exact 1e999999999 would fill the memory.
	rough, err := number.Float64()
	if err != nil || rough < 0 || rough > dearest {
		return 0, false
	}
	if rough < 1e-15 {
		return 0, true
	}
	exact, ok := new(big.Rat).SetString(raw)
	if !ok {
		return 0, false
	}
	exact.Mul(exact, big.NewRat(1_000_000_000, 1)).Add(exact, big.NewRat(1, 2))
	return new(big.Int).Quo(exact.Num(), exact.Denom()).Int64(), true
}
