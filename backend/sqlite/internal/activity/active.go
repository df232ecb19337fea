package activity

import (
	"context"
	"database/sql"

	"coppice/backend/sqlite/internal/conn"
)

// ActiveSessions returns the keys of the sessions that something was done in from one time to before another, where 0 is no limit, and of those that
// such sessions are a part of. It reads a row per session.
func ActiveSessions(ctx context.Context, t *conn.Tx, fromMs, beforeMs int64) (keys []int64, err error) {
	first, end := fromMs/QuarterMs, beforeMs/QuarterMs
	keys = []int64{}
	rows, err := t.Rows(ctx, `SELECT family, session, tally FROM activity`)
	if err != nil {
		return nil, err
	}
	defer conn.CloseRows(rows, &err)
	var family, session int64
	var data sql.RawBytes
	for rows.Next() {
		if err := rows.Scan(&family, &session, &data); err != nil {
			return nil, err
		}
		active := false
		ok := EachCount(data,
			func(quarter, _, _ int64, _ *Counts) {
				active = active || quarter != 0 && quarter >= first && (end == 0 || quarter < end)
			},
			func(_, _, _, _ int64) {})
		if !ok {
			return nil, conn.Damaged("what was done in session %d is not written as it should be", session)
		}
		if active {
			keys = append(keys, session, family)
		}
	}
	return keys, rows.Err()
}
