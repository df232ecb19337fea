package tables

import (
	"context"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
)

// AddBookmark sets the bookmark of a turn. A turn that has one keeps it.
func AddBookmark(ctx context.Context, t *conn.Tx, key, turn, atMs int64) error {
	const add = `INSERT INTO bookmarks (message, session, created_at_ms) SELECT m.id, m.session, ?
		FROM turns n JOIN messages m ON m.session = n.session AND m.branch = n.branch AND m.depth = n.first_depth
		WHERE n.session = ? AND n.number = ? ON CONFLICT (message) DO NOTHING`
	_, err := t.Exec(ctx, add, atMs, key, turn)
	return err
}

// ReadBookmarks reads one bookmark per turn: an import may have joined two turns that had one.
func ReadBookmarks(ctx context.Context, t *conn.Tx, key int64) ([]core.Bookmark, error) {
	bookmarks := []core.Bookmark{}
	const query = `SELECT m.turn, f.uid, max(b.created_at_ms) AS created_at_ms
		FROM bookmarks b JOIN messages m ON m.id = b.message
		JOIN turns n ON n.session = b.session AND n.number = m.turn
		JOIN messages f ON f.session = n.session AND f.branch = n.branch AND f.depth = n.first_depth
		WHERE b.session = ? GROUP BY m.turn ORDER BY m.turn`
	return bookmarks, t.All(ctx, &bookmarks, query, key)
}
