package tables

import (
	"context"
	"math"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/activity"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/store"
)

// TallySession counts every message of a session.
func TallySession(ctx context.Context, t *store.Txn, session int64) (sum activity.Tally[string], err error) {
	sum = activity.NewTally[string]()
	rows, err := t.Rows(ctx, MessageBySeq, session)
	if err != nil {
		return sum, err
	}
	defer conn.CloseRows(rows, &err)
	for rows.Next() {
		var row MessageRow
		if err := rows.StructScan(&row); err != nil {
			return sum, err
		}
		if err := tallyRow(ctx, t, &row, func(m *core.Message) { activity.TallyMessage(sum, m, 1) }); err != nil {
			return sum, err
		}
	}
	return sum, nil
}

// tallyRow passes on a message that is stored; one whose body is damaged with its columns alone.
func tallyRow(ctx context.Context, t *store.Txn, row *MessageRow, tally func(*core.Message)) error {
	m, err := DecodeMessage(ctx, t, row)
	if core.CodeOf(err) == core.Corrupt {
		m.Parts, err = nil, nil
	}
	if err == nil {
		tally(&m)
	}
	return err
}

// subtractMessage notes that a message is about to be replaced, and takes it out of its pack.
func subtractMessage(ctx context.Context, t *store.Txn, session, id int64) error {
	var row MessageRow
	if err := t.Get(ctx, &row, MessageByID, id); err != nil {
		return err
	}
	if err := tallyRow(ctx, t, &row, func(m *core.Message) { t.Ledger.Note(session, m, -1) }); err != nil {
		return err
	}
	return DissolvePack(ctx, t, session, row.Body)
}

// SubtractBranchEnd notes that the end of a branch is about to be removed.
func SubtractBranchEnd(ctx context.Context, t *store.Txn, session, branch, depth int64) (err error) {
	rows, err := t.Rows(ctx, MessageRange, session, branch, depth, int64(math.MaxInt64))
	if err != nil {
		return err
	}
	defer conn.CloseRows(rows, &err)
	t.Ledger.Of(session).Touched = true
	for rows.Next() {
		var row MessageRow
		if err := rows.StructScan(&row); err != nil {
			return err
		}
		if err := tallyRow(ctx, t, &row, func(m *core.Message) { t.Ledger.Note(session, m, -1) }); err != nil {
			return err
		}
	}
	return nil
}
