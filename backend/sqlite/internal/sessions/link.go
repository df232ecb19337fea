package sessions

import (
	"context"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/store"
	"coppice/backend/sqlite/internal/tables"
)

// Links returns how a session hangs together with others by splits and grafts, by its own turns.
func (db *Store) Links(ctx context.Context, sessionID string) ([]core.Link, error) {
	var links []core.Link
	err := db.Read(ctx, tables.OfSession(ctx, sessionID, func(t *store.Txn, key int64) error {
		var err error
		links, err = tables.ReadLinks(ctx, t.Tx, key, sessionID)
		return err
	}))
	return links, conn.Fail(err, "read the links of session %s", sessionID)
}
