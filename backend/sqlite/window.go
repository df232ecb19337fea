package sqlite

import (
	"context"
	"iter"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
)

// Window returns a stretch of the path that ends at a message, the head where leafUID is empty:
// limit messages from depth from. A negative from counts from the end, a limit of 0 goes to the end. It takes
// the same time anywhere in a session of any length.
func (db *treeStore) Window(ctx context.Context, sessionID, leafUID string, from, limit int64) (core.Window, error) {
	window := core.Window{Messages: []core.Message{}}
	err := db.read(ctx, func(t *tx) error {
		key, leaf, ok, err := findLeaf(ctx, t.Tx, sessionID, leafUID)
		if err != nil || !ok {
			return err
		}
		window.LeafUID, window.Length = leaf.UID, leaf.Depth+1
		if from < 0 {
			from = max(0, window.Length+from)
		}
		window.From = min(from, window.Length)
		path, err := readPath(ctx, t.Tx, key, core.Spot{Branch: leaf.Branch, Depth: leaf.Depth}, from)
		if err != nil {
			return err
		}
		segments := path.Window(from, limit)
		kin, err := readSiblingCounts(ctx, t.Tx, key, segments)
		if err != nil {
			return err
		}
		add := func(m core.Message) bool { window.Messages = append(window.Messages, m); return true }
		for _, s := range segments {
			if _, err := yieldMessages(ctx, t, kin, add, messageRange, key, s.Branch, s.From, s.To); err != nil {
				return err
			}
		}
		return nil
	})
	return window, conn.Fail(err, "read session %s", sessionID)
}

// PathMessages yields the path that ends at a message, from the root; to the head where leafUID is empty.
func (db *treeStore) PathMessages(ctx context.Context, sessionID, leafUID string) iter.Seq2[core.Message, error] {
	return sequence("read session "+sessionID, func(yield func(core.Message) bool) error {
		return db.read(ctx, func(t *tx) error {
			key, leaf, ok, err := findLeaf(ctx, t.Tx, sessionID, leafUID)
			if err != nil || !ok {
				return err
			}
			path, err := readPath(ctx, t.Tx, key, core.Spot{Branch: leaf.Branch, Depth: leaf.Depth}, 0)
			if err != nil {
				return err
			}
			kin, err := readSiblingCounts(ctx, t.Tx, key, path)
			if err != nil {
				return err
			}
			for _, s := range path {
				more, err := yieldMessages(ctx, t, kin, yield, messageRange, key, s.Branch, s.From, s.To)
				if err != nil || !more {
					return err
				}
			}
			return nil
		})
	})
}

// findLeaf finds the end of a path; ok is false where the head stands before the first message.
func findLeaf(ctx context.Context, t *conn.Tx, sessionID, leafUID string) (key int64, leaf messageRow, ok bool, err error) {
	if leafUID != "" {
		key, leaf, err = messageOfSession(ctx, t, sessionID, leafUID)
		return key, leaf, err == nil, err
	}
	row, err := findSession(ctx, t, sessionID)
	if err != nil || !row.Head.Valid {
		return row.Key, leaf, false, err
	}
	leaf, err = findMessage(ctx, t, row.HeadUID, headByID, row.Head.Int64)
	return row.Key, leaf, err == nil, err
}
