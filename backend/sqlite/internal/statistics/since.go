package statistics

import (
	"context"
	"database/sql"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/activity"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/store"
)

// ActivitySince adds up what was done since a time, which is rounded down to a quarter of an hour. Unlike Statistics it reads
// only the sessions that have changed since.
func (db *Store) ActivitySince(ctx context.Context, fromMs int64) (core.Group, error) {
	var sum group
	err := db.Read(ctx, func(t *store.Txn) error { return addSince(ctx, t.Tx, fromMs, &sum) })
	return sum.sums(""), conn.Fail(err, "add up what was done lately")
}

func addSince(ctx context.Context, t *conn.Tx, fromMs int64, sum *group) (err error) {
	first := fromMs / activity.QuarterMs
	rows, err := t.Rows(ctx, `SELECT a.family, s.key, a.tally FROM sessions s INDEXED BY sessions_quarter JOIN activity a ON a.session = s.key
		WHERE s.deleted_at_ms = 0 AND s.updated_at_ms / 900000 >= ? ORDER BY a.family`, first)
	if err != nil {
		return err
	}
	defer conn.CloseRows(rows, &err)
	var family, session int64
	var data sql.RawBytes
	for rows.Next() {
		if err := rows.Scan(&family, &session, &data); err != nil {
			return err
		}
		ok := activity.EachCount(data, func(quarter, _, _ int64, c *activity.Counts) {
			if quarter >= first {
				sum.add(family, c)
			}
		}, func(_, _, _, _ int64) {})
		if !ok {
			return conn.Damaged("what was done in session %d is not written as it should be", session)
		}
	}
	return rows.Err()
}
