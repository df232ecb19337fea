package runs

import (
	"context"
	"encoding/json"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/packing"
	"coppice/backend/sqlite/internal/store"
	"coppice/backend/sqlite/internal/tables"
)

// PutDraft stores the unfinished answer of a model in place of the last draft of its run. It does not wait for the
// disk: a lost draft contains nothing that was finished.
func (db *Store) PutDraft(ctx context.Context, d core.Draft) error {
	body, err := json.Marshal(d.Message)
	if err != nil {
		return core.Wrap(core.Invalid, err, "encode a draft as JSON")
	}
	packed := db.Codec.Deflate(body)
	err = db.WriteBulk(ctx, func(t *store.Txn) error {
		run, err := findRunning(ctx, t.Tx, d.RunID)
		if err != nil {
			return err
		}
		const put = `INSERT INTO drafts (run, parent_uid, body, updated_at_ms) VALUES (?1, ?2, ?3, ?4)
			ON CONFLICT (run) DO UPDATE SET parent_uid = ?2, body = ?3, updated_at_ms = ?4`
		_, err = t.Exec(ctx, put, run.Key, d.ParentUID, packed, d.UpdatedAtMs)
		return err
	})
	return conn.Fail(err, "keep the draft of session %s", d.SessionID)
}

// Drafts returns what is left of answers that were never finished: those of a session's runs that have ended, in the order of their lanes.
func (db *Store) Drafts(ctx context.Context, sessionID string) ([]core.Draft, error) {
	var drafts []core.Draft
	err := db.Read(ctx, func(t *store.Txn) error {
		var rows []struct {
			RunID       string `db:"run_id"`
			ParentUID   string `db:"parent_uid"`
			Body        []byte
			UpdatedAtMs int64 `db:"updated_at_ms"`
		}
		const of = `SELECT r.id AS run_id, d.parent_uid, d.body, d.updated_at_ms FROM drafts d JOIN runs r ON r.key = d.run
			JOIN sessions s ON s.key = r.session WHERE s.id = ? AND r.status <> 'running' ORDER BY r.lane, r.key`
		if err := t.All(ctx, &rows, of, sessionID); err != nil {
			return err
		}
		for _, row := range rows {
			d := core.Draft{SessionID: sessionID, RunID: row.RunID, ParentUID: row.ParentUID, UpdatedAtMs: row.UpdatedAtMs}
			data, err := t.Codec.Inflate(row.Body)
			if err == nil {
				err = json.Unmarshal(data, &d.Message)
			}
			if err != nil {
				return core.Wrap(core.Corrupt, err, "the draft of session %s is damaged", sessionID)
			}
			drafts = append(drafts, d)
		}
		return nil
	})
	return drafts, conn.Fail(err, "read the drafts of session %s", sessionID)
}

// KeepDraft makes a message of the draft of a run that has ended, and counts an answer as a step of that run. The head moves to it where
// the run was of lane 0 and the head is still where the draft hangs.
func (db *Store) KeepDraft(ctx context.Context, runID string, m core.Message) error {
	_, err := tables.WriteMessage(ctx, db.Library, m, func(ctx context.Context, t *store.Txn, p *packing.Packed) error {
		var row runRow
		if err := t.Get(ctx, &row, runColumns+`WHERE r.id = ?`, runID); err != nil {
			return err
		}
		atHead := false
		const isHead = `SELECT count(*) > 0 FROM sessions s JOIN messages h ON h.id = s.head WHERE s.key = ? AND h.uid = ?`
		if err := t.Get(ctx, &atHead, isHead, row.SessionKey, p.Message.ParentUID); err != nil {
			return err
		}
		if err := appendBy(ctx, t, &row, p, atHead && row.Lane == 0); err != nil {
			return err
		}
		if p.Message.Role == core.RoleAssistant {
			return endStep(ctx, t.Tx, &row, &p.Message)
		}
		return endInput(ctx, t.Tx, &row, &p.Message)
	})
	return conn.Fail(err, "keep the draft of run %s", runID)
}

// DropDraft forgets what is kept of a run's answer.
func (db *Store) DropDraft(ctx context.Context, runID string) error {
	err := db.Write(ctx, func(t *store.Txn) error {
		_, err := t.Exec(ctx, `DELETE FROM drafts WHERE run = (SELECT key FROM runs WHERE id = ?)`, runID)
		return err
	})
	return conn.Fail(err, "drop the draft of run %s", runID)
}
