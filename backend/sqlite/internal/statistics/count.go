package statistics

import (
	"context"
	"database/sql"
	"errors"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/activity"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/store"
	"coppice/backend/sqlite/internal/tables"
)

// Store is the service of statistics.
type Store struct{ *store.Library }

// CountActivity counts the sessions that were there before activity was kept, one at a time, so that a writer waits for none of them.
// What is counted need not be counted again after any end. progress, which may be nil, hears of sessions.
func (db *Store) CountActivity(ctx context.Context, progress func(core.Progress)) error {
	var sessions []int64
	err := db.Read(ctx, func(t *store.Txn) error {
		return t.All(ctx, &sessions, `SELECT key FROM sessions WHERE key NOT IN (SELECT session FROM activity) ORDER BY key DESC`)
	})
	for i, session := range sessions {
		if err == nil {
			err = db.countSession(ctx, session)
		}
		if err != nil {
			break
		}
		if progress != nil {
			progress(core.Progress{Done: int64(i + 1), Total: int64(len(sessions))})
		}
	}
	return conn.Fail(err, "count what was done in the sessions")
}

// countSession reads first and then writes, and does so again where the session has grown meanwhile.
func (db *Store) countSession(ctx context.Context, session int64) error {
	for done := false; !done; {
		var before tables.Revision
		var sum activity.Tally[string]
		err := db.Read(ctx, func(t *store.Txn) (err error) {
			if err = t.Get(ctx, &before, tables.RevisionOf, session); err == nil {
				sum, err = tables.TallySession(ctx, t, session)
			}
			return err
		})
		if errors.Is(err, sql.ErrNoRows) {
			return nil // it is gone
		} else if err != nil {
			return err
		}
		err = db.WriteBulk(ctx, func(t *store.Txn) error {
			var now tables.Revision
			var counted bool
			if err := t.Get(ctx, &counted, `SELECT EXISTS (SELECT 1 FROM activity WHERE session = ?)`, session); err != nil {
				return err
			}
			err := t.Get(ctx, &now, tables.RevisionOf, session)
			if done = counted || errors.Is(err, sql.ErrNoRows); done {
				return nil // by another process, or it is gone
			}
			if err != nil || now != before {
				return err
			}
			done = true
			names := activity.NewNames(t.Tx)
			numbered, err := names.Number(ctx, sum)
			if err != nil {
				return err
			}
			return activity.Open(ctx, t.Tx, session, numbered)
		})
		if err != nil {
			return err
		}
	}
	return nil
}
