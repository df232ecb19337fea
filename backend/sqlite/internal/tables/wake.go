package tables

import (
	"cmp"
	"context"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
)

// AddWakes stores conditions on which a hibernated session continues.
func AddWakes(ctx context.Context, t *conn.Tx, key int64, wakes []core.Wake, nowMs int64) error {
	const add = `INSERT INTO wakes (id, session, kind, at_ms, path, fingerprint, awaited, detail, active, created_at_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
	for i, w := range wakes {
		if _, err := t.Exec(ctx, add, cmp.Or(w.ID, core.NewID(nowMs)), key, w.Kind, w.AtMs, w.Path, w.Fingerprint, w.AwaitedID, w.Detail, w.Active,
			cmp.Or(w.CreatedAtMs, nowMs+int64(i))); err != nil {
			return err
		}
	}
	return nil
}
