package merge

import (
	"context"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/arrange"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/tables"
)

// beginMerge finds the session that is meant, or makes it.
func beginMerge(ctx context.Context, m *merge, first *core.Message) error {
	m.Nodes, m.moves = arrange.NewNodes(), map[int32]int32{}
	key, err := findOrigin(ctx, m.Tx, &m.in.Session, first)
	if err != nil {
		return err
	}
	if key == 0 {
		return createSession(ctx, m, first)
	}
	if m.before, err = tables.ReadSessionRow(ctx, m.Tx, key); err != nil {
		return err
	}
	m.Key, m.merged.SessionID = key, m.before.ID
	if m.known, err = readOrigin(ctx, m.Tx, &m.in.Session, key); err != nil {
		return err
	}
	return m.Load(ctx)
}

func createSession(ctx context.Context, m *merge, first *core.Message) error {
	s := m.in.Session
	s.DeletedAtMs, s.UpdatedAtMs = 0, 0
	if s.Title != "" {
		s.TitleOrigin = originOfTitle(m.in)
	}
	if s.CreatedAtMs == 0 {
		s.CreatedAtMs = first.CreatedAtMs
	}
	if err := tables.CompleteSession(&s, m.nowMs); err != nil {
		return err
	}
	if taken, err := nameTaken(ctx, m.Tx, s.Name); err != nil {
		return err
	} else if taken {
		s.Name = ""
	}
	key, err := tables.AddSession(ctx, m.Txn, &s)
	if err != nil {
		return err
	}
	m.Skeleton = &core.Skeleton{}
	m.Key, m.merged = key, core.Merged{SessionID: s.ID, Created: true}
	m.before, err = tables.ReadSessionRow(ctx, m.Tx, key)
	return err
}

func nameTaken(ctx context.Context, t *conn.Tx, name string) (bool, error) {
	var n int64
	err := t.Get(ctx, &n, `SELECT count(*) FROM sessions WHERE name = ?`, name)
	return n > 0, err
}
