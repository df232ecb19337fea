package runs

import (
	"context"
	"encoding/json"
	"slices"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/packing"
	"coppice/backend/sqlite/internal/store"
	"coppice/backend/sqlite/internal/tables"
)

// BeginExec writes that the work on a call begins. When it returns, that is on the disk: a call that is not
// found so never began. Only MessageUID, Position, RunID, Idempotent and StartedAtMs count.
func (db *Store) BeginExec(ctx context.Context, e core.ToolExec) error {
	lasting := context.WithoutCancel(ctx)
	err := db.Write(lasting, func(t *store.Txn) error {
		run, err := findRunning(lasting, t.Tx, e.RunID)
		if err != nil {
			return err
		}
		const begin = `UPDATE tool_execs SET state = 'running', run = ?, idempotent = ?, started_at_ms = ?
			WHERE message = (SELECT id FROM messages WHERE uid = ? AND session = ?) AND position = ?`
		_, err = t.Exec(lasting, begin, run.Key, e.Idempotent, e.StartedAtMs, e.MessageUID, run.SessionKey, e.Position)
		return err
	})
	return conn.Fail(err, "write that %s begins", e.Name)
}

// EndExec writes how a call ended: its State, Result, Blobs and Changes. When it returns, that is on the disk.
func (db *Store) EndExec(ctx context.Context, e core.ToolExec) error {
	s := packing.Spill(core.Message{Parts: []core.Part{*e.Result}})
	result, err := s.Message.Parts[0].MarshalJSON()
	if err != nil {
		return core.Wrap(core.Invalid, err, "encode the result of %s as JSON", e.Name)
	}
	body := db.Codec.Deflate(result)
	lasting := context.WithoutCancel(ctx)
	err = db.Write(lasting, func(t *store.Txn) error {
		run, err := findRunning(lasting, t.Tx, e.RunID)
		if err != nil {
			return err
		}
		message, err := tables.FindMessage(lasting, t.Tx, e.MessageUID, tables.HeadByUID, e.MessageUID, run.SessionKey)
		if err != nil {
			return err
		}
		const end = `UPDATE tool_execs SET state = ?, result = ?, ended_at_ms = ? WHERE message = ? AND position = ?`
		if _, err := t.Exec(lasting, end, e.State, body, e.EndedAtMs, message.ID, e.Position); err != nil {
			return err
		}
		if err := storeFileVersions(lasting, t, message.ID, slices.Concat(s.Blobs, e.Blobs), s.Refs); err != nil {
			return err
		}
		return changeToolExec(lasting, t.Tx, &run, message.ID, &e)
	})
	return conn.Fail(err, "write the result of %s", e.Name)
}

// storeFileVersions stores contents that a message refers to.
func storeFileVersions(ctx context.Context, t *store.Txn, message int64, blobs []core.Blob, refs []string) error {
	for i := range blobs {
		if err := tables.StoreBlob(ctx, t, &blobs[i]); err != nil {
			return err
		}
		refs = append(refs, blobs[i].Hash)
	}
	return tables.StoreReferences(ctx, t.Tx, message, refs)
}

// changeToolExec writes what a call did to files, and their names on the session.
func changeToolExec(ctx context.Context, t *conn.Tx, run *runRow, message int64, e *core.ToolExec) error {
	if len(e.Changes) == 0 {
		return nil
	}
	session, err := tables.ReadSession(ctx, t, run.SessionKey)
	if err != nil {
		return err
	}
	for _, c := range e.Changes {
		const add = `INSERT INTO file_changes (session, message, call_id, path, before_hash, after_hash, mode, created_at_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`
		if _, err := t.Exec(ctx, add, run.SessionKey, message, e.CallID, c.Path, c.BeforeHash, c.AfterHash, c.Mode, e.EndedAtMs); err != nil {
			return err
		}
		session.FilesModified = append(session.FilesModified, c.Path)
	}
	list, err := json.Marshal(tables.SortedSet(session.FilesModified))
	if err != nil {
		return err
	}
	_, err = t.Exec(ctx, `UPDATE sessions SET files_modified = ? WHERE key = ?`, string(list), run.SessionKey)
	return err
}

// execRow is the work on a call as it is stored.
type execRow struct {
	RunID       string         `db:"run_id"`
	MessageUID  string         `db:"message_uid"`
	Position    int64          `db:"position"`
	CallID      string         `db:"call_id"`
	Name        string         `db:"name"`
	State       core.ExecState `db:"state"`
	Idempotent  bool           `db:"idempotent"`
	Result      []byte         `db:"result"`
	StartedAtMs int64          `db:"started_at_ms"`
	EndedAtMs   int64          `db:"ended_at_ms"`
	Imported    bool           `db:"imported"`
	Extra       string         `db:"extra"`
}

const execColumns = `SELECT r.id AS run_id, m.uid AS message_uid, e.position, e.call_id, e.name, e.state, e.idempotent, e.result, e.started_at_ms, e.ended_at_ms,
	r.imported, e.extra FROM tool_execs e JOIN runs r ON r.key = e.run JOIN messages m ON m.id = e.message `

func (r *execRow) exec(c *packing.Codec) (core.ToolExec, error) {
	e := core.ToolExec{
		RunID: r.RunID, MessageUID: r.MessageUID, Position: r.Position, CallID: r.CallID, Name: r.Name, State: r.State,
		Idempotent: r.Idempotent, StartedAtMs: r.StartedAtMs, EndedAtMs: r.EndedAtMs, Imported: r.Imported,
	}
	if r.Result == nil {
		return e, nil
	}
	data, err := c.Inflate(r.Result)
	if err == nil {
		e.Result = &core.Part{}
		err = json.Unmarshal(data, e.Result)
	}
	return e, core.Wrap(core.Corrupt, err, "the result of call %s is damaged", r.CallID)
}

// Execs returns the work on the calls of an assistant message, in their order. Results that its tool message
// holds are not repeated.
func (db *Store) Execs(ctx context.Context, sessionID, messageUID string) ([]core.ToolExec, error) {
	execs := []core.ToolExec{}
	err := db.Read(ctx, func(t *store.Txn) error {
		var rows []execRow
		const of = execColumns + `JOIN sessions s ON s.key = m.session
			WHERE s.id = ? AND m.uid = ? ORDER BY e.position`
		if err := t.All(ctx, &rows, of, sessionID, messageUID); err != nil {
			return err
		}
		for i := range rows {
			e, err := rows[i].exec(t.Codec)
			if err != nil {
				return err
			}
			execs = append(execs, e)
		}
		return nil
	})
	return execs, conn.Fail(err, "read the tool calls of message %s", messageUID)
}

// FileChanges returns what the tool calls of a message did to files, in the order they did it.
func (db *Store) FileChanges(ctx context.Context, sessionID, messageUID string) ([]core.FileChange, error) {
	changes := []core.FileChange{}
	err := db.Read(ctx, func(t *store.Txn) error {
		const of = `SELECT c.path, c.before_hash, c.after_hash, c.mode FROM file_changes c JOIN messages m ON m.id = c.message
			JOIN sessions s ON s.key = m.session WHERE s.id = ? AND m.uid = ? ORDER BY c.id`
		return t.All(ctx, &changes, of, sessionID, messageUID)
	})
	return changes, conn.Fail(err, "read the files that message %s changed", messageUID)
}
