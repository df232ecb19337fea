package tables

import (
	"context"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/excerpt"
)

// labelLength is in runes.
const labelLength = 200

// SetLabel sets the label of a turn, which keeps its color. An empty text removes it.
func SetLabel(ctx context.Context, t *conn.Tx, key, turn int64, text string, nowMs int64) error {
	var color core.Color // a turn keeps its color with another name
	const former = `SELECT coalesce((SELECT l.color FROM labels l JOIN messages m ON m.id = l.message WHERE l.session = ? AND m.turn = ?), '')`
	if err := t.Get(ctx, &color, former, key, turn); err != nil {
		return err
	}
	const remove = `DELETE FROM labels WHERE message IN
		(SELECT l.message FROM labels l JOIN messages m ON m.id = l.message WHERE l.session = ? AND m.turn = ?)`
	if _, err := t.Exec(ctx, remove, key, turn); err != nil {
		return err
	}
	text = excerpt.Line(text, labelLength)
	if text == "" {
		return nil
	}
	const add = `INSERT INTO labels (message, session, text, color, created_at_ms)
		SELECT m.id, m.session, ?, ?, ? FROM turns n JOIN messages m ON m.session = n.session AND m.branch = n.branch AND m.depth = n.first_depth
		WHERE n.session = ? AND n.number = ?`
	_, err := t.Exec(ctx, add, text, color, nowMs, key, turn)
	return err
}

// ReadLabels reads one label per turn: where an import has joined two labelled turns, the newest.
func ReadLabels(ctx context.Context, t *conn.Tx, key int64) ([]core.Label, error) {
	labels := []core.Label{}
	const query = `SELECT m.turn, f.uid, l.text, l.color, max(l.created_at_ms) AS created_at_ms
		FROM labels l JOIN messages m ON m.id = l.message
		JOIN turns n ON n.session = l.session AND n.number = m.turn
		JOIN messages f ON f.session = n.session AND f.branch = n.branch AND f.depth = n.first_depth
		WHERE l.session = ? GROUP BY m.turn ORDER BY m.turn`
	return labels, t.All(ctx, &labels, query, key)
}
