package runs

import (
	"context"
	"encoding/json"
	"iter"

	"github.com/jmoiron/sqlx"

	"coppice/backend/core"
	"coppice/backend/jsontext"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/store"
	"coppice/backend/sqlite/internal/tables"
)

// RunItems yields what the runs of a session left besides messages, in the order of RunItem: the states by hash, the rest in the
// order in which it was written.
func (db *Store) RunItems(ctx context.Context, sessionID string) iter.Seq2[core.RunItem, error] {
	return store.Sequence("read the runs of session "+sessionID, func(yield func(core.RunItem) bool) error {
		return db.Read(ctx, func(t *store.Txn) error {
			key, err := tables.SessionKey(ctx, t.Tx, sessionID)
			if err != nil {
				return err
			}
			r := itemReader{Txn: t, session: key, sessionID: sessionID, yield: yield}
			for _, list := range []func(context.Context) error{r.states, r.runs, r.requests, r.approvals, r.execs, r.changes, r.drafts, r.wakes, r.copied, r.restores, r.queued, r.checkpoints} {
				if err := list(ctx); err != nil || r.enough {
					return err
				}
			}
			return nil
		})
	})
}

// itemReader reads the run items of a session, a row at a time.
type itemReader struct {
	*store.Txn
	session   int64
	sessionID string
	yield     func(core.RunItem) bool
	enough    bool // yield wants no more
}

// each yields the item that item makes of each row of a query.
func (r *itemReader) each(ctx context.Context, query string, item func(rows *sqlx.Rows) (core.RunItem, error)) (err error) {
	rows, err := r.Rows(ctx, query, r.session)
	if err != nil {
		return err
	}
	defer conn.CloseRows(rows, &err)
	for rows.Next() {
		i, err := item(rows)
		if err != nil {
			return err
		}
		if r.enough = !r.yield(i); r.enough {
			return nil
		}
	}
	return nil
}

func (r *itemReader) states(ctx context.Context) error {
	const of = StateColumns + `WHERE s.key IN (SELECT state FROM runs WHERE session = ?1 AND state IS NOT NULL
		UNION SELECT q.state FROM requests q JOIN runs n ON n.key = q.run WHERE n.session = ?1
		UNION SELECT state FROM named_checkpoints WHERE session = ?1 UNION SELECT state FROM copied_states WHERE session = ?1
		UNION SELECT state FROM restores WHERE session = ?1 UNION SELECT former_state FROM restores WHERE session = ?1) ORDER BY s.hash`
	return r.each(ctx, of, func(rows *sqlx.Rows) (core.RunItem, error) {
		var row StateRow
		if err := rows.StructScan(&row); err != nil {
			return core.RunItem{}, err
		}
		data, _, err := row.JSON(r.Codec)
		return core.RunItem{State: &core.StateItem{Hash: addressOf(row.Hash), JSON: data}}, err
	})
}

func (r *itemReader) runs(ctx context.Context) error {
	const of = `SELECT r.id, r.lane, r.agent, r.model, r.base_url, r.mode, r.workspace_path, r.budget, r.status, r.stop_reason, r.error, r.step_count,
		r.input_tokens, r.output_tokens, r.cost_nano_usd, r.unpriced_steps, r.used_steps, r.used_ms, r.started_at_ms, r.ended_at_ms, r.extra, s.hash AS state
		FROM runs r LEFT JOIN run_states s ON s.key = r.state WHERE r.session = ? ORDER BY r.key`
	return r.each(ctx, of, func(rows *sqlx.Rows) (core.RunItem, error) {
		var row struct {
			core.Run
			BudgetText string `db:"budget"`
			State      []byte
			Extra      string
		}
		if err := rows.StructScan(&row); err != nil {
			return core.RunItem{}, err
		}
		entry := core.RunEntry{Run: row.Run, BudgetJSON: json.RawMessage(row.BudgetText)}
		entry.SessionID = r.sessionID
		if row.State != nil {
			entry.StateHash = addressOf(row.State)
		}
		var err error
		entry.Extra, err = decodeExtra(row.Extra)
		return core.RunItem{Run: &entry}, err
	})
}

func (r *itemReader) requests(ctx context.Context) error {
	const of = `SELECT r.id, p.uid, coalesce(a.uid, ''), s.hash, q.hash, q.sent_at_ms, q.redacted, q.extra
		FROM requests q JOIN runs r ON r.key = q.run JOIN messages p ON p.id = q.parent LEFT JOIN messages a ON a.id = q.message
		JOIN run_states s ON s.key = q.state WHERE r.session = ? ORDER BY q.key`
	return r.each(ctx, of, func(rows *sqlx.Rows) (core.RunItem, error) {
		var entry core.RequestEntry
		var state, hash []byte
		var extra string
		err := rows.Scan(&entry.RunID, &entry.ParentUID, &entry.MessageUID, &state, &hash, &entry.SentAtMs, &entry.Redacted, &extra)
		if err == nil {
			entry.StateHash, entry.RequestHash = addressOf(state), addressOf(hash)
			entry.Extra, err = decodeExtra(extra)
		}
		return core.RunItem{Request: &entry}, err
	})
}

func (r *itemReader) approvals(ctx context.Context) error {
	const of = `SELECT a.id, a.scope, a.tool, a.matcher, a.decision, a.reason, a.created_at_ms, a.extra
		FROM approvals a WHERE a.session = ? ORDER BY a.created_at_ms, a.id`
	return r.each(ctx, of, func(rows *sqlx.Rows) (core.RunItem, error) {
		entry := core.ApprovalEntry{Approval: core.Approval{SessionID: r.sessionID}}
		var extra string
		err := rows.Scan(&entry.ID, &entry.Scope, &entry.Tool, &entry.Matcher, &entry.Decision, &entry.Reason, &entry.CreatedAtMs, &extra)
		if err == nil {
			entry.Extra, err = decodeExtra(extra)
		}
		return core.RunItem{Approval: &entry}, err
	})
}

func (r *itemReader) execs(ctx context.Context) error {
	return r.each(ctx, execColumns+`WHERE m.session = ? ORDER BY m.seq, e.position`, func(rows *sqlx.Rows) (core.RunItem, error) {
		var row execRow
		if err := rows.StructScan(&row); err != nil {
			return core.RunItem{}, err
		}
		exec, err := row.exec(r.Codec)
		if err != nil {
			return core.RunItem{}, err
		}
		entry := core.ExecEntry{ToolExec: exec}
		entry.Extra, err = decodeExtra(row.Extra)
		return core.RunItem{Exec: &entry}, err
	})
}

func (r *itemReader) changes(ctx context.Context) error {
	const of = `SELECT m.uid, c.call_id, c.path, c.before_hash, c.after_hash, c.mode, c.created_at_ms, c.extra
		FROM file_changes c JOIN messages m ON m.id = c.message WHERE c.session = ? ORDER BY c.id`
	return r.each(ctx, of, func(rows *sqlx.Rows) (core.RunItem, error) {
		var entry core.ChangeEntry
		var extra string
		err := rows.Scan(&entry.MessageUID, &entry.CallID, &entry.Path, &entry.BeforeHash, &entry.AfterHash, &entry.Mode, &entry.CreatedAtMs, &extra)
		if err == nil {
			entry.Extra, err = decodeExtra(extra)
		}
		return core.RunItem{Change: &entry}, err
	})
}

func (r *itemReader) drafts(ctx context.Context) error {
	const of = `SELECT r.id, d.parent_uid, d.body, d.updated_at_ms FROM drafts d JOIN runs r ON r.key = d.run WHERE r.session = ? ORDER BY r.lane, r.key`
	return r.each(ctx, of, func(rows *sqlx.Rows) (core.RunItem, error) {
		draft := core.Draft{SessionID: r.sessionID}
		var body []byte
		err := rows.Scan(&draft.RunID, &draft.ParentUID, &body, &draft.UpdatedAtMs)
		if err == nil {
			body, err = r.Codec.Inflate(body)
		}
		if err == nil {
			err = core.Wrap(core.Corrupt, json.Unmarshal(body, &draft.Message), "the draft of run %s is damaged", draft.RunID)
		}
		return core.RunItem{Draft: &draft}, err
	})
}

func (r *itemReader) wakes(ctx context.Context) error {
	const of = `SELECT w.id, w.kind, w.at_ms, w.path, w.awaited, w.detail, w.created_at_ms FROM wakes w JOIN sessions s ON s.key = w.session
		WHERE w.session = ? AND s.status = 'hibernated' ORDER BY w.created_at_ms, w.id`
	return r.each(ctx, of, func(rows *sqlx.Rows) (core.RunItem, error) {
		wake := core.Wake{SessionID: r.sessionID}
		err := rows.Scan(&wake.ID, &wake.Kind, &wake.AtMs, &wake.Path, &wake.AwaitedID, &wake.Detail, &wake.CreatedAtMs)
		return core.RunItem{Wake: &wake}, err
	})
}

func (r *itemReader) checkpoints(ctx context.Context) error {
	const of = `SELECT m.uid, c.name, s.hash, c.created_at_ms, c.extra FROM named_checkpoints c JOIN messages m ON m.id = c.message
		LEFT JOIN run_states s ON s.key = c.state WHERE c.session = ? ORDER BY m.seq, c.number`
	return r.each(ctx, of, func(rows *sqlx.Rows) (core.RunItem, error) {
		var entry core.CheckpointEntry
		var state []byte
		var extra string
		err := rows.Scan(&entry.MessageUID, &entry.Name, &state, &entry.CreatedAtMs, &extra)
		if err == nil {
			entry.Extra, err = decodeExtra(extra)
		}
		if state != nil {
			entry.StateHash = addressOf(state)
		}
		return core.RunItem{Checkpoint: &entry}, err
	})
}

func (r *itemReader) copied(ctx context.Context) error {
	const of = `SELECT m.uid, s.hash, c.extra FROM copied_states c JOIN messages m ON m.id = c.message JOIN run_states s ON s.key = c.state
		WHERE c.session = ? ORDER BY m.seq`
	return r.each(ctx, of, func(rows *sqlx.Rows) (core.RunItem, error) {
		var entry core.CopiedEntry
		var state []byte
		var extra string
		err := rows.Scan(&entry.MessageUID, &state, &extra)
		if err == nil {
			entry.StateHash = addressOf(state)
			entry.Extra, err = decodeExtra(extra)
		}
		return core.RunItem{Copied: &entry}, err
	})
}

func (r *itemReader) restores(ctx context.Context) error {
	const of = `SELECT m.uid, s.hash, coalesce(n.id, ''), o.former_uid, f.hash, o.undone, o.created_at_ms, o.extra FROM restores o
		JOIN messages m ON m.id = o.message LEFT JOIN run_states s ON s.key = o.state LEFT JOIN run_states f ON f.key = o.former_state
		LEFT JOIN runs n ON n.key = o.run WHERE o.session = ? ORDER BY o.key`
	return r.each(ctx, of, func(rows *sqlx.Rows) (core.RunItem, error) {
		var entry core.RestoreEntry
		var state, former []byte
		var extra string
		err := rows.Scan(&entry.MessageUID, &state, &entry.RunID, &entry.FormerUID, &former, &entry.Undone, &entry.CreatedAtMs, &extra)
		if err == nil {
			entry.Extra, err = decodeExtra(extra)
		}
		if state != nil {
			entry.StateHash = addressOf(state)
		}
		if former != nil {
			entry.FormerStateHash = addressOf(former)
		}
		return core.RunItem{Restore: &entry}, err
	})
}

func (r *itemReader) queued(ctx context.Context) error {
	const of = `SELECT q.uid, r.id, q.body, q.created_at_ms, q.extra FROM queued_messages q JOIN runs r ON r.key = q.run WHERE r.session = ? ORDER BY q.key`
	return r.each(ctx, of, func(rows *sqlx.Rows) (core.RunItem, error) {
		entry := core.QueuedEntry{QueuedMessage: core.QueuedMessage{SessionID: r.sessionID}}
		var body []byte
		var extra string
		err := rows.Scan(&entry.UID, &entry.RunID, &body, &entry.CreatedAtMs, &extra)
		if err == nil {
			entry.Parts, entry.Cites, err = decodeQueued(r.Txn, body)
		}
		if err == nil {
			entry.Extra, err = decodeExtra(extra)
		}
		return core.RunItem{Queued: &entry}, err
	})
}

// encodeExtra returns the fields of a newer version as they are stored.
func encodeExtra(extra core.Extra) (string, error) {
	if len(extra) == 0 {
		return "", nil
	}
	text, err := jsontext.Encode(extra)
	return string(text), core.Wrap(core.Invalid, err, "encode the fields of a newer version")
}

func decodeExtra(text string) (extra core.Extra, err error) {
	if text == "" {
		return nil, nil
	}
	err = json.Unmarshal([]byte(text), &extra)
	return extra, core.Wrap(core.Corrupt, err, "the fields of a newer version are damaged")
}
