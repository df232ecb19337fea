package sessions

import (
	"context"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/store"
	"coppice/backend/sqlite/internal/tables"
)

// Tag adds tags to a session, or removes them, and returns those that it has then.
func (db *Store) Tag(ctx context.Context, id string, tags []string, remove bool) ([]string, error) {
	for _, tag := range tags {
		if err := core.CheckTag(tag); err != nil {
			return nil, err
		}
	}
	var all []string
	err := db.Write(ctx, func(t *store.Txn) error {
		row, err := tables.FindSession(ctx, t.Tx, id)
		if err != nil {
			return err
		}
		s, err := row.Decode()
		if err != nil {
			return err
		}
		all = core.Retagged(s.Tags, tags, remove)
		return tables.SetTags(ctx, t.Tx, row.Key, all)
	})
	return all, conn.Fail(err, "tag session %s", id)
}
