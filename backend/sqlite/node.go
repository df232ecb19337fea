package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
)

// prefixLength is how much of a uid must be typed.
const prefixLength = 6

// Node finds a message by what a person types: its uid, m17, n3 (the last message of turn 3), a
// label (the last message of its turn), or the beginning of a uid that fits no other (6 characters). Its
// parts are not read. NotFound; Invalid where several fit.
func (db *messageStore) Node(ctx context.Context, sessionID, node string) (core.Message, error) {
	var m core.Message
	err := db.read(ctx, func(t *tx) error {
		key, err := sessionKey(ctx, t.Tx, sessionID)
		if err != nil {
			return err
		}
		row, err := findNode(ctx, t.Tx, key, node)
		if err != nil {
			return err
		}
		m, err = completeMessage(ctx, t, key, &row)
		return err
	})
	return m, conn.Fail(err, "find %q in session %s", node, sessionID)
}

func findNode(ctx context.Context, t *conn.Tx, key int64, node string) (messageRow, error) {
	for _, by := range []func(context.Context, *conn.Tx, int64, string) (messageRow, error){nodeByUID, nodeByNumber, nodeByLabel, nodeByPrefix} {
		row, err := by(ctx, t, key, node)
		if !errors.Is(err, sql.ErrNoRows) {
			return row, err
		}
	}
	return messageRow{}, core.E(core.NotFound, "no message %q in this session", node).
		WithHint("name one by m17, by its turn n3, by a label or by its uid; see them with: coppice tree")
}

func nodeByUID(ctx context.Context, t *conn.Tx, key int64, node string) (messageRow, error) {
	var row messageRow
	return row, t.Get(ctx, &row, headByUID, node, key)
}

func nodeByNumber(ctx context.Context, t *conn.Tx, key int64, node string) (messageRow, error) {
	var row messageRow
	if len(node) < 2 || node[1] < '0' || node[1] > '9' {
		return row, sql.ErrNoRows
	}
	number, err := strconv.ParseInt(node[1:], 10, 64)
	if err != nil {
		return row, sql.ErrNoRows
	}
	switch node[0] {
	case 'm':
		return row, t.Get(ctx, &row, headBySeq, key, number)
	case 'n':
		return turnEnd(ctx, t, key, number)
	default:
		return row, sql.ErrNoRows
	}
}

// turnEnd reads the last message of a turn.
func turnEnd(ctx context.Context, t *conn.Tx, key, number int64) (messageRow, error) {
	var row messageRow
	const last = `WHERE m.session = ? AND m.turn = ? ORDER BY m.seq DESC LIMIT 1`
	return row, t.Get(ctx, &row, messageHead+messageFrom+last, key, number)
}

func nodeByLabel(ctx context.Context, t *conn.Tx, key int64, node string) (messageRow, error) {
	labels, err := readLabels(ctx, t, key)
	if err != nil {
		return messageRow{}, err
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
			return messageRow{}, core.E(core.Invalid, "several turns have the label %q: %s", node, strings.Join(turns, ", ")).WithHint("name one of them by its number")
		}
		if len(turns) == 1 {
			return turnEnd(ctx, t, key, last)
		}
	}
	return messageRow{}, sql.ErrNoRows
}

func nodeByPrefix(ctx context.Context, t *conn.Tx, key int64, node string) (messageRow, error) {
	if len(node) < prefixLength {
		return messageRow{}, sql.ErrNoRows
	}
	var found []messageRow
	const query = messageHead + messageFrom + `WHERE m.uid > ? AND m.uid < ? AND m.session = ? ORDER BY m.uid LIMIT 2`
	if err := t.All(ctx, &found, query, node, node+"\U0010FFFF", key); err != nil {
		return messageRow{}, err
	}
	switch len(found) {
	case 0:
		return messageRow{}, sql.ErrNoRows
	case 1:
		return found[0], nil
	default:
		return messageRow{}, core.E(core.Invalid, "several messages begin with %q: %s, %s", node, found[0].UID, found[1].UID).WithHint("type more of the uid")
	}
}
