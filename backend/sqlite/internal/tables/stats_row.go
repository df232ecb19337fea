package tables

import (
	"context"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
)

// ReadStats describes a library, but for its path.
func ReadStats(ctx context.Context, t *conn.Tx) (core.Stats, error) {
	stats := core.Stats{}
	var n struct {
		Version, Sessions, Messages, Branches, Blobs, Trash int64
		BlobBytes                                           int64 `db:"blob_bytes"`
		SizeBytes                                           int64 `db:"size_bytes"`
	}
	const query = `SELECT (SELECT user_version FROM pragma_user_version) AS version,
		(SELECT page_count * page_size FROM pragma_page_count, pragma_page_size) AS size_bytes, (SELECT count(*) FROM sessions) AS sessions,
		(SELECT coalesce(sum(message_count), 0) FROM sessions) AS messages, (SELECT coalesce(sum(branch_count), 0) FROM sessions) AS branches,
		(SELECT count(*) FROM sessions WHERE deleted_at_ms > 0) AS trash,
		(SELECT count(*) FROM blobs WHERE data IS NOT NULL) AS blobs, (SELECT coalesce(sum(length(data)), 0) FROM blobs) AS blob_bytes`
	if err := t.Get(ctx, &n, query); err != nil {
		return stats, err
	}
	stats.SchemaVersion, stats.Sessions, stats.Messages, stats.Branches = n.Version, n.Sessions, n.Messages, n.Branches
	stats.Blobs, stats.BlobBytes, stats.TrashSessions, stats.SizeBytes = n.Blobs, n.BlobBytes, n.Trash, n.SizeBytes
	return stats, nil
}
