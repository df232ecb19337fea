package trees

import (
	"context"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/store"
	"coppice/backend/sqlite/internal/tables"
)

// PathChanges returns what runs did to files on the path to a message, from a depth on, in the order in which they did it.
func (db *Store) PathChanges(ctx context.Context, sessionID, leafUID string, from int64) ([]core.FileChange, error) {
	changes := []core.FileChange{}
	err := db.Read(ctx, func(t *store.Txn) error {
		key, leaf, ok, err := tables.FindLeaf(ctx, t.Tx, sessionID, leafUID)
		if err != nil || !ok {
			return err
		}
		path, err := tables.ReadPath(ctx, t.Tx, key, leaf.Position(), from)
		if err != nil {
			return err
		}
		for _, s := range path.Window(from, 0) {
			var some []core.FileChange
			const of = `SELECT c.path, c.before_hash, c.after_hash, c.mode FROM file_changes c JOIN messages m ON m.id = c.message
				WHERE c.session = ? AND m.branch = ? AND m.depth BETWEEN ? AND ? ORDER BY c.id`
			if err := t.All(ctx, &some, of, key, s.Branch, s.From, s.To); err != nil {
				return err
			}
			changes = append(changes, some...)
		}
		return nil
	})
	return changes, conn.Fail(err, "read the changes of files in session %s", sessionID)
}
