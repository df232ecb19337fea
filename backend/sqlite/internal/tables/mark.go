package tables

import (
	"context"

	"coppice/backend/sqlite/internal/conn"
)

// Revision changes with the messages of a session.
type Revision struct {
	Messages int64 `db:"message_count"`
	Reshapes int64 `db:"reshape_count"`
	// EstimatedNanoUSD and Unpriced change when the messages are estimated again.
	EstimatedNanoUSD int64 `db:"estimated_nano_usd"`
	Unpriced         int64 `db:"unpriced_count"`
}

// RevisionOf selects the revision of a session.
const RevisionOf = `SELECT message_count, reshape_count, coalesce(estimated_cost_nano_usd, -1) AS estimated_nano_usd, unpriced_count FROM sessions WHERE key = ?`

// CountReshape notes that messages which were there have changed or moved.
func CountReshape(ctx context.Context, t *conn.Tx, key int64) error {
	_, err := t.Exec(ctx, `UPDATE sessions SET reshape_count = reshape_count + 1 WHERE key = ?`, key)
	return err
}
