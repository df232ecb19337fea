package tables

import (
	"context"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
)

// A library of an older version may hold numbers near 2^63, whose sum is an error of SQLite: each is limited as core.Message.Bound does.
const (
	SumOf      = `coalesce(sum(max(0, min(`
	Tokens     = `, 1099511627776))), 0)`                         //nolint:gosec // core.MaxTokens: no credentials
	SumOfCosts = `sum(max(0, min(cost_nano_usd, 8796093022208)))` // core.MaxCostNanoUSD
	// SumOfEstimates adds estimated costs up, and CountOfUnpriced counts what core.Message.IsUnpriced reports.
	SumOfEstimates  = `sum(max(0, min(estimated_cost_nano_usd, 8796093022208)))`
	CountOfUnpriced = `count(*) FILTER (WHERE role = 'assistant' AND kind <> 'meta' AND cost_nano_usd IS NULL AND (estimated_cost_nano_usd IS NULL OR estimate_partial))`
	// Countable limits a counter that is added to.
	Countable = `min(2305843009213693952, `
)

// totals adds a session's messages up. A session of Coppice's own is as new as its beginning at least: one that was split off holds
// older messages alone.
const (
	Oldest = `iif(source = 'coppice', sessions.created_at_ms, 0)`
	totals = `SELECT ` + Sums + `, ` + SumOfCosts + `, ` + SumOfEstimates + `, ` + CountOfUnpriced + `, coalesce(nullif(max(` + Oldest + `, max(max(created_at_ms, finished_at_ms))), 0), sessions.updated_at_ms) FROM messages WHERE session = sessions.key`
	Sums   = `count(*), count(*) FILTER (WHERE role = 'assistant' AND kind <> 'meta'), ` + SumOf + `input_tokens` + Tokens + `, ` + SumOf + `output_tokens` + Tokens + `,
		` + SumOf + `cache_read_tokens` + Tokens + `, ` + SumOf + `cache_write_tokens` + Tokens + `, ` + SumOf + `reasoning_tokens` + Tokens
)

// StoreCounts computes the counters again.
func StoreCounts(ctx context.Context, t *conn.Tx, key int64, tally core.Tally) error {
	_, err := t.Exec(ctx, `UPDATE sessions SET (message_count, step_count, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens,
		reasoning_tokens, cost_nano_usd, estimated_cost_nano_usd, unpriced_count, updated_at_ms) = (`+totals+`), branch_count = ?, turn_count = ? WHERE key = ?`,
		tally.Branches, tally.Turns, key)
	return err
}

// ForgetGone clears what points to messages that are gone.
const ForgetGone = `UPDATE sessions SET head = (SELECT id FROM messages WHERE id = sessions.head),
	imported_head = (SELECT id FROM messages WHERE id = sessions.imported_head), main = (SELECT id FROM messages WHERE id = sessions.main) WHERE key = ?`
