package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"coppice/backend/core"
)

// Cursor says how far a file was imported; false where it never was.
func (db *DB) Cursor(ctx context.Context, path string) (core.Cursor, bool, error) {
	var c core.Cursor
	err := db.read(ctx, func(t *tx) error {
		return t.get(ctx, &c, `SELECT path, format, size_bytes, modified_ns, offset_bytes, tail_hash, version, imported_at_ms FROM sources WHERE path = ?`, path)
	})
	if errors.Is(err, sql.ErrNoRows) {
		return core.Cursor{}, false, nil
	}
	return c, err == nil, fail(err, "look how far %s was imported", path)
}

// PutCursor remembers how far a file was imported that no session came of.
func (db *DB) PutCursor(ctx context.Context, c core.Cursor) error {
	err := db.write(ctx, func(t *tx) error { return t.putCursor(ctx, &c, sql.NullInt64{}, db.now()) })
	return fail(err, "remember how far %s was imported", c.Path)
}

func (t *tx) putCursor(ctx context.Context, c *core.Cursor, session sql.NullInt64, nowMs int64) error {
	at := c.ImportedAtMs
	if at == 0 {
		at = nowMs
	}
	_, err := t.exec(ctx, `INSERT OR REPLACE INTO sources (path, session, format, size_bytes, modified_ns, offset_bytes, tail_hash, version, imported_at_ms)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`, c.Path, session, c.Format, c.SizeBytes, c.ModifiedNs, c.OffsetBytes, c.TailHash, c.Version, at)
	return err
}
