package sqlite

// A library of an older version may hold numbers near 2^63, whose sum is an error of SQLite: each is limited as core.Message.Bound does.
const (
	sumOf      = `coalesce(sum(max(0, min(`
	tokens     = `, 1099511627776))), 0)`                         // core.MaxTokens
	sumOfCosts = `sum(max(0, min(cost_nano_usd, 8796093022208)))` // core.MaxCostNanoUSD
	// countable limits a counter that is added to.
	countable = `min(2305843009213693952, `
)
