package sessions

import (
	"context"
	"strings"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/excerpt"
	"coppice/backend/sqlite/internal/store"
	"coppice/backend/sqlite/internal/tables"
)

// Rename sets a session's title. An empty one gives it back to the source, or to the first prompt.
func (db *Store) Rename(ctx context.Context, id, title string) error {
	title = excerpt.Line(title, 500)
	err := db.Write(ctx, func(t *store.Txn) error {
		row, err := tables.FindSession(ctx, t.Tx, id)
		if err != nil {
			return err
		}
		origin := core.TitleUser
		if title == "" {
			origin = core.TitleDerived
			if title, err = tables.DeriveTitle(ctx, t, row.Key, row.Task); err != nil {
				return err
			}
		}
		return tables.SetTitle(ctx, t.Tx, row.Key, title, origin)
	})
	return conn.Fail(err, "rename session %s", id)
}

// Retitle stores the title that a model wrote, and reports whether it did: a title of the user's own stays.
func (db *Store) Retitle(ctx context.Context, id, title string) (done bool, err error) {
	title = excerpt.Line(title, 500)
	if title == "" {
		return false, core.E(core.Invalid, "the title is empty")
	}
	err = db.Write(ctx, func(t *store.Txn) error {
		row, err := tables.FindSession(ctx, t.Tx, id)
		if err != nil {
			return err
		}
		if done = row.TitleOrigin.Yields(core.TitleModel); !done {
			return nil
		}
		return tables.SetTitle(ctx, t.Tx, row.Key, title, core.TitleModel)
	})
	return done, conn.Fail(err, "set the title of session %s", id)
}

// SetName gives a session a name of its own to be found by; an empty one takes it away. Conflict
// where another session has it, Invalid where core.CheckName refuses it.
func (db *Store) SetName(ctx context.Context, id, name string) error {
	if err := core.CheckName(name); err != nil {
		return err
	}
	err := db.Write(ctx, func(t *store.Txn) error {
		key, err := tables.SessionKey(ctx, t.Tx, id)
		if err != nil {
			return err
		}
		_, err = t.Exec(ctx, `UPDATE sessions SET name = ? WHERE key = ?`, tables.Nullable(name), key)
		if conn.Is(err, conn.CodeConstraint) {
			return taken(ctx, t.Tx, err, id, name)
		}
		return err
	})
	return conn.Fail(err, "name session %s", id)
}

// taken returns the error of a session whose id or name another one has.
func taken(ctx context.Context, t *conn.Tx, err error, id, name string) error {
	if name == "" || !strings.Contains(err.Error(), "sessions.name") {
		return core.E(core.Conflict, "session %s exists already", id)
	}
	var inTrash bool
	if err := t.Get(ctx, &inTrash, `SELECT deleted_at_ms > 0 FROM sessions WHERE name = ?`, name); err != nil {
		return err
	}
	if inTrash {
		return core.E(core.Conflict, "a session named %q is in the trash", name).
			WithHint("choose another name, or restore that session or remove it for good")
	}
	return core.E(core.Conflict, "a session named %q exists already", name).WithHint("choose another name")
}
