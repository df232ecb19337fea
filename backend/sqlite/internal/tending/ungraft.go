package tending

import (
	"bytes"
	"context"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/arrange"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/store"
	"coppice/backend/sqlite/internal/tables"
)

// RemoveCopy removes what was copied into a session, by its first message, with all below it: for good, as if it had never been copied.
// Nothing is lost by it while only copies are there: for anything else it is a Conflict error. It returns how many messages that were.
func (db *Store) RemoveCopy(ctx context.Context, sessionID, uid string) (int64, error) {
	removed := int64(0)
	err := db.Write(ctx, tables.OfSession(ctx, sessionID, func(t *store.Txn, key int64) error {
		top, err := tables.FindMessage(ctx, t.Tx, uid, tables.HeadByUID, uid, key)
		if err != nil {
			return err
		}
		m := &arrange.Tree{Txn: t, Key: key, Nodes: arrange.NewNodes()}
		if err := m.Load(ctx); err != nil {
			return err
		}
		copied := m.Skeleton.HiddenSet([]core.Position{top.Position()})
		if err := checkCopies(ctx, t, key, copied); err != nil {
			return err
		}
		removed, err = removeSet(ctx, t, m, copied)
		return err
	}))
	return removed, conn.Fail(err, "remove the copy from session %s", sessionID)
}

// checkCopies returns a Conflict error if not all messages of a set are copies of others.
func checkCopies(ctx context.Context, t *store.Txn, key int64, set core.HiddenSet) error {
	rows := []tables.MessageRow{}
	if err := t.All(ctx, &rows, tables.MessageHead+`, m.body`+tables.MessageFrom+`WHERE m.session = ?`, key); err != nil {
		return err
	}
	for i := range rows {
		if !set.Hides(rows[i].Position()) {
			continue
		}
		message, err := tables.DecodeMessage(ctx, t, &rows[i])
		if err != nil {
			return err
		}
		if !bytes.Contains(message.Meta, []byte(`"graftedFrom"`)) {
			return core.E(core.Conflict, "message %s was added to the copy", message.UID)
		}
	}
	return nil
}
