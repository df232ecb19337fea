package sessions

import (
	"context"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/store"
	"coppice/backend/sqlite/internal/tables"
)

// Aliases returns the ids that copies of a session had, in the order of the ids.
func (db *Store) Aliases(ctx context.Context, sessionID string) ([]core.Alias, error) {
	aliases := []core.Alias{}
	err := db.Read(ctx, tables.OfSession(ctx, sessionID, func(t *store.Txn, key int64) error {
		const query = `SELECT o.source, o.source_id, o.source_path, coalesce(m.uid, '') AS head_uid
			FROM origins o JOIN sessions s ON s.key = o.session LEFT JOIN messages m ON m.id = o.head
			WHERE o.session = ? AND (o.source_id <> s.source_id OR o.source <> s.source) ORDER BY o.source_id, o.source`
		return t.All(ctx, &aliases, query, key)
	}))
	return aliases, conn.Fail(err, "read the aliases of session %s", sessionID)
}
