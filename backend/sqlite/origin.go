package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
)

// Aliases returns the ids that copies of a session had, in the order of the ids.
func (db *sessionStore) Aliases(ctx context.Context, sessionID string) ([]core.Alias, error) {
	aliases := []core.Alias{}
	err := db.read(ctx, func(t *tx) error {
		key, err := sessionKey(ctx, t.Tx, sessionID)
		if err != nil {
			return err
		}
		const query = `SELECT o.source, o.source_id, o.source_path, coalesce(m.uid, '') AS head_uid
			FROM origins o JOIN sessions s ON s.key = o.session LEFT JOIN messages m ON m.id = o.head
			WHERE o.session = ? AND (o.source_id <> s.source_id OR o.source <> s.source) ORDER BY o.source_id, o.source`
		return t.All(ctx, &aliases, query, key)
	})
	return aliases, conn.Fail(err, "read the aliases of session %s", sessionID)
}

const (
	// sessionOpened finds a session with a message that another one begins with, by the index of what people and systems say.
	sessionOpened = `SELECT s.key FROM messages m JOIN sessions s ON s.key = m.session
		WHERE m.uid = ? AND m.role IN ('user', 'system') AND s.source = ? AND (s.relation = 'subagent') = (? = 'subagent') ORDER BY s.key LIMIT 1`
	// sessionGoneOn does so for what a model or a tool says, of which there is no index: it asks every session, but few begin so.
	sessionGoneOn = `SELECT s.key FROM sessions s WHERE EXISTS (SELECT 1 FROM messages m WHERE m.session = s.key AND m.uid = ?)
		AND s.source = ? AND (s.relation = 'subagent') = (? = 'subagent') ORDER BY s.key LIMIT 1`
)

// findOrigin looks for the session that an Incoming means, by its first message, too; 0 where there is none.
func findOrigin(ctx context.Context, t *conn.Tx, s *core.Session, first *core.Message) (int64, error) {
	withFirst := sessionGoneOn
	if first.Role == core.RoleUser || first.Role == core.RoleSystem {
		withFirst = sessionOpened
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

// judge says whether this is an older copy of the session: it has nothing new to say of it.
func (m *merge) judge(context.Context) error {
	head, err := m.incomingHead()
	m.older = err == nil && m.elsewhere() && m.behind(head)
	return err
}

// elsewhere says that the source was in another place before.
func (m *merge) elsewhere() bool {
	path := m.in.Session.SourcePath
	return m.known.Known && m.known.Path != "" && path != "" && path != m.known.Path
}

// behind says whether a message lies on the way to the session's head.
func (m *merge) behind(n *node) bool {
	current := m.nodes.get(m.before.HeadUID)
	return n != nil && current != nil && n != current && m.skeleton.Path(current.place().Spot()).Holds(n.place().Spot())
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

// takeAliases keeps the other ids by which the session is to be found. One that means another
// session here stays with that.
func (m *merge) takeAliases(ctx context.Context) error {
	for _, a := range m.in.Aliases {
		var head sql.NullInt64
		if n := m.nodes.get(a.HeadUID); n != nil {
			head = idOf(n)
		}
		_, err := m.Exec(ctx, `INSERT INTO origins (source_id, source, session, source_path, head) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
			a.SourceID, a.Source, m.key, a.SourcePath, head)
		if err != nil {
			return err
		}
	}
	return nil
}
