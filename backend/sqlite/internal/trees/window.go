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
	windows, err := db.Windows(ctx, sessionID, leafUID, []core.Range{{From: from, Limit: limit}})
	return windows[0], err
}

// Windows returns several ranges of one path, each as Window does. It reads the path once, which in a session of thousands of branches
// takes longer than the messages.
func (db *Store) Windows(ctx context.Context, sessionID, leafUID string, ranges []core.Range) ([]core.Window, error) {
	windows := make([]core.Window, len(ranges))
	for i := range windows {
		windows[i].Messages = []core.Message{}
	}
	err := db.Read(ctx, func(t *store.Txn) error {
		key, leaf, ok, err := tables.FindLeaf(ctx, t.Tx, sessionID, leafUID)
		if err != nil || !ok {
			return err
		}
		top := leaf.Depth + 1
		for i, r := range ranges {
			w := &windows[i]
			w.LeafUID, w.Length = leaf.UID, leaf.Depth+1
			w.From = min(r.From, w.Length)
			if r.From < 0 {
				w.From = max(0, w.Length+r.From)
			}
			top = min(top, w.From)
		}
		path, err := tables.ReadPath(ctx, t.Tx, key, leaf.Position(), top)
		if err != nil {
			return err
		}
		for i, r := range ranges {
			if err := readWindow(ctx, t, key, path, &windows[i], r.Limit); err != nil {
				return err
			}
		}
		return nil
	})
	return windows, conn.Fail(err, "read session %s", sessionID)
}

func readWindow(ctx context.Context, t *store.Txn, key int64, path core.Path, w *core.Window, limit int64) error {
	segments := path.Window(w.From, limit)
	siblings, err := tables.ReadSiblingCounts(ctx, t.Tx, key, segments)
	if err != nil {
		return err
	}
	add := func(m core.Message) bool { w.Messages = append(w.Messages, m); return true }
	for _, s := range segments {
		if _, err := tables.YieldMessages(ctx, t, siblings, add, tables.MessageRange, key, s.Branch, s.From, s.To); err != nil {
			return err
		}
	}
	return nil
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
