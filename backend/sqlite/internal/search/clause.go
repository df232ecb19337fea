package search

import (
	"cmp"
	"context"
	"math"
	"path"
	"strings"

	"coppice/backend/core"
	"coppice/backend/query"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/store"
	"coppice/backend/sqlite/internal/tables"
)

// clause is a query in SQL, on search_docs d and, where a condition names them, sessions s and messages m.
type clause struct {
	match    string // for FTS5; empty: the index is not asked
	sessions bool   // s is needed
	messages bool   // m is needed
	first    int64  // the numbers in the index that come into question
	last     int64
	tables.Condition
}

// clauseOf writes queries, all of which must hold. match, where there is one, must hold too.
func clauseOf(ctx context.Context, t *store.Txn, q core.SearchQuery, match string, roots ...*query.Node) (*clause, error) {
	c := &clause{last: math.MaxInt64}
	if err := c.within(ctx, t, q.SessionID); err != nil {
		return nil, err
	}
	if q.Before > 0 {
		c.last = min(c.last, q.Before-1)
	}
	if !query.NamesHidden(roots...) {
		c.Add(`NOT (` + isHidden + `)`)
	}
	var has, lacks []string
	if match != "" {
		has = append(has, match)
	}
	var rest []*query.Node
	for _, n := range conjuncts(roots) {
		switch {
		case isWords(n):
			has = append(has, expression(n))
		case n.Op == query.Not && isWords(n.Kids[0]):
			lacks = append(lacks, expression(n.Kids[0]))
		default:
			rest = append(rest, n)
		}
	}
	if len(has) > 0 {
		c.match = without("("+strings.Join(has, " AND ")+")", lacks)
	} else if len(lacks) > 0 {
		c.Add(`d.id NOT IN (`+matching+`)`, strings.Join(lacks, " OR "))
	}
	for _, n := range rest {
		term, args, err := c.term(ctx, t, n, cmp.Or(q.FromID, q.SessionID))
		if err != nil {
			return nil, err
		}
		c.Add(term, args...)
	}
	return c, nil
}

// within keeps to a session, or out of the trash.
func (c *clause) within(ctx context.Context, t *store.Txn, sessionID string) error {
	if sessionID == "" {
		c.Add(`d.session NOT IN (SELECT key FROM sessions WHERE deleted_at_ms > 0)`) // few, where the others are many
		return nil
	}
	key, err := tables.SessionKey(ctx, t.Tx, sessionID)
	if err != nil {
		return err
	}
	c.Add(`d.session = ?`, key)
	var ends struct{ First, Last int64 }
	const query = `SELECT coalesce(min(id), 0) AS first, coalesce(max(id), 0) AS last FROM search_docs WHERE session = ?`
	err = t.Get(ctx, &ends, query, key)
	c.first, c.last = ends.First, ends.Last
	return err
}

// isHidden asks whether a message is in the trash of its session. Most sessions have none.
const isHidden = `d.session IN (SELECT session FROM veils) AND EXISTS (SELECT 1 FROM messages w JOIN veils v ON v.session = w.session AND v.branch = w.branch
	AND v.from_depth <= w.depth WHERE w.id = d.message)`

// stateTerm writes what query.Is asks for.
func stateTerm(state string) string {
	switch state {
	case query.Hidden:
		return `(` + isHidden + `)`
	case query.Bookmarked:
		return `EXISTS (SELECT 1 FROM bookmarks b JOIN messages n ON n.id = b.message JOIN messages w ON w.id = d.message
			WHERE b.session = d.session AND n.turn = w.turn)`
	default: // query.AnyState
		return `TRUE`
	}
}

// conjuncts are the queries that must hold one by one.
func conjuncts(roots []*query.Node) []*query.Node {
	var all []*query.Node
	for _, n := range roots {
		switch {
		case n == nil:
		case n.Op == query.All:
			all = append(all, n.Kids...)
		default:
			all = append(all, n)
		}
	}
	return all
}

// touching asks for messages whose calls changed a file. It finds the file by its name, which is indexed, and then by the end of
// its path.
const touching = `d.message IN (SELECT t.message FROM file_paths p JOIN touched_files t ON t.file = p.id WHERE p.name = ?
	AND ('/' || replace(p.path, '\', '/')) LIKE '%/' || ? ESCAPE '!')`

// likeEscaper escapes the wildcards of LIKE.
var likeEscaper = strings.NewReplacer("!", "!!", "%", "!%", "_", "!_") // a constant

// slashed writes a path with slashes.
func slashed(name string) string { return path.Clean(strings.ReplaceAll(name, `\`, "/")) }

const matching = `SELECT rowid FROM search_index WHERE search_index MATCH ?`

// term writes one node as a condition.
func (c *clause) term(ctx context.Context, t *store.Txn, n *query.Node, here string) (string, []any, error) {
	if isWords(n) {
		return `d.id IN (` + matching + `)`, []any{expression(n)}, nil
	}
	switch n.Op {
	case query.All, query.Any, query.Not:
		return c.combine(ctx, t, n, here)
	case query.Role:
		return oneOf(`d.role`, n.Values)
	case query.Source:
		c.sessions = true
		own, args, _ := oneOf(`s.source`, n.Values)
		copied, more, _ := oneOf(`o.source`, n.Values)
		return `(` + own + ` OR EXISTS (SELECT 1 FROM origins o WHERE o.session = s.key AND ` + copied + `))`, append(args, more...), nil
	case query.Model:
		c.messages = true
		term, args := tables.Contains(`m.model`, n.Text)
		return term, args, nil
	case query.Path:
		c.sessions = true
		term, args := tables.Contains(`concat_ws(char(10), s.workspace_path, s.source_path)`, n.Text)
		return term, args, nil
	case query.File:
		return touching, []any{path.Base(slashed(n.Text)), likeEscaper.Replace(slashed(n.Text))}, nil
	case query.Label:
		c.messages = true
		term, args := tables.Contains(`l.text`, n.Text)
		return `EXISTS (SELECT 1 FROM labels l JOIN messages n ON n.id = l.message WHERE l.session = d.session AND n.turn = m.turn AND ` + term + `)`, args, nil
	case query.Before:
		return `d.created_at_ms < ?`, []any{n.TimeMs}, nil
	case query.After:
		return `d.created_at_ms >= ?`, []any{n.TimeMs}, nil
	case query.Is:
		return stateTerm(n.Values[0]), nil, nil
	default: // In
		return inSession(ctx, t.Tx, n, here)
	}
}

func inSession(ctx context.Context, t *conn.Tx, n *query.Node, here string) (string, []any, error) {
	var key int64
	var err error
	if n.Text == query.Here && here != "" {
		key, err = tables.SessionKey(ctx, t, here)
	} else {
		key, err = tables.ResolveSession(ctx, t, n.Text)
	}
	if code := core.CodeOf(err); n.Text == query.Here && here == "" && (code == core.NotFound || code == core.Invalid) {
		err = core.E(core.Invalid, "in:session is the session that is open, and none is").WithHint("name one: in:ID, with its id, its name or the beginning of its id")
	}
	return `d.session = ?`, []any{key}, err
}

// combine writes a node with kids.
func (c *clause) combine(ctx context.Context, t *store.Txn, n *query.Node, here string) (string, []any, error) {
	terms, args := make([]string, len(n.Kids)), []any{}
	for i, k := range n.Kids {
		term, more, err := c.term(ctx, t, k, here)
		if err != nil {
			return "", nil, err
		}
		terms[i], args = term, append(args, more...)
	}
	switch n.Op {
	case query.Not:
		return `NOT (` + terms[0] + `)`, args, nil
	case query.Any:
		return `(` + strings.Join(terms, ` OR `) + `)`, args, nil
	default:
		return `(` + strings.Join(terms, ` AND `) + `)`, args, nil
	}
}

func oneOf(column string, values []string) (string, []any, error) {
	c := &tables.Condition{}
	tables.AddOneOf(c, column, values)
	return c.String(), c.Args, nil
}

// sql writes SELECT columns of what the clause asks for, the newest first.
func (c *clause) sql(columns string) (string, []any) {
	from, id, where, args := `search_docs d`, `d.id`, c.String(), []any{}
	if c.match != "" {
		// Crossed, so that the index leads: its rows come in the order that is wanted.
		from, id = `search_index f CROSS JOIN search_docs d ON d.id = f.rowid`, `f.rowid`
		where, args = `f.search_index MATCH ? AND `+where, append(args, c.match)
	}
	if c.sessions {
		from += ` CROSS JOIN sessions s ON s.key = d.session`
	}
	if c.messages {
		from += ` CROSS JOIN messages m ON m.id = d.message`
	}
	return `SELECT ` + columns + ` FROM ` + from + ` WHERE ` + where + ` AND ` + id + ` BETWEEN ? AND ? ORDER BY ` + id + ` DESC`,
		append(append(args, c.Args...), c.first, c.last)
}
