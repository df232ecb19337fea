// Package derive fills in what is derived from the messages of sessions that an older version has stored.
package derive

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"strings"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/activity"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/excerpt"
	"coppice/backend/sqlite/internal/store"
	"coppice/backend/sqlite/internal/tables"
	"coppice/backend/toolcall"
	"coppice/backend/workspace"
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

// derived is what is read of a session.
type derived struct {
	touched []touched
	failed  int64
	answer  string
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
		var found derived
		err := db.Read(ctx, func(t *store.Txn) (err error) {
			if err = t.Get(ctx, &before, tables.RevisionOf, session); err == nil {
				found, err = read(ctx, t, session)
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

// read reads every message of a session, one at a time. A message whose body is damaged adds nothing.
func read(ctx context.Context, t *store.Txn, session int64) (found derived, err error) {
	rows, err := t.Rows(ctx, tables.MessageBySeq, session)
	if err != nil {
		return found, err
	}
	defer conn.CloseRows(rows, &err)
	for rows.Next() {
		var row tables.MessageRow
		if err := rows.StructScan(&row); err != nil {
			return found, err
		}
		m, err := tables.DecodeMessage(ctx, t, &row)
		if core.CodeOf(err) == core.Corrupt {
			continue
		} else if err != nil {
			return found, err
		}
		of := touched{message: row.ID}
		if of.touches, of.outcomes = t.Codec.Tools.Touches(m.Parts); len(of.touches)+len(of.outcomes) > 0 {
			found.touched = append(found.touched, of)
		}
		found.failed += activity.FailedCalls(&m)
		found.answer = cmp.Or(excerpt.Answer(&m), found.answer)
	}
	return found, nil
}

func storeDerived(ctx context.Context, t *store.Txn, session int64, found derived) error {
	if _, err := t.Exec(ctx, `DELETE FROM touched_files WHERE session = ?`, session); err != nil {
		return err
	}
	for _, f := range found.touched {
		if err := tables.StoreTouches(ctx, t, session, f.message, f.touches, f.outcomes); err != nil {
			return err
		}
	}
	if err := activity.CountTouched(ctx, t.Tx, session); err != nil {
		return err
	}
	row, err := tables.ReadSessionRow(ctx, t.Tx, session)
	if err != nil {
		return err
	}
	if err := storeTitle(ctx, t, &row); err != nil {
		return err
	}
	const store = `UPDATE sessions SET derived = ?, project = ?, last_answer = ?, failed_count = ? WHERE key = ?`
	project := cmp.Or(row.Project, workspace.ProjectOfPath(row.WorkspacePath))
	_, err = t.Exec(ctx, store, tables.DerivedVersion, project, found.answer, found.failed, session)
	return err
}

// storeTitle derives the title of a session again if it was derived. An older version did not store that: its title is the beginning of the
// first prompt then.
func storeTitle(ctx context.Context, t *store.Txn, row *tables.SessionRow) error {
	switch {
	case row.TitleOrigin == core.TitleUnknown && !isBeginning(row.Title, row.Task):
		return tables.SetTitle(ctx, t.Tx, row.Key, row.Title, core.TitleTool)
	case !row.TitleOrigin.Yields(core.TitleDerived):
		return nil
	}
	title, err := tables.DeriveTitle(ctx, t, row.Key, row.Task)
	if err != nil {
		return err
	}
	return tables.SetTitle(ctx, t.Tx, row.Key, cmp.Or(title, row.Title), core.TitleDerived)
}

// isBeginning reports whether a title is the beginning of a task, as older versions made it.
func isBeginning(title, task string) bool {
	title = strings.TrimSuffix(title, "…")
	return strings.HasPrefix(excerpt.Line(task, excerpt.TaskLength), excerpt.Line(title, excerpt.TaskLength))
}
