// Package secrets stores where secrets occur, by a keyed hash of each.
package secrets

import (
	"context"
	"encoding/hex"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/store"
)

// Store is the service of secrets.
type Store struct{ *store.Library }

// UnscannedSessions returns the sessions that rules of this version have not scanned in their present state, the newest first. Those
// in the trash count.
func (db *Store) UnscannedSessions(ctx context.Context, version int64) ([]core.SecretScan, error) {
	const unscanned = `SELECT s.key, s.id, s.message_count, s.reshape_count FROM sessions s LEFT JOIN secret_scans c ON c.session = s.key
		WHERE s.message_count > 0 AND (c.session IS NULL OR c.version <> ? OR c.messages <> s.message_count OR c.reshapes <> s.reshape_count)
		ORDER BY s.updated_at_ms DESC`
	scans := []core.SecretScan{}
	err := db.Read(ctx, func(t *store.Txn) error { return t.All(ctx, &scans, unscanned, version) })
	return scans, conn.Fail(err, "list the sessions to scan for secrets")
}

// StoreSecrets replaces what is known of the secrets of a session.
func (db *Store) StoreSecrets(ctx context.Context, scan core.SecretScan, version int64, hits []core.SecretHit) error {
	err := db.WriteBulk(ctx, func(t *store.Txn) error {
		if _, err := t.Exec(ctx, `DELETE FROM secret_hits WHERE session = ?`, scan.Key); err != nil {
			return err
		}
		const add = `INSERT INTO secret_hits (hash, session, message, count) SELECT ?, m.session, m.id, ? FROM messages m WHERE m.session = ? AND m.uid = ?`
		for _, hit := range hits {
			if _, err := t.Exec(ctx, add, hit.Hash, hit.Count, scan.Key, hit.UID); err != nil {
				return err
			}
		}
		// The session can be gone by now.
		const note = `INSERT INTO secret_scans (session, version, messages, reshapes) SELECT key, ?, ?, ? FROM sessions WHERE key = ?
			ON CONFLICT (session) DO UPDATE SET version = excluded.version, messages = excluded.messages, reshapes = excluded.reshapes`
		_, err := t.Exec(ctx, note, version, scan.Messages, scan.Reshapes, scan.Key)
		return err
	})
	return conn.Fail(err, "store where secrets occur")
}

// Secrets returns the distinct secrets, those of most sessions first, at most limit, and the number of all. Sessions in the trash are
// left out.
func (db *Store) Secrets(ctx context.Context, limit int64) (secrets []core.Secret, total int64, err error) {
	secrets = []core.Secret{}
	var heads []struct {
		Hash     []byte `db:"hash"`
		Count    int64  `db:"count"`
		Sessions int64  `db:"sessions"`
	}
	err = db.Read(ctx, func(t *store.Txn) error {
		const from = ` FROM secret_hits h JOIN sessions s ON s.key = h.session WHERE s.deleted_at_ms = 0`
		if err := t.Get(ctx, &total, `SELECT count(DISTINCT h.hash)`+from); err != nil {
			return err
		}
		const distinct = `SELECT h.hash, sum(h.count) AS count, count(DISTINCT h.session) AS sessions` + from + ` GROUP BY h.hash ORDER BY sessions DESC, count DESC, h.hash LIMIT ?`
		if err := t.All(ctx, &heads, distinct, limit); err != nil {
			return err
		}
		for _, head := range heads {
			secret := core.Secret{ID: hex.EncodeToString(head.Hash[:min(len(head.Hash), 4)]), Count: head.Count, Sessions: head.Sessions, Places: []core.SecretPlace{}}
			const places = `SELECT h.hash, s.id AS session_id, s.title, m.uid, m.seq, m.turn, h.count FROM secret_hits h
				JOIN sessions s ON s.key = h.session JOIN messages m ON m.id = h.message
				WHERE h.hash = ? AND s.deleted_at_ms = 0 ORDER BY s.updated_at_ms DESC, s.key, m.seq LIMIT 1000`
			if err := t.All(ctx, &secret.Places, places, head.Hash); err != nil {
				return err
			}
			secrets = append(secrets, secret)
		}
		return nil
	})
	return secrets, total, conn.Fail(err, "list the secrets")
}

// SessionsWithSecrets returns the ids of the sessions in which secrets were found.
func (db *Store) SessionsWithSecrets(ctx context.Context) ([]string, error) {
	ids := []string{}
	err := db.Read(ctx, func(t *store.Txn) error {
		return t.All(ctx, &ids, `SELECT id FROM sessions WHERE key IN (SELECT session FROM secret_hits) ORDER BY key`)
	})
	return ids, conn.Fail(err, "list the sessions with secrets")
}
