package merge

import (
	"context"
	"database/sql"

	"coppice/backend/sqlite/internal/arrange"
	"coppice/backend/sqlite/internal/tables"
)

// takeHead follows the source's head, unless the user has moved the session's.
func takeHead(ctx context.Context, m *merge) error {
	head, err := m.incomingHead()
	if err != nil {
		return err
	}
	if m.older {
		return nil
	}
	if err := storeOrigin(ctx, m.Tx, &m.in.Session, m.Key, arrange.Reference(head)); err != nil {
		return err
	}
	if !m.follows(head) {
		return nil
	}
	return putHead(ctx, m, head)
}

func putHead(ctx context.Context, m *merge, head *arrange.Node) error {
	const both = `UPDATE sessions SET head = ?1, imported_head = ?1 WHERE key = ?2`
	const imported = `UPDATE sessions SET imported_head = ?1 WHERE key = ?2`
	query := both
	if !m.merged.Created && m.before.Head != m.before.ImportedHead {
		query = imported
	}
	_, err := m.Exec(ctx, query, arrange.Reference(head), m.Key)
	return err
}

// follows reports whether the head of the session becomes the source's. That of a copy that is imported for the first
// time does if the copy is newer than the session.
func (m *merge) follows(head *arrange.Node) bool {
	switch {
	case m.merged.Created:
		return true
	case m.known.Known:
		return m.known.Head != arrange.Reference(head)
	case head == nil:
		return false
	}
	current := m.Nodes.Get(m.before.HeadUID)
	return current == nil || current != head && !m.behind(head) && head.CreatedAtMs >= current.CreatedAtMs
}

// judge sets older if the source is an older copy of the session, which changes no fields.
func judge(_ context.Context, m *merge) error {
	head, err := m.incomingHead()
	m.older = err == nil && m.elsewhere() && m.behind(head)
	return err
}

// takeAliases keeps the other ids by which the session is to be found. One that means another
// session here stays with that.
func takeAliases(ctx context.Context, m *merge) error {
	for _, a := range m.in.Aliases {
		var head sql.NullInt64
		if n := m.Nodes.Get(a.HeadUID); n != nil {
			head = arrange.Reference(n)
		}
		_, err := m.Exec(ctx, `INSERT INTO origins (source_id, source, session, source_path, head) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
			a.SourceID, a.Source, m.Key, a.SourcePath, head)
		if err != nil {
			return err
		}
	}
	return nil
}

func takeCursor(ctx context.Context, m *merge) error {
	if m.in.Cursor == nil {
		return nil
	}
	return tables.StoreCursor(ctx, m.Tx, m.in.Cursor, sql.NullInt64{Int64: m.Key, Valid: true}, m.nowMs)
}
