package tables

import (
	"context"
	"slices"
	"strings"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/excerpt"
)

// candidate is a session that a reference may mean.
type candidate struct {
	Key     int64
	ID      string
	Title   string
	Deleted bool
	Child   bool // a subagent's; its source id begins with that of its parent
}

const candidateColumns = `SELECT s.key, s.id, s.title, s.deleted_at_ms > 0 AS deleted, s.relation = 'subagent' AS child FROM sessions s `

// ResolveSession finds the session that a reference means.
func ResolveSession(ctx context.Context, t *conn.Tx, ref string) (int64, error) {
	if ref == "" {
		return 0, core.E(core.Invalid, "no session named").WithRemedy(core.ListSessions)
	}
	end := ref + "\U0010FFFF"
	for _, q := range []struct {
		query string
		args  []any
	}{
		{candidateColumns + `WHERE s.id = ?`, []any{ref}},
		{candidateColumns + `WHERE s.name = ?`, []any{ref}},
		{candidateColumns + `JOIN origins o ON o.session = s.key WHERE o.source_id = ? GROUP BY s.key`, []any{ref}},
		{candidateColumns + `WHERE s.id > ? AND s.id < ? UNION ` + candidateColumns +
			`JOIN origins o ON o.session = s.key WHERE o.source_id > ? AND o.source_id < ? LIMIT 50`, []any{ref, end, ref, end}},
	} {
		var found []candidate
		if err := t.All(ctx, &found, q.query, q.args...); err != nil {
			return 0, err
		}
		if key, err := choose(ref, found); key != 0 || err != nil {
			return key, err
		}
	}
	return 0, noSession(ref)
}

// choose takes the one candidate outside the trash, else the one in it, and a session before its
// subagents; 0 if there are no candidates.
func choose(ref string, found []candidate) (int64, error) {
	for _, second := range []func(candidate) bool{
		func(c candidate) bool { return c.Deleted },
		func(c candidate) bool { return c.Child },
	} {
		if first := slices.DeleteFunc(slices.Clone(found), second); len(first) > 0 {
			found = first
		}
	}
	switch len(found) {
	case 0:
		return 0, nil
	case 1:
		return found[0].Key, nil
	}
	names := []string{}
	for _, c := range found[:min(5, len(found))] {
		names = append(names, c.ID+" ("+excerpt.Line(c.Title, 40)+")")
	}
	more := ""
	if len(found) > len(names) {
		more = " and others"
	}
	return 0, core.E(core.Invalid, "%q may mean several sessions: %s%s", ref, strings.Join(names, ", "), more).WithHint("type more of the id")
}
