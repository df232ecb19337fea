package trees

import (
	"context"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/store"
	"coppice/backend/sqlite/internal/tables"
)

// effortRows reads the index messages_turn alone: no message is opened. A last depth below 0 is that of the turn.
const effortRows = `WITH wanted AS MATERIALIZED (
		SELECT DISTINCT value ->> 'turn' AS turn, value ->> 'from' AS from_depth, value ->> 'to' AS to_depth FROM json_each(?2)),
	timed AS (
		SELECT w.turn, w.from_depth, m.depth, m.role = 'assistant' AND m.kind = 'message' AS is_step, m.created_at_ms AS at_ms,
			m.created_at_ms - lag(m.created_at_ms) OVER (PARTITION BY w.turn, w.from_depth ORDER BY m.seq) AS gap_ms
		FROM wanted w
		CROSS JOIN messages m INDEXED BY messages_turn ON m.session = ?1 AND m.turn = w.turn
			AND m.depth >= w.from_depth AND (w.to_depth < 0 OR m.depth <= w.to_depth))
	SELECT turn AS number, min(depth) AS first_depth, count(*) AS messages, sum(is_step) AS steps,
		coalesce(sum(gap_ms) FILTER (WHERE gap_ms BETWEEN 0 AND ?3), 0) AS worked_ms, max(at_ms) AS ended_at_ms
	FROM timed GROUP BY turn, from_depth ORDER BY turn, first_depth`

// TurnEfforts returns how much was done in parts of turns, in the order of number and depth. Parts that do not exist are left out.
func (db *Store) TurnEfforts(ctx context.Context, sessionID string, parts []core.TurnPart) ([]core.TurnEffort, error) {
	efforts := []core.TurnEffort{}
	err := db.Read(ctx, tables.OfSession(ctx, sessionID, func(t *store.Txn, key int64) error {
		return t.All(ctx, &efforts, effortRows, key, partList(parts), core.WorkGapMs)
	}))
	return efforts, conn.Fail(err, "read the times of turns of session %s", sessionID)
}
