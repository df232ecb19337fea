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

// CountActivity counts the sessions that an older version has not counted, or not by agents, one at a time, so that a writer waits for none
// of them. If it ends early, the next call continues with the rest. progress, which may be nil, reports the sessions.
func (db *Store) CountActivity(ctx context.Context, progress func(core.Progress)) error {
	err := db.keepWithoutAgents(ctx)
	var sessions []int64
	if err == nil {
		err = db.Read(ctx, func(t *store.Txn) error {
			return t.All(ctx, &sessions, `SELECT key FROM sessions WHERE key NOT IN (SELECT session FROM activity)
				UNION SELECT session FROM activity INDEXED BY activity_former WHERE substr(tally, 1, 2) <> x'0002' ORDER BY key DESC`)
		})
	}
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

// rowsAtOnce is how many rows keepWithoutAgents changes in a transaction.
const rowsAtOnce = 256

// keepWithoutAgents marks the sums of sessions without agents as complete: they need not be counted again.
func (db *Store) keepWithoutAgents(ctx context.Context) error {
	for after, more := int64(0), true; more; {
		err := db.WriteBulk(ctx, func(t *store.Txn) error {
			const former = `SELECT session, tally FROM activity a INDEXED BY activity_former WHERE substr(tally, 1, 2) <> x'0002' AND session > ?
				AND NOT EXISTS (SELECT 1 FROM messages WHERE session = a.session AND agent <> '') ORDER BY session LIMIT ?`
			var rows []struct {
				Session int64
				Tally   []byte
			}
			err := t.All(ctx, &rows, former, after, rowsAtOnce)
			more = len(rows) == rowsAtOnce
			for _, row := range rows {
				after = row.Session
				sum, damage := activity.Decode(row.Tally)
				if damage != nil {
					continue // it is counted again
				}
				sum.Former = false
				if _, err := t.Exec(ctx, `UPDATE activity SET tally = ? WHERE session = ?`, activity.Encode(sum), row.Session); err != nil {
					return err
				}
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// countSession reads first and then writes, and does so again if the session has grown meanwhile.
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
			return nil // it was removed
		} else if err != nil {
			return err
		}
		err = db.WriteBulk(ctx, func(t *store.Txn) error {
			var now tables.Revision
			var former [][]byte
			if err := t.All(ctx, &former, `SELECT tally FROM activity WHERE session = ?`, session); err != nil {
				return err
			}
			counted := len(former) > 0 && !activity.IsFormer(former[0])
			err := t.Get(ctx, &now, tables.RevisionOf, session)
			if done = counted || errors.Is(err, sql.ErrNoRows); done {
				return nil // another process has counted it, or it was removed
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
			if len(former) > 0 {
				_, err := t.Exec(ctx, `UPDATE activity SET tally = ? WHERE session = ?`, activity.Encode(numbered), session)
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
