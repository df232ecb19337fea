package trees

import (
	"context"
	"encoding/json"
	"slices"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/store"
	"coppice/backend/sqlite/internal/tables"
)

// partRows reads parts of turns with the words that they are known by: those of the prompt, or the first ones in a part without
// one, and the last answer. The list of parts is JSON; CROSS JOIN makes it the one that leads. A last depth below 0 is that of the turn.
const partRows = `WITH wanted AS MATERIALIZED (
		SELECT value ->> 'turn' AS turn, value ->> 'from' AS from_depth, value ->> 'to' AS to_depth FROM json_each(?2)),
	spans AS MATERIALIZED (
		SELECT n.number, n.parent, n.branch, b.prompt_depth, max(n.first_depth, w.from_depth) AS first_depth,
			iif(w.to_depth >= 0, w.to_depth, (SELECT m.depth FROM messages m INDEXED BY messages_turn
				WHERE m.session = n.session AND m.turn = n.number ORDER BY m.seq DESC LIMIT 1)) AS last_depth
		FROM wanted w
		CROSS JOIN turns n ON n.session = ?1 AND n.number = w.turn
		CROSS JOIN branches b ON b.session = n.session AND b.number = n.branch),
	places AS MATERIALIZED (
		SELECT s.*, CASE WHEN s.prompt_depth BETWEEN s.first_depth AND s.last_depth THEN s.prompt_depth
			ELSE coalesce((SELECT m.depth FROM messages m WHERE m.session = ?1 AND m.branch = s.branch AND m.depth BETWEEN s.first_depth AND s.last_depth
				AND m.text_preview <> '' ORDER BY m.depth LIMIT 1), s.first_depth) END AS words_depth
		FROM spans s)
	SELECT n.number, n.parent, n.branch, n.first_depth, n.last_depth - n.first_depth + 1 AS messages, n.last_depth + 1 AS cumulative,
		f.uid AS first_uid, l.uid AS last_uid, iif(n.words_depth = n.prompt_depth, p.role, f.role) AS role, p.text_preview AS preview, f.created_at_ms,
		coalesce((SELECT m.model FROM messages m WHERE m.session = ?1 AND m.branch = n.branch AND m.depth BETWEEN n.first_depth AND n.last_depth
			AND m.model != '' ORDER BY m.depth DESC LIMIT 1), '') AS model,
		coalesce((SELECT m.text_preview FROM messages m WHERE m.session = ?1 AND m.branch = n.branch AND m.depth BETWEEN n.first_depth AND n.last_depth
			AND m.role = 'assistant' AND m.kind = 'message' AND m.text_preview <> '' ORDER BY m.depth DESC LIMIT 1), '') AS answer
	FROM places n
	JOIN messages f ON f.session = ?1 AND f.branch = n.branch AND f.depth = n.first_depth
	JOIN messages l ON l.session = ?1 AND l.branch = n.branch AND l.depth = n.last_depth
	JOIN messages p ON p.session = ?1 AND p.branch = n.branch AND p.depth = n.words_depth
	ORDER BY n.number, n.first_depth`

// Turns returns some of a session's turns by number, without setting which are on the path. Numbers that no turn has are left out.
func (db *Store) Turns(ctx context.Context, sessionID string, numbers []int64) ([]core.Turn, error) {
	return db.TurnParts(ctx, sessionID, wholeTurns(numbers))
}

func wholeTurns(numbers []int64) []core.TurnPart {
	parts := make([]core.TurnPart, len(numbers))
	for i, number := range numbers {
		parts[i] = core.TurnPart{Turn: number, From: -1, To: -1}
	}
	return parts
}

// partList returns parts of turns as the JSON of partRows.
func partList(parts []core.TurnPart) string {
	list, _ := json.Marshal(parts) // numbers can be written
	return string(list)
}

// TurnParts returns parts of turns as if each were a turn of its own, in the order of number and depth. Parts of turns that do not
// exist are left out.
func (db *Store) TurnParts(ctx context.Context, sessionID string, parts []core.TurnPart) ([]core.Turn, error) {
	turns := []core.Turn{}
	err := db.Read(ctx, tables.OfSession(ctx, sessionID, func(t *store.Txn, key int64) error {
		if err := t.All(ctx, &turns, partRows, key, partList(parts)); err != nil {
			return err
		}
		if err := turnAuthors(ctx, t, key, turns); err != nil {
			return err
		}
		labels, err := tables.ReadLabels(ctx, t.Tx, key)
		if err != nil {
			return err
		}
		for i := range turns {
			at, ok := slices.BinarySearchFunc(labels, turns[i].Number, func(l core.Label, number int64) int { return int(l.Turn - number) })
			if ok {
				turns[i].Label = labels[at].Text
			}
		}
		return nil
	}))
	return turns, conn.Fail(err, "read turns of session %s", sessionID)
}
