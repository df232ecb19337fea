package sqlite

import (
	"context"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/store"
	"coppice/backend/sqlite/internal/tables"
)

// maintenance is the service of the library as a whole: its file, its settings, its backups.
type maintenance struct{ *store.Library }

// Stats describes the library and its file.
func (db *maintenance) Stats(ctx context.Context) (core.Stats, error) {
	stats := core.Stats{}
	err := db.Read(ctx, func(t *store.Txn) (err error) {
		stats, err = tables.ReadStats(ctx, t.Tx)
		return err
	})
	stats.Path = db.FilePath()
	return stats, conn.Fail(err, "describe the library")
}
