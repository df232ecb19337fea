package tables

import (
	"context"
	"database/sql"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
)

// StoreCursor records how far a file was read, in place of what was recorded for its path.
func StoreCursor(ctx context.Context, t *conn.Tx, c *core.Cursor, session sql.NullInt64, nowMs int64) error {
	at := c.ImportedAtMs
	if at == 0 {
		at = nowMs
	}
	_, err := t.Exec(ctx, `INSERT INTO sources (path, session, format, size_bytes, modified_ns, offset_bytes, tail_hash, version, imported_at_ms)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (path) DO UPDATE SET session = excluded.session, format = excluded.format, size_bytes = excluded.size_bytes,
			modified_ns = excluded.modified_ns, offset_bytes = excluded.offset_bytes, tail_hash = excluded.tail_hash,
			version = excluded.version, imported_at_ms = excluded.imported_at_ms`, c.Path, session, c.Format, c.SizeBytes, c.ModifiedNs, c.OffsetBytes, c.TailHash, c.Version, at)
	return err
}
