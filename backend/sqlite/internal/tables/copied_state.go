package tables

import (
	"context"

	"coppice/backend/sqlite/internal/conn"
)

// CopyCheckpoints gives the copies of messages, by the uids of the originals, the checkpoints of these: the run state of each step,
// without runs aside, and those with a name.
func CopyCheckpoints(ctx context.Context, t *conn.Tx, from, to int64, copies map[string]string) error {
	var messages []struct{ UID string }
	const of = `SELECT uid FROM messages WHERE session = ?1 AND (id IN (SELECT message FROM named_checkpoints WHERE session = ?1)
		OR id IN (SELECT message FROM copied_states WHERE session = ?1) OR id IN (SELECT q.message FROM runs r JOIN requests q ON q.run = r.key WHERE r.session = ?1))`
	if err := t.All(ctx, &messages, of, from); err != nil {
		return err
	}
	const pair = `messages o, messages n WHERE o.uid = ?1 AND o.session = ?2 AND n.uid = ?3 AND n.session = ?4`
	for _, m := range messages {
		if copies[m.UID] == "" {
			continue
		}
		for _, query := range []string{
			`INSERT INTO copied_states (message, session, state) SELECT id, session, state FROM (SELECT n.id, n.session,
				coalesce((SELECT q.state FROM requests q JOIN runs r ON r.key = q.run WHERE q.message = o.id AND r.lane = 0 ORDER BY q.key DESC LIMIT 1),
				(SELECT state FROM copied_states WHERE message = o.id)) AS state FROM ` + pair + `) WHERE state IS NOT NULL`,
			`INSERT INTO named_checkpoints (session, message, number, name, state, created_at_ms)
				SELECT n.session, n.id, c.number, c.name, c.state, c.created_at_ms FROM named_checkpoints c, ` + pair + ` AND c.message = o.id`,
		} {
			if _, err := t.Exec(ctx, query, m.UID, from, copies[m.UID], to); err != nil {
				return err
			}
		}
	}
	return nil
}
