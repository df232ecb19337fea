package runs

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/store"
	"coppice/backend/sqlite/internal/tables"
)

// BeginRequest records that a run is about to send a request: its RunID, ParentUID, State, RequestHash and SentAtMs. When it
// returns, that is on disk. The answer that the run appends below the parent becomes the request's MessageUID.
func (db *Store) BeginRequest(ctx context.Context, q core.SentRequest) error {
	hash, err := digestOf(q.RequestHash)
	if err != nil {
		return err
	}
	lasting := context.WithoutCancel(ctx)
	err = db.Write(lasting, func(t *store.Txn) error {
		run, err := findRunning(lasting, t.Tx, q.RunID)
		if err != nil {
			return err
		}
		parent, err := tables.FindMessage(lasting, t.Tx, q.ParentUID, tables.HeadByUID, q.ParentUID, run.SessionKey)
		if err != nil {
			return err
		}
		state, err := storeState(lasting, t, &q.State)
		if err != nil {
			return err
		}
		const insert = `INSERT INTO requests (run, parent, state, hash, sent_at_ms) VALUES (?, ?, ?, ?, ?)`
		_, err = t.Exec(lasting, insert, run.Key, parent.ID, state, hash, q.SentAtMs)
		return err
	})
	return conn.Fail(err, "record a request of run %s", q.RunID)
}

// answerRequest links the newest request of a run with the answer to it.
func answerRequest(ctx context.Context, t *conn.Tx, run int64, m *core.Message, session int64) error {
	const link = `UPDATE requests SET message = a.id FROM (SELECT id, parent FROM messages WHERE uid = ?1 AND session = ?2) a
		WHERE requests.key = (SELECT max(key) FROM requests WHERE run = ?3) AND requests.parent = a.parent`
	_, err := t.Exec(ctx, link, m.UID, session, run)
	return err
}

const sentRequest = `SELECT r.id AS run_id, p.uid AS parent_uid, coalesce(a.uid, '') AS message_uid, q.state, q.hash, q.sent_at_ms, q.redacted
	FROM requests q JOIN runs r ON r.key = q.run JOIN messages p ON p.id = q.parent LEFT JOIN messages a ON a.id = q.message `

// Requests returns the requests that the runs of a session sent, oldest first.
func (db *Store) Requests(ctx context.Context, sessionID string) ([]core.SentRequest, error) {
	requests := []core.SentRequest{}
	err := db.Read(ctx, tables.OfSession(ctx, sessionID, func(t *store.Txn, key int64) error {
		var err error
		requests, err = readRequests(ctx, t, sentRequest+`WHERE r.session = ? ORDER BY q.key`, key)
		return err
	}))
	return requests, conn.Fail(err, "read the requests of session %s", sessionID)
}

// RequestOf returns the request that a message answers; ok is false if none is recorded, as for an imported message.
func (db *Store) RequestOf(ctx context.Context, sessionID, messageUID string) (q core.SentRequest, ok bool, err error) {
	err = db.Read(ctx, func(t *store.Txn) error {
		_, m, err := tables.MessageOfSession(ctx, t.Tx, sessionID, messageUID)
		if err != nil {
			return err
		}
		found, err := readRequests(ctx, t, sentRequest+`WHERE q.message = ? ORDER BY q.key DESC LIMIT 1`, m.ID)
		if ok = len(found) > 0; ok {
			q = found[0]
		}
		return err
	})
	return q, ok, conn.Fail(err, "read the request that message %s answers", messageUID)
}

func readRequests(ctx context.Context, t *store.Txn, query string, args ...any) ([]core.SentRequest, error) {
	var rows []struct {
		RunID      string `db:"run_id"`
		ParentUID  string `db:"parent_uid"`
		MessageUID string `db:"message_uid"`
		State      int64
		Hash       []byte
		SentAtMs   int64 `db:"sent_at_ms"`
		Redacted   bool
	}
	if err := t.All(ctx, &rows, query, args...); err != nil {
		return nil, err
	}
	type readOnce struct {
		state   core.RunState
		address string
	}
	states := map[int64]readOnce{}
	requests := make([]core.SentRequest, 0, len(rows))
	for _, row := range rows {
		s, known := states[row.State]
		if !known {
			var err error
			if s.state, s.address, err = readState(ctx, t, row.State); err != nil {
				return nil, err
			}
			states[row.State] = s
		}
		requests = append(requests, core.SentRequest{
			RunID: row.RunID, ParentUID: row.ParentUID, MessageUID: row.MessageUID, State: s.state, StateHash: s.address, RequestHash: addressOf(row.Hash), SentAtMs: row.SentAtMs, Redacted: row.Redacted,
		})
	}
	return requests, nil
}

// stateKeyAt returns the key of the state that a session continues with after a message, or 0. See StateAt.
func stateKeyAt(ctx context.Context, t *store.Txn, sessionID, uid string) (int64, error) {
	session, leaf, ok, err := tables.FindLeaf(ctx, t.Tx, sessionID, uid)
	if err != nil {
		return 0, err
	}
	var nearest struct{ Run, State int64 }
	if ok {
		path, err := tables.ReadPath(ctx, t.Tx, session, leaf.Position(), 0)
		if err != nil {
			return 0, err
		}
		segments, err := json.Marshal(path)
		if err != nil {
			return 0, err
		}
		const query = `WITH path AS (SELECT value->>'branch' AS branch, value->>'from' AS first, value->>'to' AS last FROM json_each(?1)), known AS (
			SELECT p.depth AS depth, EXISTS (SELECT 1 FROM path WHERE branch = a.branch AND a.depth BETWEEN first AND last) AS answered, q.run AS run, 0 AS restored,
				q.key AS key, p.branch AS branch, p.depth AS at, q.state AS state
			FROM runs r JOIN requests q ON q.run = r.key JOIN messages p ON p.id = q.parent LEFT JOIN messages a ON a.id = q.message
			WHERE r.session = ?2 AND r.lane = 0
			UNION ALL SELECT m.depth - 1, 1, 0, 0, 0, m.branch, m.depth, c.state FROM copied_states c JOIN messages m ON m.id = c.message WHERE c.session = ?2
			UNION ALL SELECT m.depth, 0, s.run, 1, s.key, m.branch, m.depth, s.state FROM restores s JOIN messages m ON m.id = s.message
			WHERE s.session = ?2 AND s.state IS NOT NULL)
			SELECT run, state FROM known k WHERE EXISTS (SELECT 1 FROM path WHERE branch = k.branch AND k.at BETWEEN first AND last)
			ORDER BY depth DESC, answered DESC, run DESC, restored DESC, key DESC LIMIT 1`
		if err := t.Get(ctx, &nearest, query, string(segments), session); err != nil && !errors.Is(err, sql.ErrNoRows) {
			return 0, err
		}
	}
	if uid != "" {
		return nearest.State, nil
	}
	// A newer run that ended before its first request was begun by the user with settings of its own, unless a restore followed it.
	const unused = `SELECT r.state FROM runs r WHERE r.session = ?1 AND r.lane = 0 AND r.key > ?2 AND r.state IS NOT NULL
		AND r.key > coalesce((SELECT max(run) FROM restores WHERE session = ?1), 0) AND NOT EXISTS (SELECT 1 FROM requests WHERE run = r.key) ORDER BY r.key DESC LIMIT 1`
	begun := nearest.State
	if err := t.Get(ctx, &begun, unused, session, nearest.Run); err != nil && !errors.Is(err, sql.ErrNoRows) {
		return 0, err
	}
	return begun, nil
}
