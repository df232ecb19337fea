package tables

import (
	"context"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
)

// storeCheckpoint remembers a message before which files were kept, as its Meta says.
func storeCheckpoint(ctx context.Context, t *conn.Tx, session, id int64, m *core.Message) error {
	kept, ok := m.Checkpoint()
	if !ok {
		return nil
	}
	_, err := t.Exec(ctx, `INSERT INTO checkpoints (message, session, file_count) VALUES (?, ?, ?)`, id, session, kept.FileCount)
	return err
}

// ReadCheckpoints reads the first checkpoint of each turn, by turn.
func ReadCheckpoints(ctx context.Context, t *conn.Tx, key int64) ([]core.TurnCheckpoint, error) {
	checkpoints := []core.TurnCheckpoint{}
	const query = `SELECT m.turn, c.file_count, min(m.seq) AS seq FROM checkpoints c JOIN messages m ON m.id = c.message
		WHERE c.session = ? GROUP BY m.turn ORDER BY m.turn`
	return checkpoints, t.All(ctx, &checkpoints, `SELECT turn, file_count FROM (`+query+`)`, key)
}
