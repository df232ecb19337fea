package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"maps"
	"math"
	"slices"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
)

// ledger is what a transaction has yet to add to the activity of sessions, by their keys.
type ledger map[int64]*entry

// entry is what has changed in one session.
type entry struct {
	tally[string]
	isNew bool // the session has no row yet
	moved bool // it may be of another workspace or parent
}

func (l ledger) of(session int64) *entry {
	e, ok := l[session]
	if !ok {
		e = &entry{tally: newTally[string]()}
		l[session] = e
	}
	return e
}

// settleLedger writes what the transaction has noted, before it ends.
func settleLedger(ctx context.Context, t *tx) error {
	names := newNames(t.Tx)
	for _, session := range slices.Sorted(maps.Keys(t.ledger)) {
		e := t.ledger[session]
		if e.isNew {
			if err := openActivity(ctx, t.Tx, session, tally[int64]{}); err != nil {
				return err
			}
		} else if e.moved {
			if err := moveActivity(ctx, t.Tx, session); err != nil {
				return err
			}
		}
		if err := addActivity(ctx, t.Tx, session, e, names); err != nil {
			return err
		}
	}
	return nil
}

// addActivity adds to a session's row. A session without one is counted as a whole later.
func addActivity(ctx context.Context, t *conn.Tx, session int64, e *entry, names *names) error {
	if len(e.spent)+len(e.tools) == 0 {
		return nil
	}
	var before []byte
	err := t.Get(ctx, &before, `SELECT tally FROM activity WHERE session = ?`, session)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	} else if err != nil {
		return err
	}
	sum, err := decode(before)
	if err != nil {
		return err
	}
	more, err := names.number(ctx, e.tally)
	if err != nil {
		return err
	}
	for at, c := range more.spent {
		sum.addSpent(at, &c, 1)
	}
	for at, n := range more.tools {
		sum.addCalls(at, n)
	}
	_, err = t.Exec(ctx, `UPDATE activity SET tally = ? WHERE session = ?`, encode(sum), session)
	return err
}

// openActivity writes the row of a session that has none.
func openActivity(ctx context.Context, t *conn.Tx, session int64, sum tally[int64]) error {
	place, err := placeOf(ctx, t, session)
	if err != nil {
		return err
	}
	const insert = `INSERT INTO activity (family, session, place, tally) VALUES (?1, ?1, ?2, ?3)`
	if _, err := t.Exec(ctx, insert, session, place, encode(sum)); err != nil {
		return err
	}
	return joinFamily(ctx, t, session)
}

// placeOf returns the number of where a session is from, a new one where nothing else is.
func placeOf(ctx context.Context, t *conn.Tx, session int64) (place int64, err error) {
	const known = `SELECT p.id FROM sessions s JOIN activity_places p ON p.workspace_path = s.workspace_path AND p.source = s.source WHERE s.key = ?`
	err = t.Get(ctx, &place, known, session)
	if errors.Is(err, sql.ErrNoRows) {
		return t.Insert(ctx, `INSERT INTO activity_places (source, workspace_path) SELECT source, workspace_path FROM sessions WHERE key = ?`, session)
	}
	return place, err
}

const (
	// headOfFamily is the session that a session is a part of: up from parent to parent, as long as they are there. In a circle of
	// parents it is the oldest.
	headOfFamily = `WITH RECURSIVE up (key, parent_id) AS (
			SELECT key, iif(relation = 'subagent', parent_id, '') FROM sessions WHERE key = ?
			UNION
			SELECT p.key, iif(p.relation = 'subagent', p.parent_id, '') FROM up JOIN sessions p ON p.id = up.parent_id WHERE up.parent_id <> '')
		SELECT coalesce((SELECT u.key FROM up u WHERE u.parent_id = '' OR NOT EXISTS (SELECT 1 FROM sessions WHERE id = u.parent_id)), min(key)) FROM up`
	// moveFamily takes a session's own subagents along.
	moveFamily = `WITH RECURSIVE down (key, id) AS (
			SELECT key, id FROM sessions WHERE key = ?1
			UNION
			SELECT s.key, s.id FROM down JOIN sessions s ON s.parent_id = down.id AND s.parent_id <> '' AND s.relation = 'subagent')
		UPDATE activity SET family = ?2 WHERE session IN (SELECT key FROM down) AND family <> ?2`
)

// moveActivity brings a row in line with what the session says of its workspace and parent.
func moveActivity(ctx context.Context, t *conn.Tx, session int64) error {
	place, err := placeOf(ctx, t, session)
	if err != nil {
		return err
	}
	if _, err := t.Exec(ctx, `UPDATE activity SET place = ? WHERE session = ?`, place, session); err != nil {
		return err
	}
	return joinFamily(ctx, t, session)
}

// joinFamily makes a session a part of its parent's, and its subagents' a part of that.
func joinFamily(ctx context.Context, t *conn.Tx, session int64) error {
	var family int64
	if err := t.Get(ctx, &family, headOfFamily, session); err != nil {
		return err
	}
	_, err := t.Exec(ctx, moveFamily, session, family)
	return err
}

// names finds the numbers that models and tools have in the file.
type names struct {
	*conn.Tx
	numbers map[string]int64
}

func newNames(t *conn.Tx) *names { return &names{t, map[string]int64{"": 0}} }

// number gives names of a tally their numbers, new ones to those that are new.
func (n *names) number(ctx context.Context, t tally[string]) (tally[int64], error) {
	var err error
	numbered := translate(t, func(name string) int64 {
		number, known := n.numbers[name]
		if !known && err == nil {
			number, err = n.find(ctx, name)
		}
		return number
	})
	return numbered, err
}

func (n *names) find(ctx context.Context, name string) (number int64, err error) {
	err = n.Get(ctx, &number, `SELECT id FROM activity_names WHERE name = ?`, name)
	if errors.Is(err, sql.ErrNoRows) {
		number, err = n.Insert(ctx, `INSERT INTO activity_names (name) VALUES (?)`, name)
	}
	if err == nil {
		n.numbers[name] = number
	}
	return number, err
}

// readNames returns all names by their numbers.
func readNames(ctx context.Context, t *conn.Tx) (map[int64]string, error) {
	var rows []struct {
		ID   int64
		Name string
	}
	err := t.All(ctx, &rows, `SELECT id, name FROM activity_names`)
	names := map[int64]string{0: ""}
	for _, row := range rows {
		names[row.ID] = row.Name
	}
	return names, err
}

// activeSessions returns the keys of the sessions that something was done in from one time to before another, where 0 is no limit, and of those that
// such sessions are a part of. It reads a row per session.
func activeSessions(ctx context.Context, t *conn.Tx, fromMs, beforeMs int64) (keys []int64, err error) {
	first, end := fromMs/quarterMs, beforeMs/quarterMs
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
		ok := each(data,
			func(quarter, _ int64, _ *counts) {
				active = active || quarter != 0 && quarter >= first && (end == 0 || quarter < end)
			},
			func(_, _, _, _ int64) {})
		if !ok {
			return nil, damaged("what was done in session %d is not written as it should be", session)
		}
		if active {
			keys = append(keys, session, family)
		}
	}
	return keys, rows.Err()
}

// CountActivity counts the sessions that were there before activity was kept, one at a time, so that a writer waits for none of them.
// What is counted need not be counted again after any end. progress, which may be nil, hears of sessions.
func (db *activityStore) CountActivity(ctx context.Context, progress func(core.Progress)) error {
	var sessions []int64
	err := db.read(ctx, func(t *tx) error {
		return t.All(ctx, &sessions, `SELECT key FROM sessions WHERE key NOT IN (SELECT session FROM activity) ORDER BY key DESC`)
	})
	for i, session := range sessions {
		if err == nil {
			err = db.countSession(ctx, session)
		}
		if err != nil {
			break
		}
		if progress != nil {
			progress(core.Progress{Done: int64(i + 1), Total: int64(len(sessions))})
		}
	}
	return conn.Fail(err, "count what was done in the sessions")
}

// mark tells whether a session's messages have changed.
type mark struct {
	Messages int64 `db:"message_count"`
	Reshapes int64 `db:"reshape_count"`
}

const markOf = `SELECT message_count, reshape_count FROM sessions WHERE key = ?`

// countSession reads first and then writes, and does so again where the session has grown meanwhile.
func (db *activityStore) countSession(ctx context.Context, session int64) error {
	for done := false; !done; {
		var before mark
		var sum tally[string]
		err := db.read(ctx, func(t *tx) (err error) {
			if err = t.Get(ctx, &before, markOf, session); err == nil {
				sum, err = tallySession(ctx, t, session)
			}
			return err
		})
		if errors.Is(err, sql.ErrNoRows) {
			return nil // it is gone
		} else if err != nil {
			return err
		}
		err = db.writeBulk(ctx, func(t *tx) error {
			var now mark
			var counted bool
			if err := t.Get(ctx, &counted, `SELECT EXISTS (SELECT 1 FROM activity WHERE session = ?)`, session); err != nil {
				return err
			}
			err := t.Get(ctx, &now, markOf, session)
			if done = counted || errors.Is(err, sql.ErrNoRows); done {
				return nil // by another process, or it is gone
			}
			if err != nil || now != before {
				return err
			}
			done = true
			names := newNames(t.Tx)
			numbered, err := names.number(ctx, sum)
			if err != nil {
				return err
			}
			return openActivity(ctx, t.Tx, session, numbered)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// tallySession counts every message of a session.
func tallySession(ctx context.Context, t *tx, session int64) (sum tally[string], err error) {
	sum = newTally[string]()
	rows, err := t.Rows(ctx, messageBySeq, session)
	if err != nil {
		return sum, err
	}
	defer conn.CloseRows(rows, &err)
	for rows.Next() {
		var row messageRow
		if err := rows.StructScan(&row); err != nil {
			return sum, err
		}
		if err := tallyRow(t, sum, &row, 1); err != nil {
			return sum, err
		}
	}
	return sum, nil
}

// tallyRow counts a message that is stored; one whose body is damaged by its columns alone.
func tallyRow(t *tx, sum tally[string], row *messageRow, sign int64) error {
	m, err := decodeMessage(t, row)
	if core.CodeOf(err) == core.Corrupt {
		m.Parts, err = nil, nil
	}
	if err == nil {
		tallyMessage(sum, &m, sign)
	}
	return err
}

// subtractMessage notes that a message is about to be replaced.
func subtractMessage(ctx context.Context, t *tx, session, id int64) error {
	var row messageRow
	if err := t.Get(ctx, &row, messageByID, id); err != nil {
		return err
	}
	return tallyRow(t, t.ledger.of(session).tally, &row, -1)
}

// subtractBranchEnd notes that the end of a branch is about to be removed.
func subtractBranchEnd(ctx context.Context, t *tx, session, branch, depth int64) (err error) {
	rows, err := t.Rows(ctx, messageRange, session, branch, depth, int64(math.MaxInt64))
	if err != nil {
		return err
	}
	defer conn.CloseRows(rows, &err)
	for rows.Next() {
		var row messageRow
		if err := rows.StructScan(&row); err != nil {
			return err
		}
		if err := tallyRow(t, t.ledger.of(session).tally, &row, -1); err != nil {
			return err
		}
	}
	return nil
}

// reassignFamily finds new heads for the rest of a family whose head is gone: its key may be given to another session.
func reassignFamily(ctx context.Context, t *conn.Tx, family int64) error {
	var sessions []int64
	if err := t.All(ctx, &sessions, `SELECT session FROM activity WHERE family = ?`, family); err != nil {
		return err
	}
	for _, session := range sessions {
		if err := joinFamily(ctx, t, session); err != nil {
			return err
		}
	}
	return nil
}
