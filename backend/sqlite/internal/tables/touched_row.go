package tables

import (
	"context"
	"path"
	"strings"

	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/packing"
	"coppice/backend/sqlite/internal/store"
	"coppice/backend/toolcall"
)

// DerivedVersion is the version of the data of a session that are derived from its messages. A session with a lower one is read again by
// the package derive.
const DerivedVersion = 4

// StoreTouches writes which files the calls of a message change, and what its results report of such changes of earlier messages.
func StoreTouches(ctx context.Context, t *store.Txn, session, message int64, touches []toolcall.Touch, outcomes []toolcall.Outcome) error {
	if len(touches)+len(outcomes) == 0 {
		return nil
	}
	t.Ledger.Of(session).Touched = true
	for i := range touches {
		if err := addTouch(ctx, t.Tx, session, message, &touches[i]); err != nil {
			return err
		}
	}
	for i := range outcomes {
		if err := storeOutcome(ctx, t.Tx, session, &outcomes[i]); err != nil {
			return err
		}
	}
	return nil
}

func addTouch(ctx context.Context, t *conn.Tx, session, message int64, touch *toolcall.Touch) error {
	name := path.Base(strings.ReplaceAll(touch.Path, `\`, "/"))
	if _, err := t.Exec(ctx, `INSERT INTO file_paths (path, name) VALUES (?, ?) ON CONFLICT DO NOTHING`, touch.Path, name); err != nil {
		return err
	}
	const add = `INSERT INTO touched_files (session, file, message, call_id, lines_added, lines_removed, failed)
		SELECT ?, id, ?, ?, ?, ?, 0 FROM file_paths WHERE path = ?
		ON CONFLICT DO UPDATE SET lines_added = excluded.lines_added, lines_removed = excluded.lines_removed`
	_, err := t.Exec(ctx, add, session, message, touch.CallID, touch.Added, touch.Removed, touch.Path)
	return err
}

// storeOutcome corrects what a call asked for by what its result reports. A result that names one file may name it in another way than the
// call, such as by an absolute path.
func storeOutcome(ctx context.Context, t *conn.Tx, session int64, o *toolcall.Outcome) error {
	if o.Failed {
		_, err := t.Exec(ctx, `UPDATE touched_files SET failed = 1 WHERE session = ? AND call_id = ?`, session, o.CallID)
		return err
	}
	const correct = `UPDATE touched_files SET lines_added = ?1, lines_removed = ?2 WHERE session = ?3 AND call_id = ?4 AND (
		file = (SELECT id FROM file_paths WHERE path = ?5) OR ?6 AND 1 = (SELECT count(*) FROM touched_files WHERE session = ?3 AND call_id = ?4))`
	for i := range o.Touched {
		r := &o.Touched[i]
		if _, err := t.Exec(ctx, correct, r.Added, r.Removed, session, o.CallID, r.Path, len(o.Touched) == 1); err != nil {
			return err
		}
	}
	return nil
}

// replaceTouches writes the touched files of a message that replaces another form of itself. A call whose result is an error stays failed.
func replaceTouches(ctx context.Context, t *store.Txn, session, message int64, p *packing.Packed) error {
	var failed []string
	if err := t.All(ctx, &failed, `SELECT DISTINCT call_id FROM touched_files WHERE message = ? AND failed = 1`, message); err != nil {
		return err
	}
	removed, err := t.Exec(ctx, `DELETE FROM touched_files WHERE message = ?`, message)
	if err != nil {
		return err
	}
	if n, err := removed.RowsAffected(); err != nil {
		return err
	} else if n > 0 {
		t.Ledger.Of(session).Touched = true
	}
	if err := StoreTouches(ctx, t, session, message, p.Touches, p.Outcomes); err != nil {
		return err
	}
	for _, call := range failed {
		if err := storeOutcome(ctx, t.Tx, session, &toolcall.Outcome{CallID: call, Failed: true}); err != nil {
			return err
		}
	}
	return nil
}
