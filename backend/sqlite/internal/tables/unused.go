package tables

import (
	"context"

	"coppice/backend/sqlite/internal/conn"
)

// RemoveUnused removes contents that no message refers to, paths of files that no message touches, and run states that nothing refers to.
func RemoveUnused(ctx context.Context, t *conn.Tx) error {
	for _, query := range []string{
		`DELETE FROM blobs WHERE id NOT IN (SELECT blob FROM message_blobs)`,
		`DELETE FROM file_paths WHERE id NOT IN (SELECT file FROM touched_files)`,
		`DELETE FROM run_states WHERE NOT EXISTS (SELECT 1 FROM requests WHERE state = run_states.key) AND NOT EXISTS (SELECT 1 FROM runs WHERE state = run_states.key)
			AND NOT EXISTS (SELECT 1 FROM named_checkpoints WHERE state = run_states.key) AND NOT EXISTS (SELECT 1 FROM copied_states WHERE state = run_states.key)
			AND NOT EXISTS (SELECT 1 FROM restores WHERE state = run_states.key) AND NOT EXISTS (SELECT 1 FROM restores WHERE former_state = run_states.key)`,
		`DELETE FROM state_texts WHERE NOT EXISTS (SELECT 1 FROM run_states WHERE system = state_texts.key)
			AND NOT EXISTS (SELECT 1 FROM run_states WHERE tools = state_texts.key)`,
	} {
		if _, err := t.Exec(ctx, query); err != nil {
			return err
		}
	}
	return nil
}
