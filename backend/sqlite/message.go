package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"iter"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
)

// findMessage reads a message; NotFound, naming it as what, where there is none.
func findMessage(ctx context.Context, t *conn.Tx, what, query string, args ...any) (messageRow, error) {
	var row messageRow
	err := t.Get(ctx, &row, query, args...)
	if errors.Is(err, sql.ErrNoRows) {
		return row, core.E(core.NotFound, "no message %s in this session", what)
	}
	return row, err
}

// completeMessage makes a single message with its number of siblings.
func completeMessage(ctx context.Context, t *tx, key int64, row *messageRow) (core.Message, error) {
	m, err := decodeMessage(t, row)
	if err != nil {
		return m, err
	}
	kin, err := readSiblingCounts(ctx, t.Tx, key, []core.Segment{{Branch: m.Branch, From: m.Depth, To: m.Depth}})
	if err != nil {
		return m, err
	}
	kin.tell(&m)
	return m, nil
}

// Message returns a message with its parts. Long texts are cut, see Hydrate.
func (db *messageStore) Message(ctx context.Context, sessionID, uid string) (core.Message, error) {
	var m core.Message
	err := db.read(ctx, func(t *tx) error {
		key, err := sessionKey(ctx, t.Tx, sessionID)
		if err != nil {
			return err
		}
		row, err := findMessage(ctx, t.Tx, uid, messageByUID, uid, key)
		if err != nil {
			return err
		}
		m, err = completeMessage(ctx, t, key, &row)
		return err
	})
	return m, conn.Fail(err, "read message %s", uid)
}

// Messages yields every message of a session by seq, so a parent before its children.
func (db *messageStore) Messages(ctx context.Context, sessionID string) iter.Seq2[core.Message, error] {
	return sequence("read the messages of session "+sessionID, func(yield func(core.Message) bool) error {
		return db.read(ctx, func(t *tx) error {
			key, err := sessionKey(ctx, t.Tx, sessionID)
			if err != nil {
				return err
			}
			kin, err := readAllSiblingCounts(ctx, t.Tx, key)
			if err != nil {
				return err
			}
			_, err = yieldMessages(ctx, t, kin, yield, messageBySeq, key)
			return err
		})
	})
}

// yieldMessages passes the rows of a query on; more is false where the reader has had enough.
func yieldMessages(ctx context.Context, t *tx, kin *kin, yield func(core.Message) bool, query string, args ...any) (more bool, err error) {
	rows, err := t.Rows(ctx, query, args...)
	if err != nil {
		return false, err
	}
	defer conn.CloseRows(rows, &err)
	for rows.Next() {
		var row messageRow
		if err := rows.StructScan(&row); err != nil {
			return false, err
		}
		m, err := decodeMessage(t, &row)
		if err != nil {
			return false, err
		}
		kin.tell(&m)
		if !yield(m) {
			return false, nil
		}
	}
	return true, nil
}

// messageOfSession finds a message of a session.
func messageOfSession(ctx context.Context, t *conn.Tx, sessionID, uid string) (key int64, m messageRow, err error) {
	if key, err = sessionKey(ctx, t, sessionID); err != nil {
		return key, m, err
	}
	m, err = findMessage(ctx, t, uid, headByUID, uid, key)
	return key, m, err
}
