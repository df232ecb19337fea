package tables

import (
	"context"

	"coppice/backend/sqlite/internal/conn"
)

// Enqueue marks the messages of a session as not indexed yet, from one on that was just added.
func Enqueue(ctx context.Context, t *conn.Tx, session, first int64) error {
	const add = `INSERT OR REPLACE INTO search_queue (message, content_hash) SELECT id, content_hash FROM messages WHERE id >= ? AND +session = ?`
	_, err := t.Exec(ctx, add, first, session)
	return err
}
