package sqlite

import (
	"context"
	"os"

	"coppice/backend/core"
)

// Stats describes the library and its file.
func (db *DB) Stats(ctx context.Context) (core.Stats, error) {
	stats := core.Stats{Path: db.path}
	err := db.read(ctx, func(t *tx) error {
		var n struct {
			Version, Sessions, Messages, Branches, Blobs, Trash int64
			BlobBytes                                           int64 `db:"blob_bytes"`
		}
		const query = `SELECT (SELECT user_version FROM pragma_user_version) AS version, (SELECT count(*) FROM sessions) AS sessions,
			(SELECT coalesce(sum(message_count), 0) FROM sessions) AS messages, (SELECT coalesce(sum(branch_count), 0) FROM sessions) AS branches,
			(SELECT count(*) FROM sessions WHERE deleted_at_ms > 0) AS trash,
			(SELECT count(*) FROM blobs WHERE data IS NOT NULL) AS blobs, (SELECT coalesce(sum(length(data)), 0) FROM blobs) AS blob_bytes`
		if err := t.get(ctx, &n, query); err != nil {
			return err
		}
		stats.SchemaVersion, stats.Sessions, stats.Messages, stats.Branches = n.Version, n.Sessions, n.Messages, n.Branches
		stats.Blobs, stats.BlobBytes, stats.TrashSessions = n.Blobs, n.BlobBytes, n.Trash
		return nil
	})
	for _, path := range []string{db.path, db.path + "-wal"} {
		if info, statErr := os.Stat(path); statErr == nil {
			stats.SizeBytes += info.Size()
		}
	}
	return stats, fail(err, "describe the library")
}
