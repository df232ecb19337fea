package tables

import (
	"context"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
)

// AddTombstones records that a session is removed for good, by every id that it has in the tools it came from, so that no import brings it
// back. A session that began here has its own id.
func AddTombstones(ctx context.Context, t *conn.Tx, key, nowMs int64) error {
	const add = `INSERT INTO tombstones (source_id, source, removed_at_ms)
		SELECT source_id, source, ?2 FROM origins WHERE session = ?1
		UNION SELECT iif(source_id = '', id, source_id), source, ?2 FROM sessions WHERE key = ?1
		ON CONFLICT DO UPDATE SET removed_at_ms = excluded.removed_at_ms`
	_, err := t.Exec(ctx, add, key, nowMs)
	return err
}

// HasTombstone reports whether the session with this id in its source was removed for good.
func HasTombstone(ctx context.Context, t *conn.Tx, source core.Source, sourceID string) (bool, error) {
	var found bool
	err := t.Get(ctx, &found, `SELECT EXISTS (SELECT 1 FROM tombstones WHERE source_id = ? AND source = ?)`, sourceID, source)
	return found, err
}

// DropTombstone forgets that a session was removed for good.
func DropTombstone(ctx context.Context, t *conn.Tx, source core.Source, sourceID string) error {
	_, err := t.Exec(ctx, `DELETE FROM tombstones WHERE source_id = ? AND source = ?`, sourceID, source)
	return err
}
