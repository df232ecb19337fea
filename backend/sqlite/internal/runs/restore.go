package runs

import (
	"context"
	"database/sql"
	"errors"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/store"
	"coppice/backend/sqlite/internal/tables"
)

// RestoreCheckpoint moves the head of a session to the message of a checkpoint, so that the session continues there with the state of the
// checkpoint. No message is removed, and UndoRestore returns to the former position. Conflict while a run moves the head.
func (db *Store) RestoreCheckpoint(ctx context.Context, sessionID, ref string) (core.Restored, error) {
	var done core.Restored
	err := db.Write(ctx, func(t *store.Txn) error {
		session, run, err := restorable(ctx, t.Tx, sessionID)
		if err != nil {
			return err
		}
		row, err := findCheckpoint(ctx, t.Tx, session.Key, ref)
		if err != nil {
			return err
		}
		former, err := stateKeyAt(ctx, t, sessionID, "")
		if err != nil {
			return err
		}
		if done.Checkpoint, err = wholeCheckpoint(ctx, t, &row); err != nil {
			return err
		}
		done.State = done.Checkpoint.State
		const insert = `INSERT INTO restores (session, message, state, run, former_uid, former_state, undone, created_at_ms)
			VALUES (?, ?, ?, ?, ?, nullif(?, 0), 0, ?)`
		if _, err := t.Exec(ctx, insert, session.Key, row.Message, row.State, run, session.HeadUID, former, db.Now()); err != nil {
			return err
		}
		at := core.Position{Branch: row.Branch, Depth: row.Depth}
		done.Session, err = moveHead(ctx, t, session.Key, row.Message, at)
		return err
	})
	return done, conn.Fail(err, "restore checkpoint %s of session %s", ref, sessionID)
}

// UndoRestore returns to the position and the state before the newest restore that is not undone. What was written since stays in
// the tree. Conflict if none is left, or while a run moves the head; NotFound if the former position was removed.
func (db *Store) UndoRestore(ctx context.Context, sessionID string) (core.Restored, error) {
	var done core.Restored
	err := db.Write(ctx, func(t *store.Txn) error {
		session, run, err := restorable(ctx, t.Tx, sessionID)
		if err != nil {
			return err
		}
		var last struct {
			Key   int64
			UID   string
			State sql.NullInt64
		}
		const newest = `SELECT key, former_uid AS uid, former_state AS state FROM restores WHERE session = ? AND undone = 0 ORDER BY key DESC LIMIT 1`
		if err := t.Get(ctx, &last, newest, session.Key); errors.Is(err, sql.ErrNoRows) {
			return core.E(core.Conflict, "no restore of this session can be undone")
		} else if err != nil {
			return err
		}
		done, err = undo(ctx, t, &session, last.Key, run, last.UID, last.State)
		return err
	})
	return done, conn.Fail(err, "undo the last restore of session %s", sessionID)
}

// undo turns a restore into one of the former position.
func undo(ctx context.Context, t *store.Txn, session *tables.SessionRow, restore, run int64, uid string, state sql.NullInt64) (done core.Restored, err error) {
	if uid == "" {
		if _, err := t.Exec(ctx, `DELETE FROM restores WHERE key = ?`, restore); err != nil {
			return done, err
		}
		if _, err := t.Exec(ctx, `UPDATE sessions SET head = NULL WHERE key = ?`, session.Key); err != nil {
			return done, err
		}
		done.Session, err = tables.ReadSession(ctx, t.Tx, session.Key)
		return done, err
	}
	m, err := tables.FindMessage(ctx, t.Tx, uid, tables.HeadByUID, uid, session.Key)
	if err != nil {
		return done, err
	}
	if state.Valid {
		done.State, _, err = readState(ctx, t, state.Int64)
		if err != nil && core.CodeOf(err) != core.Corrupt {
			return done, err
		}
	}
	const turn = `UPDATE restores SET message = ?, state = ?, run = ?, former_state = NULL, undone = 1 WHERE key = ?`
	if _, err := t.Exec(ctx, turn, m.ID, state, run, restore); err != nil {
		return done, err
	}
	done.Session, err = moveHead(ctx, t, session.Key, m.ID, core.Position{Branch: m.Branch, Depth: m.Depth})
	return done, err
}

// restorable returns a session and the key of its newest run. Conflict while a run of lane 0 is active.
func restorable(ctx context.Context, t *conn.Tx, sessionID string) (session tables.SessionRow, run int64, err error) {
	if session, err = tables.FindSession(ctx, t, sessionID); err != nil {
		return session, 0, err
	}
	var runs struct{ Newest, Active int64 }
	const query = `SELECT coalesce(max(key), 0) AS newest, count(*) FILTER (WHERE status = 'running' AND lane = 0) AS active FROM runs WHERE session = ?`
	if err := t.Get(ctx, &runs, query, session.Key); err != nil {
		return session, 0, err
	}
	if runs.Active > 0 {
		return session, 0, core.E(core.Conflict, "a run continues this session").WithHint("stop it, or wait until it has ended")
	}
	return session, runs.Newest, nil
}

// moveHead moves the head to a message and takes its path out of the trash.
func moveHead(ctx context.Context, t *store.Txn, session, message int64, at core.Position) (core.Session, error) {
	if err := tables.RevealPath(ctx, t.Tx, session, at); err != nil {
		return core.Session{}, err
	}
	if _, err := t.Exec(ctx, `UPDATE sessions SET head = ? WHERE key = ?`, message, session); err != nil {
		return core.Session{}, err
	}
	return tables.ReadSession(ctx, t.Tx, session)
}
