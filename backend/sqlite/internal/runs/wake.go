package runs

import (
	"context"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/store"
	"coppice/backend/sqlite/internal/tables"
)

// Hibernate marks a session that does not run as hibernated, until one of the conditions holds; without a condition, until the user
// continues it. Earlier conditions are replaced. Busy if the session runs.
func (db *Store) Hibernate(ctx context.Context, sessionID string, wakes []core.Wake) error {
	err := db.Write(ctx, func(t *store.Txn) error {
		row, err := tables.FindSession(ctx, t.Tx, sessionID)
		if err != nil {
			return err
		}
		if row.Status == core.StatusRunning {
			return core.E(core.Busy, "session %s is running", sessionID).WithHint("wait until it ends, or stop it")
		}
		const mark = `UPDATE sessions SET status = ?1, stop_reason = ?2, rest_status = ?1, rest_stop_reason = ?2 WHERE key = ?3`
		if _, err := t.Exec(ctx, mark, core.StatusHibernated, core.StopHibernated, row.Key); err != nil {
			return err
		}
		if _, err := t.Exec(ctx, `DELETE FROM wakes WHERE session = ?`, row.Key); err != nil {
			return err
		}
		if len(wakes) == 0 {
			wakes = []core.Wake{{Kind: core.WakeManual, Active: true}}
		}
		return tables.AddWakes(ctx, t.Tx, row.Key, wakes, db.Now())
	})
	return conn.Fail(err, "hibernate session %s", sessionID)
}

// Wakes returns the conditions of hibernated sessions, oldest first: of one session, or of all outside the trash if sessionID is
// empty.
func (db *Store) Wakes(ctx context.Context, sessionID string) ([]core.Wake, error) {
	wakes := []core.Wake{}
	err := db.Read(ctx, func(t *store.Txn) error {
		const all = `SELECT w.id, s.id AS session_id, w.kind, w.at_ms, w.path, w.fingerprint, w.awaited, w.detail, w.active, w.created_at_ms
			FROM wakes w JOIN sessions s ON s.key = w.session
			WHERE s.status = 'hibernated' AND (s.id = ?1 OR ?1 = '' AND s.deleted_at_ms = 0) ORDER BY w.created_at_ms, w.id`
		return t.All(ctx, &wakes, all, sessionID)
	})
	return wakes, conn.Fail(err, "read the wake conditions")
}

// ConfirmWakes makes the imported conditions of a session active, and returns how many there were. fingerprint returns the fingerprint
// of a path on this machine.
func (db *Store) ConfirmWakes(ctx context.Context, sessionID string, fingerprint func(path string) string) (int64, error) {
	var n int64
	err := db.Write(ctx, func(t *store.Txn) error {
		key, err := tables.SessionKey(ctx, t.Tx, sessionID)
		if err != nil {
			return err
		}
		var inactive []core.Wake
		if err := t.All(ctx, &inactive, `SELECT id, path FROM wakes WHERE session = ? AND active = 0`, key); err != nil {
			return err
		}
		for _, w := range inactive {
			if w.Path != "" {
				w.Fingerprint = fingerprint(w.Path)
			}
			if _, err := t.Exec(ctx, `UPDATE wakes SET active = 1, fingerprint = ? WHERE id = ?`, w.Fingerprint, w.ID); err != nil {
				return err
			}
		}
		n = int64(len(inactive))
		return nil
	})
	return n, conn.Fail(err, "confirm the wake conditions of session %s", sessionID)
}

// checkWake returns a Conflict if the condition that woke a session is gone, or if the session is no longer hibernated: another process
// was faster. An empty id is a run that nothing has woken.
func checkWake(ctx context.Context, t *conn.Tx, key int64, wakeID, sessionID string) error {
	if wakeID == "" {
		return nil
	}
	var found bool
	const waits = `SELECT status = 'hibernated' AND (?1 = ?2 OR EXISTS (SELECT 1 FROM wakes WHERE id = ?1 AND session = ?3)) FROM sessions WHERE key = ?3`
	if err := t.Get(ctx, &found, waits, wakeID, core.AnyWake, key); err != nil {
		return err
	}
	if !found {
		return core.E(core.Conflict, "session %s was woken already", sessionID)
	}
	return nil
}

// takeWakes removes the conditions of a session whose run has written why it continues, or has ended. Until then they stay: a session whose
// process ends before that is hibernated as before.
func takeWakes(ctx context.Context, t *conn.Tx, key, lane int64) error {
	if lane > 0 {
		return nil
	}
	_, err := t.Exec(ctx, `DELETE FROM wakes WHERE session = ?`, key)
	return err
}

// rest adds the condition of a session that a run has hibernated: only the user wakes it.
func rest(ctx context.Context, t *conn.Tx, key int64, status core.Status, nowMs int64) error {
	if status != core.StatusHibernated {
		return nil
	}
	return tables.AddWakes(ctx, t, key, []core.Wake{{Kind: core.WakeManual, Active: true}}, nowMs)
}
