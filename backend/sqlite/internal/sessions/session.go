// Package sessions is the service of sessions: to create, find, list, name and remove them.
package sessions

import (
	"context"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/store"
	"coppice/backend/sqlite/internal/tables"
)

// Store is the service of sessions.
type Store struct{ *store.Library }

// Session finds a session by its id, its name, an id it has in the tool it came from, or the
// beginning of an id that fits no other. Sessions in the trash count only where no other fits.
// NotFound; Invalid, naming the candidates, where several fit.
func (db *Store) Session(ctx context.Context, ref string) (core.Session, error) {
	var s core.Session
	err := db.Read(ctx, func(t *store.Txn) error {
		key, err := tables.ResolveSession(ctx, t.Tx, ref)
		if err != nil {
			return err
		}
		s, err = tables.ReadSession(ctx, t.Tx, key)
		return err
	})
	return s, conn.Fail(err, "find session %q", ref)
}

// CreateSession adds a session without messages and returns it as stored. ID, times, Source and
// Status may be left open; counters are ignored. Conflict where the id or the name is taken.
func (db *Store) CreateSession(ctx context.Context, s core.Session) (core.Session, error) {
	if err := tables.CompleteSession(&s, db.Now()); err != nil {
		return core.Session{}, err
	}
	if err := core.CheckName(s.Name); err != nil {
		return core.Session{}, err
	}
	err := db.Write(ctx, func(t *store.Txn) error {
		key, err := tables.AddSession(ctx, t, &s)
		if conn.Is(err, conn.CodeConstraint) {
			return taken(ctx, t.Tx, err, s.ID, s.Name)
		} else if err != nil {
			return err
		}
		s, err = tables.ReadSession(ctx, t.Tx, key)
		return err
	})
	return s, conn.Fail(err, "create session %s", s.ID)
}
