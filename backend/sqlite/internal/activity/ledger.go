package activity

import (
	"context"
	"database/sql"
	"errors"
	"maps"
	"slices"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
)

// Ledger is what a transaction has yet to add to the activity of sessions, by their keys.
type Ledger map[int64]*entry

// entry is what has changed in one session.
type entry struct {
	Tally[string]
	IsNew    bool   // the session has no row yet
	Moved    bool   // it may be of another workspace or parent
	Touched  bool   // its touched files have changed
	Failed   int64  // how many more calls have failed
	Answered bool   // Answer replaces the stored one
	Answer   string // the beginning of the newest answer
}

// Of returns the entry of a session, a messages.session, and adds an empty one if it has none.
func (l Ledger) Of(session int64) *entry {
	e, ok := l[session]
	if !ok {
		e = &entry{Tally: NewTally[string]()}
		l[session] = e
	}
	return e
}

// Settle writes the entries of a transaction, before it ends.
func (l Ledger) Settle(ctx context.Context, t *conn.Tx) error {
	names := NewNames(t)
	for _, session := range slices.Sorted(maps.Keys(l)) {
		e := l[session]
		if e.IsNew {
			if err := Open(ctx, t, session, Tally[int64]{}); err != nil {
				return err
			}
		} else if e.Moved {
			if err := moveActivity(ctx, t, session); err != nil {
				return err
			}
		}
		if err := addActivity(ctx, t, session, e, names); err != nil {
			return err
		}
		if err := addToList(ctx, t, session, e); err != nil {
			return err
		}
		if e.Touched {
			if err := CountTouched(ctx, t, session); err != nil {
				return err
			}
		}
	}
	return nil
}

// addToList stores what a list shows of a session besides its counters.
func addToList(ctx context.Context, t *conn.Tx, session int64, e *entry) error {
	if e.Failed == 0 && !e.Answered {
		return nil
	}
	const add = `UPDATE sessions SET failed_count = max(0, failed_count + ?1), last_answer = iif(?2, ?3, last_answer) WHERE key = ?4`
	_, err := t.Exec(ctx, add, e.Failed, e.Answered, e.Answer, session)
	return err
}

// Note counts a message and its failed calls, or takes them away with a sign of -1.
func (l Ledger) Note(session int64, m *core.Message, sign int64) {
	e := l.Of(session)
	TallyMessage(e.Tally, m, sign)
	e.Failed += sign * FailedCalls(m)
}

// SetAnswer replaces the newest answer of a session.
func (l Ledger) SetAnswer(session int64, answer string) {
	e := l.Of(session)
	e.Answer, e.Answered = answer, true
}

// FailedCalls returns how many results of a message are errors.
func FailedCalls(m *core.Message) (n int64) {
	for i := range m.Parts {
		if m.Parts[i].Type == core.PartToolResult && m.Parts[i].IsError {
			n++
		}
	}
	return n
}

// CountTouched computes the counters of a session's touched files again.
func CountTouched(ctx context.Context, t *conn.Tx, session int64) error {
	const count = `UPDATE sessions SET (touched_count, lines_added, lines_removed) = (
		SELECT count(DISTINCT file), coalesce(sum(lines_added), 0), coalesce(sum(lines_removed), 0)
		FROM touched_files WHERE session = ?1 AND failed = 0) WHERE key = ?1`
	_, err := t.Exec(ctx, count, session)
	return err
}

// addActivity adds to a session's row. A session without one is counted as a whole later.
func addActivity(ctx context.Context, t *conn.Tx, session int64, e *entry, names *names) error {
	if len(e.Spent)+len(e.Tools) == 0 {
		return nil
	}
	var before []byte
	err := t.Get(ctx, &before, `SELECT tally FROM activity WHERE session = ?`, session)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	} else if err != nil {
		return err
	}
	sum, err := Decode(before)
	if err != nil {
		return err
	}
	more, err := names.Number(ctx, e.Tally)
	if err != nil {
		return err
	}
	for at, c := range more.Spent {
		sum.AddSpent(at, &c, 1)
	}
	for at, n := range more.Tools {
		sum.addCalls(at, n)
	}
	_, err = t.Exec(ctx, `UPDATE activity SET tally = ? WHERE session = ?`, Encode(sum), session)
	return err
}

// Open writes the row of a session that has none.
func Open(ctx context.Context, t *conn.Tx, session int64, sum Tally[int64]) error {
	place, err := originKeyOf(ctx, t, session)
	if err != nil {
		return err
	}
	const insert = `INSERT INTO activity (family, session, place, tally) VALUES (?1, ?1, ?2, ?3)`
	if _, err := t.Exec(ctx, insert, session, place, Encode(sum)); err != nil {
		return err
	}
	return joinFamily(ctx, t, session)
}

// originKeyOf returns the number of where a session is from, a new one where nothing else is.
func originKeyOf(ctx context.Context, t *conn.Tx, session int64) (place int64, err error) {
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

// moveActivity updates a row to the workspace and the parent of its session.
func moveActivity(ctx context.Context, t *conn.Tx, session int64) error {
	place, err := originKeyOf(ctx, t, session)
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

// ReassignFamily finds new heads for the rest of a family whose head is gone: its key may be given to another session.
func ReassignFamily(ctx context.Context, t *conn.Tx, family int64) error {
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
