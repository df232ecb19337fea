package messages

import (
	"context"
	"iter"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/store"
	"coppice/backend/sqlite/internal/tables"
)

// Records yields what the source of a session holds besides messages, by line.
func (db *Store) Records(ctx context.Context, sessionID string) iter.Seq2[core.Record, error] {
	return store.Sequence("read the records of session "+sessionID, func(yield func(core.Record) bool) error {
		return db.Read(ctx, tables.OfSession(ctx, sessionID, func(t *store.Txn, key int64) error {
			return yieldRecords(ctx, t, key, yield)
		}))
	})
}

// RecordCounts returns how many records of each type a session has, the unknown types first.
func (db *Store) RecordCounts(ctx context.Context, sessionID string) ([]core.RecordCount, error) {
	counts := []core.RecordCount{}
	err := db.Read(ctx, tables.OfSession(ctx, sessionID, func(t *store.Txn, key int64) error {
		return t.All(ctx, &counts, `SELECT type, known, count(*) AS count FROM records WHERE session = ? GROUP BY type, known ORDER BY known, type`, key)
	}))
	return counts, conn.Fail(err, "count the records of session %s", sessionID)
}

func yieldRecords(ctx context.Context, t *store.Txn, key int64, yield func(core.Record) bool) (err error) {
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
		if r.Body, err = t.Codec.Inflate(body); err != nil {
			return core.Wrap(core.Corrupt, err, "the record of line %d is damaged", r.Line)
		}
		if !yield(r) {
			return nil
		}
	}
	return nil
}
