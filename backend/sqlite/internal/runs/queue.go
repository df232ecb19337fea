package runs

import (
	"context"
	"encoding/json"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/store"
)

// queuedBody is the body of a queued message as it is stored.
type queuedBody struct {
	Parts []core.Part `json:"parts"`
	Cites []string    `json:"cites,omitempty"`
}

// Enqueue stores a message of the user to an active run until AppendInput writes it under its UID. When it returns, the message is
// on disk. The error is Conflict if the run has ended.
func (db *Store) Enqueue(ctx context.Context, q core.QueuedMessage) error {
	body, err := json.Marshal(queuedBody{q.Parts, q.Cites})
	if err != nil {
		return core.Wrap(core.Invalid, err, "encode a queued message")
	}
	err = db.Write(ctx, func(t *store.Txn) error {
		run, err := findRunning(ctx, t.Tx, q.RunID)
		if err != nil {
			return err
		}
		const insert = `INSERT INTO queued_messages (uid, run, body, created_at_ms) VALUES (?, ?, ?, ?)`
		_, err = t.Exec(ctx, insert, q.UID, run.Key, t.Codec.Deflate(body), q.CreatedAtMs)
		return err
	})
	return conn.Fail(err, "queue a message for run %s", q.RunID)
}

const leftInQueue = `FROM queued_messages q JOIN runs r ON r.key = q.run JOIN sessions s ON s.key = r.session
	WHERE r.status <> 'running' AND (?1 = '' OR s.id = ?1)`

// Queued returns the queued messages that runs of a session did not take before they ended, oldest first; those of all sessions if
// sessionID is empty.
func (db *Store) Queued(ctx context.Context, sessionID string) ([]core.QueuedMessage, error) {
	var left []core.QueuedMessage
	err := db.Read(ctx, func(t *store.Txn) (err error) {
		left, err = readQueued(ctx, t, leftInQueue, sessionID)
		return err
	})
	return left, conn.Fail(err, "read the queued messages")
}

// QueuedAtRest returns what Queued returns, without the messages of sessions that are running: a process that continues such a session may
// be about to add them.
func (db *Store) QueuedAtRest(ctx context.Context, sessionID string) ([]core.QueuedMessage, error) {
	const atRest = leftInQueue + ` AND NOT EXISTS (SELECT 1 FROM runs o WHERE o.session = r.session AND o.status = 'running' AND o.lane = 0)`
	var left []core.QueuedMessage
	err := db.Read(ctx, func(t *store.Txn) (err error) {
		left, err = readQueued(ctx, t, atRest, sessionID)
		return err
	})
	return left, conn.Fail(err, "read the queued messages")
}

// readQueued returns the messages that the clauses select.
func readQueued(ctx context.Context, t *store.Txn, clauses, sessionID string) ([]core.QueuedMessage, error) {
	var rows []struct {
		core.QueuedMessage
		Body []byte
	}
	read := `SELECT q.uid, s.id AS sessionid, r.id AS runid, q.body, q.created_at_ms AS createdatms ` + clauses + ` ORDER BY q.key`
	if err := t.All(ctx, &rows, read, sessionID); err != nil {
		return nil, err
	}
	left := make([]core.QueuedMessage, 0, len(rows))
	for _, row := range rows {
		var err error
		if row.Parts, row.Cites, err = decodeQueued(t, row.Body); err != nil {
			return nil, err
		}
		left = append(left, row.QueuedMessage)
	}
	return left, nil
}

func decodeQueued(t *store.Txn, packed []byte) ([]core.Part, []string, error) {
	var body queuedBody
	data, err := t.Codec.Inflate(packed)
	if err == nil {
		err = json.Unmarshal(data, &body)
	}
	return body.Parts, body.Cites, core.Wrap(core.Corrupt, err, "a queued message is damaged")
}

// DropQueued removes a queued message that is not to be sent.
func (db *Store) DropQueued(ctx context.Context, uid string) error {
	err := db.Write(ctx, func(t *store.Txn) error {
		_, err := t.Exec(ctx, `DELETE FROM queued_messages WHERE uid = ?`, uid)
		return err
	})
	return conn.Fail(err, "remove a queued message")
}
