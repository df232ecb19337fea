package sessions

import (
	"context"
	"encoding/json"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/activity"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/store"
	"coppice/backend/sqlite/internal/tables"
)

// Pin keeps sessions at the top of the list, or lets them go.
func (db *Store) Pin(ctx context.Context, ids []string, on bool) error {
	return conn.Fail(db.stamp(ctx, ids, `UPDATE sessions SET pinned_at_ms = ? WHERE id = ?`, on), "pin sessions")
}

// Archive takes sessions out of the list, or puts them back.
func (db *Store) Archive(ctx context.Context, ids []string, on bool) error {
	return conn.Fail(db.stamp(ctx, ids, `UPDATE sessions SET archived_at_ms = ? WHERE id = ?`, on), "archive sessions")
}

// Trash moves sessions to the trash, with the sessions of the subagents they started.
func (db *Store) Trash(ctx context.Context, ids []string) error {
	return conn.Fail(db.stamp(ctx, ids, trashOne, true), "move sessions to the trash")
}

// Restore takes sessions out of the trash, with the sessions of the subagents they started.
func (db *Store) Restore(ctx context.Context, ids []string) error {
	return conn.Fail(db.stamp(ctx, ids, restoreOne, false), "take sessions out of the trash")
}

// withChildren is a session by its id and all below it that were run by its tool calls. UNION drops what
// was seen already, so a circle of parents ends.
const withChildren = `WITH RECURSIVE family (id) AS (
		SELECT id FROM sessions WHERE id = ?2
		UNION
		SELECT s.id FROM family f JOIN sessions s ON s.parent_id = f.id AND s.parent_id <> '' AND s.relation = 'subagent')
	UPDATE sessions SET deleted_at_ms = `

// What is in the trash already keeps its time.
const (
	trashOne   = withChildren + `?1 WHERE id IN (SELECT id FROM family) AND deleted_at_ms = 0`
	restoreOne = withChildren + `?1 WHERE id IN (SELECT id FROM family)`
)

// stamp sets a time on sessions, 0 to take it away. An id that is not there undoes all.
func (db *Store) stamp(ctx context.Context, ids []string, query string, on bool) error {
	at := int64(0)
	if on {
		at = db.Now()
	}
	return db.Write(ctx, func(t *store.Txn) error {
		for _, id := range ids {
			if _, err := tables.SessionKey(ctx, t.Tx, id); err != nil {
				return err
			}
			if _, err := t.Exec(ctx, query, at, id); err != nil {
				return err
			}
		}
		return nil
	})
}

// Cleanup moves old sessions to the trash, with the sessions of their subagents, and returns them, oldest first. Pinned and running
// ones stay, and those that continue by themselves.
func (db *Store) Cleanup(ctx context.Context, c core.Cleanup) ([]core.Session, error) {
	var old []core.Session
	if c.DryRun {
		err := db.Read(ctx, func(t *store.Txn) (err error) {
			old, err = oldSessions(ctx, t.Tx, c)
			return err
		})
		return old, conn.Fail(err, "find old sessions")
	}
	err := db.Write(ctx, func(t *store.Txn) (err error) {
		if old, err = oldSessions(ctx, t.Tx, c); err != nil {
			return err
		}
		at := db.Now()
		for i := range old {
			if _, err := t.Exec(ctx, trashOne, at, old[i].ID); err != nil {
				return err
			}
		}
		return nil
	})
	return old, conn.Fail(err, "clean up")
}

// oldSessions returns the sessions that a cleanup moves.
func oldSessions(ctx context.Context, t *conn.Tx, c core.Cleanup) ([]core.Session, error) {
	where := &tables.Condition{}
	where.Add(`s.updated_at_ms < ?`, c.BeforeMs)
	where.Add(`s.deleted_at_ms = 0`)
	where.Add(`s.pinned_at_ms = 0`)
	where.Add(`s.relation <> 'subagent'`)
	where.Add(`s.status <> 'running'`)
	where.Add(`NOT EXISTS (SELECT 1 FROM wakes w WHERE w.session = s.key AND w.active = 1 AND w.kind <> 'manual')`)
	tables.AddOneOf(where, `s.source`, c.Sources)
	query := `SELECT ` + tables.SessionColumns + ` FROM sessions s WHERE ` + where.String() + ` ORDER BY s.updated_at_ms, s.key`
	rows, err := t.Direct().QueryxContext(ctx, query, where.Args...)
	if err != nil {
		return nil, err
	}
	return scanSessions(rows)
}

// Purge removes sessions from the trash for good, all of it where no ids are given, and gives their room back
// to the disk. It returns how many. Imports leave them out from then on, see core.Header.Again. A session that is not in the trash is a Conflict.
func (db *Store) Purge(ctx context.Context, ids []string) (int64, error) {
	var n int64
	err := db.Write(ctx, func(t *store.Txn) error {
		keys, err := sessionsToPurge(ctx, t.Tx, ids)
		if err != nil {
			return err
		}
		n = int64(len(keys))
		for _, key := range keys {
			if err := removeSession(ctx, t.Tx, key, db.Now()); err != nil {
				return err
			}
		}
		if _, err := t.Exec(ctx, `DELETE FROM activity_places WHERE id NOT IN (SELECT place FROM activity)`); err != nil {
			return err
		}
		return tables.RemoveUnused(ctx, t.Tx)
	})
	if err != nil {
		return 0, conn.Fail(err, "empty the trash")
	}
	return n, conn.Fail(db.GiveBack(ctx), "give room back to the disk")
}

func sessionsToPurge(ctx context.Context, t *conn.Tx, ids []string) ([]int64, error) {
	keys := []int64{}
	if len(ids) == 0 {
		return keys, t.All(ctx, &keys, `SELECT key FROM sessions WHERE deleted_at_ms > 0`)
	}
	list, err := json.Marshal(ids)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		row, err := tables.FindSession(ctx, t, id)
		if err != nil {
			return nil, err
		}
		if row.DeletedAtMs == 0 {
			return nil, core.E(core.Conflict, "session %s is not in the trash", id).WithHint("move it there first")
		}
	}
	const family = `WITH RECURSIVE family (key, id) AS (
			SELECT key, id FROM sessions WHERE id IN (SELECT value FROM json_each(?))
			UNION
			SELECT s.key, s.id FROM family f JOIN sessions s ON s.parent_id = f.id AND s.parent_id <> '' AND s.relation = 'subagent')
		SELECT f.key FROM family f JOIN sessions s ON s.key = f.key WHERE s.deleted_at_ms > 0`
	return keys, t.All(ctx, &keys, family, string(list))
}

// removeSession deletes a session and all that refers to it, and leaves a tombstone. Files it came from count as never imported.
func removeSession(ctx context.Context, t *conn.Tx, key, nowMs int64) error {
	if err := tables.AddTombstones(ctx, t, key, nowMs); err != nil {
		return err
	}
	const forget = `DELETE FROM sources WHERE session = ?1 OR path IN (SELECT source_path FROM origins WHERE session = ?1)
		OR path = (SELECT source_path FROM sessions WHERE key = ?1)`
	if _, err := t.Exec(ctx, forget, key); err != nil {
		return err
	}
	if _, err := t.Exec(ctx, `DELETE FROM sessions WHERE key = ?`, key); err != nil {
		return err
	}
	return activity.ReassignFamily(ctx, t, key)
}
