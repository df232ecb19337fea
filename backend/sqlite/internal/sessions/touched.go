package sessions

import (
	"context"
	"path"
	"strings"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/store"
)

// touchesOfFile finds changes by the name of the file, which is indexed, and then by the end of the path: a tool may name a file
// relative to a workspace, or absolutely in another worktree.
const touchesOfFile = `SELECT s.id AS session_id, s.title, s.source, p.path, m.uid AS message_uid, m.seq, m.turn, t.call_id,
		t.lines_added, t.lines_removed, t.failed, m.created_at_ms
	FROM file_paths p
	JOIN touched_files t ON t.file = p.id
	JOIN messages m ON m.id = t.message
	JOIN sessions s ON s.key = t.session
	WHERE p.name = ?1 AND s.deleted_at_ms = 0
		AND (replace(p.path, '\', '/') = ?2 OR substr(replace(p.path, '\', '/'), -length(?2) - 1) = '/' || ?2
			OR s.workspace_path <> '' AND s.workspace_path || '/' || p.path = ?2)
	ORDER BY m.created_at_ms DESC, m.session, m.seq DESC LIMIT ?3`

// FileTouches returns the changes to a file, the newest first, at most limit; 0: all. name is a path, or the end of one: a file
// name, or some folders and a name. Sessions in the trash are left out.
func (db *Store) FileTouches(ctx context.Context, name string, limit int64) ([]core.FileTouch, error) {
	name = path.Clean(strings.ReplaceAll(name, `\`, "/"))
	if limit == 0 {
		limit = -1
	}
	touches := []core.FileTouch{}
	err := db.Read(ctx, func(t *store.Txn) error { return t.All(ctx, &touches, touchesOfFile, path.Base(name), name, limit) })
	return touches, conn.Fail(err, "list the changes to %s", name)
}

// FileNames returns names of changed files that begin with prefix, ignoring case, those of most sessions first, with the number of sessions.
// Sessions in the trash count.
func (db *Store) FileNames(ctx context.Context, prefix string, limit int64) ([]core.Facet, error) {
	const names = `SELECT p.name AS value, count(DISTINCT t.session) AS count FROM file_paths p JOIN touched_files t ON t.file = p.id
		WHERE p.name LIKE ?1 ESCAPE '\' GROUP BY p.name ORDER BY count DESC, p.name LIMIT ?2`
	found := []core.Facet{}
	if prefix == "" {
		return found, nil // that would be all of them
	}
	err := db.Read(ctx, func(t *store.Txn) error { return t.All(ctx, &found, names, escaped(prefix)+`%`, limit) })
	return found, conn.Fail(err, "list the names of changed files")
}
