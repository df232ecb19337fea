package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"coppice/backend/core"
)

// PutDraft keeps what a model has said so far of an answer, in place of what was kept before. It does not
// wait for the disk: a draft that is lost costs nothing that was finished.
func (db *DB) PutDraft(ctx context.Context, d core.Draft) error {
	body, err := json.Marshal(d.Message)
	if err != nil {
		return core.Wrap(core.Invalid, err, "a draft cannot be written as JSON")
	}
	packed := db.codec.deflate(body)
	err = db.writeBulk(ctx, func(t *tx) error {
		run, err := t.running(ctx, d.RunID)
		if err != nil {
			return err
		}
		const put = `INSERT INTO drafts (session, run, parent_uid, body, updated_at_ms) VALUES (?1, ?2, ?3, ?4, ?5)
			ON CONFLICT (session) DO UPDATE SET run = ?2, parent_uid = ?3, body = ?4, updated_at_ms = ?5`
		_, err = t.exec(ctx, put, run.SessionKey, run.Key, d.ParentUID, packed, d.UpdatedAtMs)
		return err
	})
	return fail(err, "keep the draft of session %s", d.SessionID)
}

// Draft returns what is left of an answer that was never finished; ok is false where there is none.
func (db *DB) Draft(ctx context.Context, sessionID string) (d core.Draft, ok bool, err error) {
	err = db.read(ctx, func(t *tx) error {
		var row struct {
			RunID       string `db:"run_id"`
			ParentUID   string `db:"parent_uid"`
			Body        []byte
			UpdatedAtMs int64 `db:"updated_at_ms"`
		}
		const of = `SELECT r.id AS run_id, d.parent_uid, d.body, d.updated_at_ms FROM drafts d JOIN runs r ON r.key = d.run
			JOIN sessions s ON s.key = d.session WHERE s.id = ?`
		err := t.get(ctx, &row, of, sessionID)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		} else if err != nil {
			return err
		}
		ok = true
		d = core.Draft{SessionID: sessionID, RunID: row.RunID, ParentUID: row.ParentUID, UpdatedAtMs: row.UpdatedAtMs}
		data, err := t.codec.inflate(row.Body)
		if err == nil {
			err = json.Unmarshal(data, &d.Message)
		}
		return core.Wrap(core.Corrupt, err, "the draft of session %s is damaged", sessionID)
	})
	return d, ok, fail(err, "read the draft of session %s", sessionID)
}

// DropDraft forgets it.
func (db *DB) DropDraft(ctx context.Context, sessionID string) error {
	err := db.write(ctx, func(t *tx) error {
		_, err := t.exec(ctx, `DELETE FROM drafts WHERE session = (SELECT key FROM sessions WHERE id = ?)`, sessionID)
		return err
	})
	return fail(err, "drop the draft of session %s", sessionID)
}
