package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"

	"coppice/backend/core"
)

// Cursors says how far files were imported, by path. Those that never were are missing, and so are those
// whose path is no UTF-8.
func (db *DB) Cursors(ctx context.Context, paths []string) (map[string]core.Cursor, error) {
	list, err := json.Marshal(paths)
	if err != nil {
		return nil, core.Wrap(core.Internal, err, "list %d files", len(paths))
	}
	var rows []core.Cursor
	err = db.read(ctx, func(t *tx) error {
		return t.all(ctx, &rows, `SELECT path, format, size_bytes, modified_ns, offset_bytes, tail_hash, version, imported_at_ms
			FROM sources WHERE path IN (SELECT value FROM json_each(?))`, string(list))
	})
	cursors := make(map[string]core.Cursor, len(rows))
	for _, c := range rows {
		cursors[c.Path] = c
	}
	return cursors, fail(err, "look how far %d files were imported", len(paths))
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
