package trees

import (
	"context"
	"slices"
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
	// Turns of the newest runs are returned again: the status of a run changes without a message.
	newTurns = ` IN (SELECT turn FROM messages WHERE session = ?1 AND seq > ?2 UNION
			SELECT m.turn FROM (SELECT key FROM runs WHERE session = ?1 ORDER BY key DESC LIMIT 16) r JOIN messages m INDEXED BY messages_run ON m.run = r.key)`
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
		Key      int64
		Reshapes int64 `db:"reshape_count"`
		Messages int64 `db:"message_count"`
		Turns    int64 `db:"turn_count"`
		Branches int64 `db:"branch_count"`
		Head     string
		HeadTurn int64 `db:"head_turn"`
		Main     int64
	}
	key, err := tables.SessionKey(ctx, t, sessionID)
	if err != nil {
		return core.Shape{}, err
	}
	const query = `SELECT s.key, s.reshape_count, s.message_count, s.turn_count, s.branch_count, coalesce(h.uid, '') AS head, coalesce(h.turn, -1) AS head_turn, coalesce(i.turn, -1) AS main
		FROM sessions s LEFT JOIN messages h ON h.id = s.head LEFT JOIN messages i ON i.id = s.main WHERE s.key = ?`
	if err := t.Get(ctx, &at, query, key); err != nil {
		return core.Shape{}, err
	}
	shape := core.Shape{
		Reshapes: at.Reshapes, Messages: at.Messages, Turns: at.Turns, Branches: at.Branches, Head: at.Head, HeadTurn: at.HeadTurn, Main: at.Main,
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
	return shape, addRuns(ctx, t, key, shape.Changed)
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

// turnRows reads some turns with the words that tell what they are about: those of the prompt, where leading messages
// of a tool stand before it. The list of numbers is a JSON array; CROSS JOIN makes it the one that leads.
const turnRows = `WITH spans AS MATERIALIZED (
		SELECT n.number, n.parent, n.branch, n.first_depth, b.prompt_depth,
			(SELECT m.depth FROM messages m INDEXED BY messages_turn WHERE m.session = n.session AND m.turn = n.number ORDER BY m.seq DESC LIMIT 1) AS last_depth
		FROM json_each(?2) wanted
		CROSS JOIN turns n ON n.session = ?1 AND n.number = wanted.value
		CROSS JOIN branches b ON b.session = n.session AND b.number = n.branch)
	SELECT n.number, n.parent, n.branch, n.first_depth, n.last_depth - n.first_depth + 1 AS messages, n.last_depth + 1 AS cumulative,
		f.uid AS first_uid, l.uid AS last_uid, p.role, p.text_preview AS preview, f.created_at_ms,
		coalesce((SELECT m.model FROM messages m INDEXED BY messages_turn
			WHERE m.session = ?1 AND m.turn = n.number AND m.model != '' ORDER BY m.seq DESC LIMIT 1), '') AS model
	FROM spans n
	JOIN messages f ON f.session = ?1 AND f.branch = n.branch AND f.depth = n.first_depth
	JOIN messages l ON l.session = ?1 AND l.branch = n.branch AND l.depth = n.last_depth
	JOIN messages p ON p.session = ?1 AND p.branch = n.branch
		AND p.depth = iif(n.prompt_depth BETWEEN n.first_depth AND n.last_depth, n.prompt_depth, n.first_depth)
	ORDER BY n.number`

// Turns returns some of a session's turns by number, without saying which are on the path. Numbers that no turn has are left out.
func (db *Store) Turns(ctx context.Context, sessionID string, numbers []int64) ([]core.Turn, error) {
	turns := []core.Turn{}
	err := db.Read(ctx, tables.OfSession(ctx, sessionID, func(t *store.Txn, key int64) error {
		if err := t.All(ctx, &turns, turnRows, key, numberList(numbers)); err != nil {
			return err
		}
		labels, err := tables.ReadLabels(ctx, t.Tx, key)
		if err != nil {
			return err
		}
		for _, l := range labels {
			at, ok := slices.BinarySearchFunc(turns, l.Turn, func(n core.Turn, number int64) int { return int(n.Number - number) })
			if ok {
				turns[at].Label = l.Text
			}
		}
		return nil
	}))
	return turns, conn.Fail(err, "read turns of session %s", sessionID)
}
