package merge

import (
	"context"
	"database/sql"
	"errors"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
)

const (
	// SessionOpened finds a session with a message that another one begins with, by the index of what people and systems say.
	SessionOpened = `SELECT s.key FROM messages m JOIN sessions s ON s.key = m.session
		WHERE m.uid = ? AND m.role IN ('user', 'system') AND s.source = ? AND (s.relation = 'subagent') = (? = 'subagent') ORDER BY s.key LIMIT 1`
	// SessionGoneOn does so for what a model or a tool says, of which there is no index: it asks every session, but few begin so.
	SessionGoneOn = `SELECT s.key FROM sessions s WHERE EXISTS (SELECT 1 FROM messages m WHERE m.session = s.key AND m.uid = ?)
		AND s.source = ? AND (s.relation = 'subagent') = (? = 'subagent') ORDER BY s.key LIMIT 1`
)

// findOrigin looks for the session that an Incoming means, also by its first message; 0 if the library has no such session.
func findOrigin(ctx context.Context, t *conn.Tx, s *core.Session, first *core.Message) (int64, error) {
	withFirst := SessionGoneOn
	if first.Role == core.RoleUser || first.Role == core.RoleSystem {
		withFirst = SessionOpened
	}
	for _, q := range []struct {
		ask   bool
		query string
		args  []any
	}{
		{s.ID != "", `SELECT key FROM sessions WHERE id = ?`, []any{s.ID}},
		{s.SourceID != "", `SELECT session FROM origins WHERE source_id = ? AND source = ?`, []any{s.SourceID, s.Source}},
		{core.IsUUID(first.UID), withFirst, []any{first.UID, s.Source, s.Relation}},
	} {
		if !q.ask {
			continue
		}
		var key int64
		if err := t.Get(ctx, &key, q.query, q.args...); !errors.Is(err, sql.ErrNoRows) {
			return key, err
		}
	}
	return 0, nil
}

// origin is how an id in a tool was known before.
type origin struct {
	Known bool
	Path  string
	Head  sql.NullInt64
}

func readOrigin(ctx context.Context, t *conn.Tx, s *core.Session, key int64) (origin, error) {
	var o origin
	err := t.Get(ctx, &o, `SELECT TRUE AS known, source_path AS path, head FROM origins WHERE source_id = ? AND source = ? AND session = ?`, s.SourceID, s.Source, key)
	if errors.Is(err, sql.ErrNoRows) {
		return o, nil
	}
	return o, err
}

func storeOrigin(ctx context.Context, t *conn.Tx, s *core.Session, key int64, head sql.NullInt64) error {
	if s.SourceID == "" {
		return nil
	}
	_, err := t.Exec(ctx, `INSERT INTO origins (source_id, source, session, source_path, head) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (source_id, source) DO UPDATE SET session = excluded.session, head = excluded.head,
			source_path = CASE WHEN excluded.source_path = '' THEN source_path ELSE excluded.source_path END`,
		s.SourceID, s.Source, key, s.SourcePath, head)
	return err
}
