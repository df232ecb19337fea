package runs

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/store"
	"coppice/backend/sqlite/internal/tables"
)

// checkpointRow is a checkpoint as a query returns it.
type checkpointRow struct {
	Key         int64 // of one with a name
	Session     int64
	Message     int64
	UID         string
	Seq         int64
	Turn        int64
	Branch      int64
	Depth       int64
	Number      int64 // 0: of a step
	Name        sql.NullString
	State       sql.NullInt64
	Hash        []byte
	CreatedAtMs int64 `db:"created_at_ms"`
}

// checkpointRows selects the checkpoints of the session ?1: those of its steps, and those with a name.
const checkpointRows = `SELECT k.*, m.uid, m.seq, m.turn, m.branch, m.depth, s.hash FROM (
		SELECT r.session AS session, q.message AS message, 0 AS number, NULL AS name, q.state AS state, a.created_at_ms AS created_at_ms, 0 AS key
		FROM runs r JOIN requests q ON q.run = r.key JOIN messages a ON a.id = q.message WHERE r.session = ?1
		UNION ALL SELECT c.session, c.message, 0, NULL, c.state, a.created_at_ms, 0 FROM copied_states c JOIN messages a ON a.id = c.message WHERE c.session = ?1
		UNION ALL SELECT session, message, number, name, state, created_at_ms, key FROM named_checkpoints WHERE session = ?1
	) k JOIN messages m ON m.id = k.message LEFT JOIN run_states s ON s.key = k.state `

// newestCheckpoints is the order of a list, from its end.
const newestCheckpoints = ` ORDER BY k.created_at_ms DESC, m.seq DESC, k.key DESC`

// Checkpoints returns the checkpoints of a session, oldest first, without those in its trash. Their states have neither system prompt
// nor tools.
func (db *Store) Checkpoints(ctx context.Context, sessionID string, f core.CheckpointFilter) ([]core.RunCheckpoint, error) {
	found := []core.RunCheckpoint{}
	err := db.Read(ctx, func(t *store.Txn) error {
		key, err := tables.SessionKey(ctx, t.Tx, sessionID)
		if err != nil {
			return err
		}
		const visible = `WHERE NOT EXISTS (SELECT 1 FROM veils v WHERE v.session = ?1 AND v.branch = m.branch AND m.depth >= v.from_depth)
			AND (NOT ?2 OR k.name IS NOT NULL)`
		query, args := checkpointRows+visible, []any{key, f.Named}
		if f.Before != "" {
			before, err := findCheckpoint(ctx, t.Tx, key, f.Before)
			if err != nil {
				return err
			}
			query, args = query+` AND (k.created_at_ms, m.seq, k.key) < (?3, ?4, ?5)`, append(args, before.CreatedAtMs, before.Seq, before.Key)
		}
		query += newestCheckpoints
		if f.Limit > 0 {
			query, args = fmt.Sprintf("%s LIMIT ?%d", query, len(args)+1), append(args, f.Limit)
		}
		var rows []checkpointRow
		if err := t.All(ctx, &rows, query, args...); err != nil {
			return err
		}
		slices.Reverse(rows)
		settings := map[int64]*core.RunState{} // nil: damaged
		for i := range rows {
			state, known := settings[rows[i].State.Int64]
			if !known {
				if state, err = readSettings(ctx, t, rows[i].State.Int64); err != nil {
					return err
				}
				settings[rows[i].State.Int64] = state
			}
			found = append(found, rows[i].checkpoint(state))
		}
		return nil
	})
	return found, conn.Fail(err, "read the checkpoints of session %s", sessionID)
}

// checkpoint returns the checkpoint of a row; a state of nil is damaged.
func (r *checkpointRow) checkpoint(state *core.RunState) core.RunCheckpoint {
	c := core.RunCheckpoint{
		ID: core.CheckpointID(r.Seq, r.Number), Node: fmt.Sprintf("m%d", r.Seq), UID: r.UID, CreatedAtMs: r.CreatedAtMs, Turn: r.Turn, Damaged: state == nil,
	}
	if r.Name.Valid {
		c.Name = &r.Name.String
	}
	if r.State.Valid {
		c.StateHash = addressOf(r.Hash)
	}
	if state != nil {
		c.State = *state
	}
	return c
}

// readSettings reads a run state without its system prompt and its tools; nil if it is damaged, the zero value for the key 0.
func readSettings(ctx context.Context, t *store.Txn, key int64) (*core.RunState, error) {
	state := &core.RunState{}
	if key == 0 {
		return state, nil
	}
	var body []byte
	if err := t.Get(ctx, &body, `SELECT body FROM run_states WHERE key = ?`, key); err != nil {
		return nil, err
	}
	body, err := t.Codec.Inflate(body)
	if err != nil || json.Unmarshal(body, state) != nil {
		return nil, nil //nolint:nilnil // a list shows a damaged state as such
	}
	return state, nil
}

// Checkpoint returns the checkpoint of a session with an id or a name, with its whole state. One in the trash of the session is found
// as well.
func (db *Store) Checkpoint(ctx context.Context, sessionID, ref string) (core.RunCheckpoint, error) {
	var c core.RunCheckpoint
	err := db.Read(ctx, func(t *store.Txn) error {
		key, err := tables.SessionKey(ctx, t.Tx, sessionID)
		if err != nil {
			return err
		}
		row, err := findCheckpoint(ctx, t.Tx, key, ref)
		if err != nil {
			return err
		}
		c, err = wholeCheckpoint(ctx, t, &row)
		return err
	})
	return c, conn.Fail(err, "read checkpoint %s of session %s", ref, sessionID)
}

func wholeCheckpoint(ctx context.Context, t *store.Txn, row *checkpointRow) (core.RunCheckpoint, error) {
	state := core.RunState{}
	if row.State.Valid {
		var err error
		switch state, _, err = readState(ctx, t, row.State.Int64); {
		case core.CodeOf(err) == core.Corrupt:
			return row.checkpoint(nil), nil
		case err != nil:
			return core.RunCheckpoint{}, err
		}
	}
	return row.checkpoint(&state), nil
}

// findCheckpoint finds the checkpoint of a session with an id or a name.
func findCheckpoint(ctx context.Context, t *conn.Tx, session int64, ref string) (checkpointRow, error) {
	var row checkpointRow
	var err error
	if seq, number, ok := core.ParseCheckpointID(ref); ok {
		err = t.Get(ctx, &row, checkpointRows+`WHERE m.seq = ?2 AND k.number = ?3`+newestCheckpoints+` LIMIT 1`, session, seq, number)
	} else {
		err = t.Get(ctx, &row, checkpointRows+`WHERE k.name = ?2`, session, ref)
	}
	if errors.Is(err, sql.ErrNoRows) {
		return row, core.E(core.NotFound, "no checkpoint %q in this session", ref).WithRemedy(core.ListCheckpoints)
	}
	return row, err
}

// NameCheckpoint stores a checkpoint under a name: a message, the head if uid is empty, with the state that the session continues with
// there. Conflict if another checkpoint of the session has the name, or if the session has no message.
func (db *Store) NameCheckpoint(ctx context.Context, sessionID, uid, name string) (core.RunCheckpoint, error) {
	var c core.RunCheckpoint
	if err := core.CheckCheckpointName(name); err != nil {
		return c, err
	}
	err := db.Write(ctx, func(t *store.Txn) error {
		session, m, ok, err := tables.FindLeaf(ctx, t.Tx, sessionID, uid)
		if err == nil && !ok {
			err = core.E(core.Conflict, "no message to restore")
		}
		if err != nil {
			return err
		}
		state, err := stateKeyOf(ctx, t, sessionID, uid, m.ID)
		if err != nil {
			return err
		}
		const insert = `INSERT INTO named_checkpoints (session, message, number, name, state, created_at_ms)
			SELECT ?1, ?2, 1 + coalesce(max(number), 0), ?3, nullif(?4, 0), ?5 FROM named_checkpoints WHERE message = ?2`
		if _, err = t.Exec(ctx, insert, session, m.ID, name, state, db.Now()); conn.Is(err, conn.CodeConstraint) {
			return core.E(core.Conflict, "a checkpoint of this session is named %q already", name).WithHint("choose another name, or remove that checkpoint first")
		} else if err != nil {
			return err
		}
		row, err := findCheckpoint(ctx, t.Tx, session, name)
		if err != nil {
			return err
		}
		c, err = wholeCheckpoint(ctx, t, &row)
		return err
	})
	return c, conn.Fail(err, "name a checkpoint of session %s", sessionID)
}

// stateKeyOf returns the key of the state at a message, or 0: that of the request that it answers, else what the session continues
// with after it. An empty uid is the head, whose state may have been restored.
func stateKeyOf(ctx context.Context, t *store.Txn, sessionID, uid string, message int64) (int64, error) {
	if uid == "" {
		return stateKeyAt(ctx, t, sessionID, "")
	}
	var own int64
	const step = `SELECT state FROM (SELECT key, state FROM requests WHERE message = ?1 UNION ALL SELECT 0, state FROM copied_states WHERE message = ?1)
		ORDER BY key DESC LIMIT 1`
	if err := t.Get(ctx, &own, step, message); !errors.Is(err, sql.ErrNoRows) {
		return own, err
	}
	return stateKeyAt(ctx, t, sessionID, uid)
}

// RemoveCheckpoint removes a checkpoint with a name. Conflict for that of a step, which exists as long as its message does.
func (db *Store) RemoveCheckpoint(ctx context.Context, sessionID, ref string) error {
	err := db.Write(ctx, func(t *store.Txn) error {
		key, err := tables.SessionKey(ctx, t.Tx, sessionID)
		if err != nil {
			return err
		}
		row, err := findCheckpoint(ctx, t.Tx, key, ref)
		if err == nil && row.Number == 0 {
			err = core.E(core.Conflict, "%s is the checkpoint of a step, which exists as long as its message", ref)
		}
		if err != nil {
			return err
		}
		if _, err := t.Exec(ctx, `DELETE FROM named_checkpoints WHERE message = ? AND number = ?`, row.Message, row.Number); err != nil {
			return err
		}
		return tables.RemoveUnused(ctx, t.Tx)
	})
	return conn.Fail(err, "remove checkpoint %s of session %s", ref, sessionID)
}
