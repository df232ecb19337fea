package trees

import (
	"context"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/store"
	"coppice/backend/sqlite/internal/tables"
)

// SetLabel names the turn of a message; an empty text takes the name away. A turn has one label.
func (db *Store) SetLabel(ctx context.Context, sessionID, uid, text string) error {
	err := db.Write(ctx, func(t *store.Txn) error {
		key, m, err := tables.MessageOfSession(ctx, t.Tx, sessionID, uid)
		if err != nil {
			return err
		}
		return tables.SetLabel(ctx, t.Tx, key, m.Turn, text, db.Now())
	})
	return conn.Fail(err, "label message %s", uid)
}

// Labels returns the labels of a session, by turn.
func (db *Store) Labels(ctx context.Context, sessionID string) ([]core.Label, error) {
	var labels []core.Label
	err := db.Read(ctx, tables.OfSession(ctx, sessionID, func(t *store.Txn, key int64) error {
		var err error
		labels, err = tables.ReadLabels(ctx, t.Tx, key)
		return err
	}))
	return labels, conn.Fail(err, "read the labels of session %s", sessionID)
}
