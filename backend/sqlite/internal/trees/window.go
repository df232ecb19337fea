package trees

import (
	"context"
	"iter"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/store"
	"coppice/backend/sqlite/internal/tables"
)

// Window returns a range of the path that ends at a message, the head where leafUID is empty:
// limit messages from depth from. A negative from counts from the end, a limit of 0 goes to the end. It takes
// the same time anywhere in a session of any length.
func (db *Store) Window(ctx context.Context, sessionID, leafUID string, from, limit int64) (core.Window, error) {
	window := core.Window{Messages: []core.Message{}}
	err := db.Read(ctx, func(t *store.Txn) error {
		key, leaf, ok, err := tables.FindLeaf(ctx, t.Tx, sessionID, leafUID)
		if err != nil || !ok {
			return err
		}
		window.LeafUID, window.Length = leaf.UID, leaf.Depth+1
		if from < 0 {
			from = max(0, window.Length+from)
		}
		window.From = min(from, window.Length)
		path, err := tables.ReadPath(ctx, t.Tx, key, leaf.Position(), from)
		if err != nil {
			return err
		}
		segments := path.Window(from, limit)
		siblings, err := tables.ReadSiblingCounts(ctx, t.Tx, key, segments)
		if err != nil {
			return err
		}
		add := func(m core.Message) bool { window.Messages = append(window.Messages, m); return true }
		for _, s := range segments {
			if _, err := tables.YieldMessages(ctx, t, siblings, add, tables.MessageRange, key, s.Branch, s.From, s.To); err != nil {
				return err
			}
		}
		return nil
	})
	return window, conn.Fail(err, "read session %s", sessionID)
}

// PathMessages yields the path that ends at a message, from the root; to the head where leafUID is empty.
func (db *Store) PathMessages(ctx context.Context, sessionID, leafUID string) iter.Seq2[core.Message, error] {
	return store.Sequence("read session "+sessionID, func(yield func(core.Message) bool) error {
		return db.Read(ctx, func(t *store.Txn) error {
			key, leaf, ok, err := tables.FindLeaf(ctx, t.Tx, sessionID, leafUID)
			if err != nil || !ok {
				return err
			}
			path, err := tables.ReadPath(ctx, t.Tx, key, leaf.Position(), 0)
			if err != nil {
				return err
			}
			return pathFrom(ctx, t, key, path, 0, yield)
		})
	})
}
