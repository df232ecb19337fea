package messages

import (
	"context"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/packing"
	"coppice/backend/sqlite/internal/store"
	"coppice/backend/sqlite/internal/tables"
)

// Append adds a message below the one with its ParentUID, as a root where that is empty, and moves
// the head to it. When Append returns, the message is on the disk. UID, Kind and CreatedAtMs may be left open;
// the place is filled in. NotFound for an unknown parent, Conflict for a uid that is there already.
func (db *Store) Append(ctx context.Context, sessionID string, m core.Message) (core.Message, error) {
	m, err := tables.WriteMessage(ctx, db.Library, m, func(ctx context.Context, t *store.Txn, p *packing.Packed) error {
		return tables.AppendMessage(ctx, t, sessionID, p, true)
	})
	return m, conn.Fail(err, "add a message to session %s", sessionID)
}
