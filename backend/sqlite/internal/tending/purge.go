package tending

import (
	"context"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/arrange"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/store"
	"coppice/backend/sqlite/internal/tables"
)

// PurgeHidden removes what is in the trash of a session for good, and numbers the rest again. It returns how many messages that were.
// An import of the source again brings them back.
func (db *Store) PurgeHidden(ctx context.Context, sessionID string) (int64, error) {
	removed := int64(0)
	err := db.Write(ctx, tables.OfSession(ctx, sessionID, func(t *store.Txn, key int64) error {
		m := &arrange.Tree{Txn: t, Key: key, Nodes: arrange.NewNodes()}
		if err := m.Load(ctx); err != nil {
			return err
		}
		hidden, err := tables.ReadHidden(ctx, t.Tx, key, m.Skeleton)
		if err != nil {
			return err
		}
		removed, err = removeSet(ctx, t, m, hidden)
		return err
	}))
	if err != nil {
		return 0, conn.Fail(err, "empty the trash of session %s", sessionID)
	}
	return removed, conn.Fail(db.GiveBack(ctx), "give room back to the disk")
}

// removeSet removes the messages of a set for good, numbers the rest again and counts what is left.
func removeSet(ctx context.Context, t *store.Txn, m *arrange.Tree, set core.HiddenSet) (int64, error) {
	key := m.Key
	removed, err := m.Prune(ctx, set)
	if err != nil || removed == 0 {
		return removed, err
	}
	if _, err := t.Exec(ctx, tables.ForgetGone, key); err != nil {
		return 0, err
	}
	if _, err := t.Exec(ctx, `UPDATE origins SET head = (SELECT id FROM messages WHERE id = origins.head) WHERE session = ?`, key); err != nil {
		return 0, err
	}
	if err := tables.StoreCounts(ctx, t.Tx, key, m.Skeleton.Tally()); err != nil {
		return 0, err
	}
	if _, err := tables.CountHidden(ctx, t.Tx, key, m.Skeleton); err != nil {
		return 0, err
	}
	if err := tables.CountReshape(ctx, t.Tx, key); err != nil {
		return 0, err
	}
	// What was derived from the messages, such as the last answer, is derived again in the background.
	if _, err := t.Exec(ctx, `UPDATE sessions SET derived = 0 WHERE key = ?`, key); err != nil {
		return 0, err
	}
	return removed, tables.RemoveUnused(ctx, t.Tx)
}
