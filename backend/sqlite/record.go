package sqlite

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"iter"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
)

// takeRecord stores what the source holds besides messages. A record that is there already, as the same line says the same, is not
// stored again.
func (m *merge) takeRecord(ctx context.Context, i *item) error {
	if i.err != nil {
		return i.err
	}
	r := i.record
	const insert = `INSERT INTO records (session, line, content_hash, after_uid, type, known, body) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`
	_, err := m.Exec(ctx, insert, m.key, r.Line, r.hash, r.AfterUID, r.Type, r.Known, r.body)
	return err
}

// recordHash is of what makes a record the same. Whether this version knows it may change, and so may the
// message before it, unless there are no lines to tell two records apart.
func recordHash(r *core.Record) int64 {
	h := sha256.New()
	fmt.Fprintf(h, "%q\n", r.Type)
	if r.Line == 0 {
		fmt.Fprintf(h, "%q\n", r.AfterUID)
	}
	h.Write(r.Body)
	return int64(binary.BigEndian.Uint64(h.Sum(nil))) //nolint:gosec // bits, not a number
}

// Records yields what the source of a session holds besides messages, by line.
func (db *messageStore) Records(ctx context.Context, sessionID string) iter.Seq2[core.Record, error] {
	return sequence("read the records of session "+sessionID, func(yield func(core.Record) bool) error {
		return db.read(ctx, func(t *tx) error {
			key, err := sessionKey(ctx, t.Tx, sessionID)
			if err != nil {
				return err
			}
			return yieldRecords(ctx, t, key, yield)
		})
	})
}

// RecordCounts returns how many records of each type a session has, the unknown types first.
func (db *messageStore) RecordCounts(ctx context.Context, sessionID string) ([]core.RecordCount, error) {
	counts := []core.RecordCount{}
	err := db.read(ctx, func(t *tx) error {
		key, err := sessionKey(ctx, t.Tx, sessionID)
		if err != nil {
			return err
		}
		return t.All(ctx, &counts, `SELECT type, known, count(*) AS count FROM records WHERE session = ? GROUP BY type, known ORDER BY known, type`, key)
	})
	return counts, conn.Fail(err, "count the records of session %s", sessionID)
}

func yieldRecords(ctx context.Context, t *tx, key int64, yield func(core.Record) bool) (err error) {
	rows, err := t.Rows(ctx, `SELECT after_uid, line, type, known, body FROM records WHERE session = ? ORDER BY line, id`, key)
	if err != nil {
		return err
	}
	defer conn.CloseRows(rows, &err)
	for rows.Next() {
		var r core.Record
		var body []byte
		if err := rows.Scan(&r.AfterUID, &r.Line, &r.Type, &r.Known, &body); err != nil {
			return err
		}
		if r.Body, err = t.codec.inflate(body); err != nil {
			return core.Wrap(core.Corrupt, err, "the record of line %d is damaged", r.Line)
		}
		if !yield(r) {
			return nil
		}
	}
	return nil
}
