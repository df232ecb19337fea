package trees

import (
	"context"
	"sort"

	"github.com/jmoiron/sqlx"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/store"
	"coppice/backend/sqlite/internal/tables"
)

// turnPlaces and turnSums read the same turns, each in the order of its index: one query for both would look every turn up among
// the messages, which takes three times as long. The only min() lets created_at_ms be that of the first message; tokens are stored
// both or not at all.
const (
	turnPlaces = `SELECT number, parent, branch, first_depth FROM turns WHERE session = ?1`
	turnSums   = `SELECT turn, count(*), count(*) FILTER (WHERE role = 'user' AND kind = 'message') > 0,
			count(*) FILTER (WHERE role = 'tool') > 0, count(*) FILTER (WHERE kind = 'compaction') > 0,
			` + tables.SumOf + `input_tokens` + tables.Tokens + ` + ` + tables.SumOf + `output_tokens` + tables.Tokens + `, ` + tables.SumOfCosts + `, ` + tables.SumOfEstimates + `, created_at_ms, min(seq)
		FROM messages INDEXED BY messages_turn WHERE session = ?1`
	// Turns of the newest runs are returned again: the status of a run changes without a message. So is the turn that a new
	// branch may divide.
	newTurns = ` IN (SELECT turn FROM messages WHERE session = ?1 AND seq > ?2 UNION
			SELECT m.turn FROM (SELECT key FROM runs WHERE session = ?1 ORDER BY key DESC LIMIT 16) r JOIN messages m INDEXED BY messages_run ON m.run = r.key UNION
			SELECT p.number FROM messages m JOIN turns n ON n.session = ?1 AND n.number = m.turn JOIN turns p ON p.session = ?1 AND p.number = n.parent
				WHERE m.session = ?1 AND m.seq > ?2 AND p.branch <> n.branch)`
)

// Shape returns the tree of a session without its words: what has come after the message with the seq after, as far as
// the tree has only grown since it was read with reshapes; else, and for an after of -1, all of it.
func (db *Store) Shape(ctx context.Context, sessionID string, after, reshapes int64) (core.Shape, error) {
	var shape core.Shape
	err := db.Read(ctx, func(t *store.Txn) (err error) {
		shape, err = readShape(ctx, t.Tx, sessionID, after, reshapes)
		return err
	})
	return shape, conn.Fail(err, "read the tree of session %s", sessionID)
}

func readShape(ctx context.Context, t *conn.Tx, sessionID string, after, reshapes int64) (core.Shape, error) {
	var at struct {
		Key       int64
		Reshapes  int64 `db:"reshape_count"`
		Messages  int64 `db:"message_count"`
		Turns     int64 `db:"turn_count"`
		Branches  int64 `db:"branch_count"`
		Head      string
		HeadTurn  int64 `db:"head_turn"`
		HeadDepth int64 `db:"head_depth"`
		Main      int64
	}
	key, err := tables.SessionKey(ctx, t, sessionID)
	if err != nil {
		return core.Shape{}, err
	}
	const query = `SELECT s.key, s.reshape_count, s.message_count, s.turn_count, s.branch_count, coalesce(h.uid, '') AS head, coalesce(h.turn, -1) AS head_turn, coalesce(h.depth, -1) AS head_depth, coalesce(i.turn, -1) AS main
		FROM sessions s LEFT JOIN messages h ON h.id = s.head LEFT JOIN messages i ON i.id = s.main WHERE s.key = ?`
	if err := t.Get(ctx, &at, query, key); err != nil {
		return core.Shape{}, err
	}
	shape := core.Shape{
		Reshapes: at.Reshapes, Messages: at.Messages, Turns: at.Turns, Branches: at.Branches, Head: at.Head, HeadTurn: at.HeadTurn, HeadDepth: at.HeadDepth, Main: at.Main,
		IsWhole: after < 0 || after >= at.Messages || reshapes != at.Reshapes,
	}
	if shape.Labels, err = tables.ReadLabels(ctx, t, key); err != nil {
		return shape, err
	}
	if shape.Bookmarks, err = tables.ReadBookmarks(ctx, t, key); err != nil {
		return shape, err
	}
	if shape.Checkpoints, err = tables.ReadCheckpoints(ctx, t, key); err != nil {
		return shape, err
	}
	if shape.Hidden, err = tables.HiddenTops(ctx, t, key); err != nil {
		return shape, err
	}
	if shape.Changed, err = turnShapes(ctx, t, key, after, &shape); err != nil {
		return shape, err
	}
	if err := addRuns(ctx, t, key, shape.Changed); err != nil {
		return shape, err
	}
	shape.Changed, err = divide(ctx, t, key, &shape)
	return shape, err
}

func turnShapes(ctx context.Context, t *conn.Tx, key, after int64, shape *core.Shape) ([]core.TurnShape, error) {
	ofPlaces, ofSums, args := ` AND number`+newTurns, ` AND turn`+newTurns, []any{key, after}
	var turns []core.TurnShape
	if shape.IsWhole {
		ofPlaces, ofSums, args = "", "", []any{key}
		turns = make([]core.TurnShape, 0, shape.Turns)
	}
	err := t.Scan(ctx, turnPlaces+ofPlaces+` ORDER BY number`, args, func(rows *sqlx.Rows) error {
		var n core.TurnShape
		if err := rows.Scan(&n.Number, &n.Parent, &n.Branch, &n.FirstDepth); err != nil {
			return err
		}
		if n.Number >= shape.Turns || n.Parent >= n.Number || shape.IsWhole && n.Number != int64(len(turns)) {
			return conn.Damaged("turn %d is missing, or its parent comes after it", n.Number)
		}
		turns = append(turns, n)
		return nil
	})
	if err != nil {
		return nil, err
	}
	summed := 0
	err = t.Scan(ctx, turnSums+ofSums+` GROUP BY turn ORDER BY turn`, args, func(rows *sqlx.Rows) error {
		if summed == len(turns) {
			return conn.Damaged("messages belong to turns that are missing")
		}
		n := &turns[summed]
		summed++
		var number, firstSeq int64
		if err := rows.Scan(&number, &n.Messages, &n.HasPrompt, &n.HasTools, &n.IsCompacted, &n.Tokens, &n.CostNanoUSD, &n.EstimatedNanoUSD, &n.CreatedAtMs, &firstSeq); err != nil {
			return err
		}
		if number != n.Number {
			return conn.Damaged("turn %d is missing, or has lost its messages", min(number, n.Number))
		}
		return nil
	})
	switch {
	case err != nil:
		return nil, err
	case summed < len(turns), shape.IsWhole && int64(len(turns)) != shape.Turns:
		return nil, conn.Damaged("%d turns of %d have lost their messages", max(shape.Turns, int64(len(turns)))-int64(summed), shape.Turns)
	}
	return turns, nil
}

// addRuns sets the status of the last run of each turn.
func addRuns(ctx context.Context, t *conn.Tx, key int64, turns []core.TurnShape) error {
	var written []struct {
		Key    int64
		Turn   int64
		Status core.Status
	}
	const by = `SELECT DISTINCT m.turn, r.key, r.status FROM runs r JOIN messages m INDEXED BY messages_run ON m.run = r.key WHERE r.session = ? ORDER BY r.key`
	if err := t.All(ctx, &written, by, key); err != nil {
		return err
	}
	last := make(map[int64]core.Status, len(written))
	for _, w := range written {
		last[w.Turn] = w.Status
	}
	for i := range turns {
		turns[i].Run = last[turns[i].Number]
	}
	return addTimedRuns(ctx, t, key, turns)
}

// addTimedRuns sets the status of turns that began in a run of an older version, which did not store the run of a message. It knew one run of a
// session at a time, so their times do not overlap.
func addTimedRuns(ctx context.Context, t *conn.Tx, key int64, turns []core.TurnShape) error {
	var runs []struct {
		Status      core.Status
		StartedAtMs int64 `db:"started_at_ms"`
		EndedAtMs   int64 `db:"ended_at_ms"`
	}
	const old = `SELECT status, started_at_ms, ended_at_ms FROM runs r WHERE session = ? AND lane = 0
		AND NOT EXISTS (SELECT 1 FROM messages WHERE run = r.key) ORDER BY started_at_ms`
	if err := t.All(ctx, &runs, old, key); err != nil {
		return err
	}
	for i := range turns {
		begun := turns[i].CreatedAtMs
		at := sort.Search(len(runs), func(r int) bool { return runs[r].StartedAtMs > begun }) - 1
		if at >= 0 && turns[i].Run == "" && turns[i].HasPrompt && (runs[at].EndedAtMs == 0 || begun <= runs[at].EndedAtMs) {
			turns[i].Run = runs[at].Status
		}
	}
	return nil
}
