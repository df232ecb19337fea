// Package messages is the service of messages, their contents and records.
package messages

import (
	"context"
	"iter"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/store"
	"coppice/backend/sqlite/internal/tables"
)

// Store is the service of messages, their contents and records.
type Store struct{ *store.Library }

// Message returns a message with its parts. Long texts are cut, see Hydrate.
func (db *Store) Message(ctx context.Context, sessionID, uid string) (core.Message, error) {
	var m core.Message
	err := db.Read(ctx, tables.OfSession(ctx, sessionID, func(t *store.Txn, key int64) error {
		row, err := tables.FindMessage(ctx, t.Tx, uid, tables.MessageByUID, uid, key)
		if err != nil {
			return err
		}
		m, err = tables.CompleteMessage(ctx, t, key, &row)
		return err
	}))
	return m, conn.Fail(err, "read message %s", uid)
}

// Messages yields every message of a session by seq, so a parent before its children.
func (db *Store) Messages(ctx context.Context, sessionID string) iter.Seq2[core.Message, error] {
	return store.Sequence("read the messages of session "+sessionID, func(yield func(core.Message) bool) error {
		return db.Read(ctx, tables.OfSession(ctx, sessionID, func(t *store.Txn, key int64) error {
			siblings, err := tables.ReadAllSiblingCounts(ctx, t.Tx, key)
			if err != nil {
				return err
			}
			_, err = tables.YieldMessages(ctx, t, siblings, yield, tables.MessageBySeq, key)
			return err
		}))
	})
}
