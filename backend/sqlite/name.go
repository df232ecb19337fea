package sqlite

import (
	"context"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
)

// Rename sets a session's title. An empty one gives it back to the source, or to the first prompt.
func (db *sessionStore) Rename(ctx context.Context, id, title string) error {
	title = oneLine(title, 500)
	err := db.write(ctx, func(t *tx) error {
		row, err := findSession(ctx, t.Tx, id)
		if err != nil {
			return err
		}
		renamed := title != ""
		if !renamed {
			title = titleOf(row.Task)
		}
		_, err = t.Exec(ctx, `UPDATE sessions SET title = ?, renamed = ? WHERE key = ?`, title, renamed, row.Key)
		return err
	})
	return conn.Fail(err, "rename session %s", id)
}

// SetName gives a session a name of its own to be found by; an empty one takes it away. Conflict
// where another session has it, Invalid where core.CheckName refuses it.
func (db *sessionStore) SetName(ctx context.Context, id, name string) error {
	if err := core.CheckName(name); err != nil {
		return err
	}
	err := db.write(ctx, func(t *tx) error {
		key, err := sessionKey(ctx, t.Tx, id)
		if err != nil {
			return err
		}
		_, err = t.Exec(ctx, `UPDATE sessions SET name = ? WHERE key = ?`, nullable(name), key)
		if conn.Is(err, conn.CodeConstraint) {
			return taken(err, id, name)
		}
		return err
	})
	return conn.Fail(err, "name session %s", id)
}

func findSession(ctx context.Context, t *conn.Tx, id string) (sessionRow, error) {
	key, err := sessionKey(ctx, t, id)
	if err != nil {
		return sessionRow{}, err
	}
	return readSessionRow(ctx, t, key)
}
