package sessions

import (
	"context"
	"database/sql"
	"encoding/json"
	"path/filepath"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/store"
	"coppice/backend/sqlite/internal/tables"
)

// Cursors returns how far files were imported, by path. Those that never were are missing, and so are those
// whose path is no UTF-8.
func (db *Store) Cursors(ctx context.Context, paths []string) (map[string]core.Cursor, error) {
	list, err := json.Marshal(paths)
	if err != nil {
		return nil, core.Wrap(core.Internal, err, "list %d files", len(paths))
	}
	var rows []core.Cursor
	err = db.Read(ctx, func(t *store.Txn) error {
		return t.All(ctx, &rows, `SELECT path, format, size_bytes, modified_ns, offset_bytes, tail_hash, version, imported_at_ms
			FROM sources WHERE path IN (SELECT value FROM json_each(?))`, string(list))
	})
	cursors := make(map[string]core.Cursor, len(rows))
	for _, c := range rows {
		cursors[c.Path] = c
	}
	return cursors, conn.Fail(err, "look how far %d files were imported", len(paths))
}

// Sources returns the files that were imported from a path: itself, or all below it; true: it is marked as gone.
func (db *Store) Sources(ctx context.Context, path string) (map[string]bool, error) {
	below := path + string(filepath.Separator)
	if path == "" || path[len(path)-1] == filepath.Separator {
		below = path
	}
	var rows []struct {
		Path string
		Gone bool
	}
	err := db.Read(ctx, func(t *store.Txn) error {
		return t.All(ctx, &rows, `SELECT path, gone_at_ms > 0 AS gone FROM sources WHERE path = ?1 OR (path > ?2 AND path < ?2 || char(1114111))`, path, below)
	})
	sources := make(map[string]bool, len(rows))
	for _, r := range rows {
		sources[r.Path] = r.Gone
	}
	return sources, conn.Fail(err, "look which files were imported from %s", path)
}

// MarkSources marks imported files as missing, or as found again, and with them the sessions that have no other source.
func (db *Store) MarkSources(ctx context.Context, paths []string, gone bool) error {
	list, err := json.Marshal(paths)
	if err != nil {
		return core.Wrap(core.Internal, err, "list %d files", len(paths))
	}
	err = db.Write(ctx, func(t *store.Txn) error {
		at := int64(0)
		if gone {
			at = db.Now()
		}
		if _, err := t.Exec(ctx, `UPDATE sources SET gone_at_ms = ? WHERE path IN (SELECT value FROM json_each(?))`, at, string(list)); err != nil {
			return err
		}
		_, err := t.Exec(ctx, `UPDATE sessions SET source_gone_at_ms = CASE WHEN EXISTS (
				SELECT 1 FROM origins o LEFT JOIN sources f ON f.path = o.source_path
				WHERE o.session = sessions.key AND coalesce(f.gone_at_ms, 0) = 0
			) THEN 0 ELSE ?1 END
			WHERE key IN (SELECT session FROM origins WHERE source_path IN (SELECT value FROM json_each(?2)))`, at, string(list))
		return err
	})
	return conn.Fail(err, "mark %d files that are gone", len(paths))
}

// PutCursor remembers how far a file was imported that no session came of.
func (db *Store) PutCursor(ctx context.Context, c core.Cursor) error {
	err := db.Write(ctx, func(t *store.Txn) error { return tables.StoreCursor(ctx, t.Tx, &c, sql.NullInt64{}, db.Now()) })
	return conn.Fail(err, "remember how far %s was imported", c.Path)
}
