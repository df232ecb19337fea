package merge

import (
	"context"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/tables"
)

// takeWakes stores what a hibernated session of another tool waits for, as inactive. Conditions that the user has set, or confirmed,
// stay instead.
func takeWakes(ctx context.Context, m *merge) error {
	if len(m.in.Wakes) == 0 {
		return nil
	}
	var taken bool
	const busy = `SELECT s.status <> 'hibernated' OR EXISTS (SELECT 1 FROM wakes w WHERE w.session = s.key AND w.active = 1) FROM sessions s WHERE s.key = ?`
	if err := m.Get(ctx, &taken, busy, m.Key); err != nil || taken {
		return err
	}
	if _, err := m.Exec(ctx, `DELETE FROM wakes WHERE session = ?`, m.Key); err != nil {
		return err
	}
	inactive := make([]core.Wake, len(m.in.Wakes))
	for i, w := range m.in.Wakes {
		w.ID, w.Active = "", false
		inactive[i] = w
	}
	return tables.AddWakes(ctx, m.Tx, m.Key, inactive, m.nowMs)
}
