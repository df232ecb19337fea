package tables

import (
	"context"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/excerpt"
	"coppice/backend/sqlite/internal/store"
)

// LastAnswer returns the beginning of the newest answer of a session that has words. A message whose body is damaged has none.
func LastAnswer(ctx context.Context, t *store.Txn, session int64) (answer string, err error) {
	const newest = `SELECT uid, kind, role, body FROM messages WHERE session = ? AND role = 'assistant' AND kind = 'message' ORDER BY seq DESC`
	rows, err := t.Rows(ctx, newest, session)
	if err != nil {
		return "", err
	}
	defer conn.CloseRows(rows, &err)
	for answer == "" && rows.Next() {
		var row MessageRow
		if err := rows.StructScan(&row); err != nil {
			return "", err
		}
		m, err := DecodeMessage(ctx, t, &row)
		if core.CodeOf(err) == core.Corrupt {
			continue
		} else if err != nil {
			return "", err
		}
		answer = excerpt.Answer(&m)
	}
	return answer, nil
}
