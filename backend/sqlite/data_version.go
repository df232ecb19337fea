package sqlite

import (
	"context"

	"coppice/backend/sqlite/internal/conn"
)

// DataVersion returns a number that changes after another process, or another DB, has written to the file. Own writes do
// not change it. It waits while this DB writes, and does not access the disk.
func (db *maintenance) DataVersion(ctx context.Context) (int64, error) {
	version, err := db.File.DataVersion(ctx)
	return version, conn.Fail(err, "look for changes of others")
}
