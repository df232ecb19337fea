package messages

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/store"
	"coppice/backend/sqlite/internal/tables"
)

// prefixLength is how much of a uid must be typed.
const prefixLength = 6

// Node finds a message by what the user types: its uid, m17, n3 (the last message of turn 3), a
// label (the last message of its turn), or the beginning of a uid that fits no other (6 characters). Its
// parts are not read. NotFound; Invalid where several fit.
func (db *Store) Node(ctx context.Context, sessionID, node string) (core.Message, error) {
	var m core.Message
	err := db.Read(ctx, tables.OfSession(ctx, sessionID, func(t *store.Txn, key int64) error {
		row, err := findNode(ctx, t.Tx, key, node)
		if err != nil {
			return err
		}
		m, err = tables.CompleteMessage(ctx, t, key, &row)
		return err
	}))
	return m, conn.Fail(err, "find %q in session %s", node, sessionID)
}

func findNode(ctx context.Context, t *conn.Tx, key int64, node string) (tables.MessageRow, error) {
	for _, by := range []func(context.Context, *conn.Tx, int64, string) (tables.MessageRow, error){nodeByUID, nodeByNumber, nodeByLabel, nodeByPrefix} {
		row, err := by(ctx, t, key, node)
		if !errors.Is(err, sql.ErrNoRows) {
			return row, err
		}
	}
	return tables.MessageRow{}, core.E(core.NotFound, "no message %q in this session", node).
		WithHint("Name a message by m17, by its turn n3, by a label or by its uid").WithRemedy(core.ListNodes)
}

func nodeByUID(ctx context.Context, t *conn.Tx, key int64, node string) (tables.MessageRow, error) {
	var row tables.MessageRow
	return row, t.Get(ctx, &row, tables.HeadByUID, node, key)
}

func nodeByNumber(ctx context.Context, t *conn.Tx, key int64, node string) (tables.MessageRow, error) {
	var row tables.MessageRow
	if len(node) < 2 || node[1] < '0' || node[1] > '9' {
		return row, sql.ErrNoRows
	}
	number, err := strconv.ParseInt(node[1:], 10, 64)
	if err != nil {
		return row, sql.ErrNoRows
	}
	switch node[0] {
	case 'm':
		return row, t.Get(ctx, &row, tables.HeadBySeq, key, number)
	case 'n':
		return turnEnd(ctx, t, key, number)
	default:
		return row, sql.ErrNoRows
	}
}

// turnEnd reads the last message of a turn.
func turnEnd(ctx context.Context, t *conn.Tx, key, number int64) (tables.MessageRow, error) {
	var row tables.MessageRow
	const last = `WHERE m.session = ? AND m.turn = ? ORDER BY m.seq DESC LIMIT 1`
	return row, t.Get(ctx, &row, tables.MessageHead+tables.MessageFrom+last, key, number)
}

func nodeByLabel(ctx context.Context, t *conn.Tx, key int64, node string) (tables.MessageRow, error) {
	labels, err := tables.ReadLabels(ctx, t, key)
	if err != nil {
		return tables.MessageRow{}, err
	}
	for _, same := range []func(string) bool{
		func(text string) bool { return text == node },
		func(text string) bool { return strings.EqualFold(text, node) },
	} {
		var turns []string
		last := int64(-1)
		for _, l := range labels {
			if same(l.Text) {
				turns, last = append(turns, fmt.Sprintf("n%d", l.Turn)), l.Turn
			}
		}
		if len(turns) > 1 {
			return tables.MessageRow{}, core.E(core.Invalid, "several turns have the label %q: %s", node, strings.Join(turns, ", ")).WithHint("name one of them by its number")
		}
		if len(turns) == 1 {
			return turnEnd(ctx, t, key, last)
		}
	}
	return tables.MessageRow{}, sql.ErrNoRows
}

func nodeByPrefix(ctx context.Context, t *conn.Tx, key int64, node string) (tables.MessageRow, error) {
	if len(node) < prefixLength {
		return tables.MessageRow{}, sql.ErrNoRows
	}
	var found []tables.MessageRow
	const query = tables.MessageHead + tables.MessageFrom + `WHERE m.uid > ? AND m.uid < ? AND m.session = ? ORDER BY m.uid LIMIT 2`
	if err := t.All(ctx, &found, query, node, node+"\U0010FFFF", key); err != nil {
		return tables.MessageRow{}, err
	}
	switch len(found) {
	case 0:
		return tables.MessageRow{}, sql.ErrNoRows
	case 1:
		return found[0], nil
	default:
		return tables.MessageRow{}, core.E(core.Invalid, "several messages begin with %q: %s, %s", node, found[0].UID, found[1].UID).WithHint("type more of the uid")
	}
}
