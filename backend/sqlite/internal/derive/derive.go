// Package derive fills in what is derived from the messages of sessions that an older version has stored.
package derive

import (
	"context"
	"database/sql"
	"errors"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/activity"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/store"
	"coppice/backend/sqlite/internal/tables"
	"coppice/backend/toolcall"
)

// Store is the service of derived data.
type Store struct{ *store.Library }

// Derive derives the data of the sessions that do not have them in this version, the newest session first, one at a time, so that a writer
// waits for none of them. What is derived need not be derived again after any end. progress, which may be nil, is called with sessions.
func (db *Store) Derive(ctx context.Context, progress func(core.Progress)) error {
	var sessions []int64
	err := db.Read(ctx, func(t *store.Txn) error {
		return t.All(ctx, &sessions, `SELECT key FROM sessions WHERE derived < ? ORDER BY updated_at_ms DESC`, tables.DerivedVersion)
	})
	for i, session := range sessions {
		if err == nil {
			err = db.deriveSession(ctx, session)
		}
		if err != nil {
			break
		}
		if progress != nil {
			progress(core.Progress{Done: int64(i + 1), Total: int64(len(sessions))})
		}
	}
	return conn.Fail(err, "derive what lists show of the sessions")
}

// DeriveAgain derives the data of all sessions.
func (db *Store) DeriveAgain(ctx context.Context) error {
	err := db.WriteBulk(ctx, func(t *store.Txn) error {
		_, err := t.Exec(ctx, `UPDATE sessions SET derived = 0`)
		return err
	})
	if err != nil {
		return conn.Fail(err, "derive what lists show of the sessions")
	}
	return db.Derive(ctx, nil)
}

// touched is what one message contributes to the touched files of a session.
type touched struct {
	message  int64
	touches  []toolcall.Touch
	outcomes []toolcall.Outcome
}

// deriveSession reads first and then writes, and does so again if the session has grown meanwhile.
func (db *Store) deriveSession(ctx context.Context, session int64) error {
	for done := false; !done; {
		var before tables.Revision
		var found []touched
		err := db.Read(ctx, func(t *store.Txn) (err error) {
			if err = t.Get(ctx, &before, tables.RevisionOf, session); err == nil {
				found, err = readTouched(ctx, t, session)
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
			err := t.Get(ctx, &now, tables.RevisionOf, session)
			if done = errors.Is(err, sql.ErrNoRows); done {
				return nil // it was removed
			}
			if err != nil || now != before {
				return err
			}
			done = true
			return storeDerived(ctx, t, session, found)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// readTouched reads every message of a session, one at a time. A message whose body is damaged touches nothing.
func readTouched(ctx context.Context, t *store.Txn, session int64) (found []touched, err error) {
	rows, err := t.Rows(ctx, tables.MessageBySeq, session)
	if err != nil {
		return nil, err
	}
	defer conn.CloseRows(rows, &err)
	for rows.Next() {
		var row tables.MessageRow
		if err := rows.StructScan(&row); err != nil {
			return nil, err
		}
		m, err := tables.DecodeMessage(t, &row)
		if core.CodeOf(err) == core.Corrupt {
			continue
		} else if err != nil {
			return nil, err
		}
		of := touched{message: row.ID}
		if of.touches, of.outcomes = t.Codec.Tools.Touches(m.Parts); len(of.touches)+len(of.outcomes) > 0 {
			found = append(found, of)
		}
	}
	return found, nil
}

func storeDerived(ctx context.Context, t *store.Txn, session int64, found []touched) error {
	if _, err := t.Exec(ctx, `DELETE FROM touched_files WHERE session = ?`, session); err != nil {
		return err
	}
	for i := range found {
		if err := tables.StoreTouches(ctx, t, session, found[i].message, found[i].touches, found[i].outcomes); err != nil {
			return err
		}
	}
	if err := activity.CountTouched(ctx, t.Tx, session); err != nil {
		return err
	}
	_, err := t.Exec(ctx, `UPDATE sessions SET derived = ? WHERE key = ?`, tables.DerivedVersion, session)
	return err
}
