package sqlite

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/jmoiron/sqlx"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
)

// Sessions lists sessions. Newest first, as it opens, it is one range of an index however many
// there are; other orders sort what matches.
func (db *sessionStore) Sessions(ctx context.Context, f core.SessionFilter) ([]core.Session, error) {
	sessions := []core.Session{}
	err := db.read(ctx, func(t *tx) error {
		var err error
		if f.PinnedFirst && !f.Pinned {
			sessions, err = listPinnedFirst(ctx, t.Tx, f)
		} else {
			sessions, err = listSessions(ctx, t.Tx, f)
		}
		return err
	})
	return sessions, conn.Fail(err, "list sessions")
}

// listSessions lists what a filter lets through.
func listSessions(ctx context.Context, t *conn.Tx, f core.SessionFilter) ([]core.Session, error) {
	c, err := conditionOf(ctx, t, f)
	if err != nil {
		return nil, err
	}
	return querySessions(ctx, t, c, f)
}

// listPinnedFirst lists the pinned ones and then the others, so that these are still one range.
func listPinnedFirst(ctx context.Context, t *conn.Tx, f core.SessionFilter) ([]core.Session, error) {
	only := f
	only.Pinned, only.Limit, only.Offset = true, 0, 0
	pinned, err := listSessions(ctx, t, only)
	if err != nil {
		return nil, err
	}
	count := int64(len(pinned))
	pinned = pinned[min(f.Offset, count):]
	rest := f
	rest.Offset = max(0, f.Offset-count)
	if f.Limit > 0 {
		pinned = pinned[:min(f.Limit, int64(len(pinned)))]
		if rest.Limit = f.Limit - int64(len(pinned)); rest.Limit == 0 {
			return pinned, nil
		}
	}
	c, err := conditionOf(ctx, t, f)
	if err != nil {
		return nil, err
	}
	c.add(`s.pinned_at_ms = 0`)
	others, err := querySessions(ctx, t, c, rest)
	return append(pinned, others...), err
}

func querySessions(ctx context.Context, t *conn.Tx, c *condition, f core.SessionFilter) ([]core.Session, error) {
	limit := f.Limit
	if limit <= 0 {
		limit = -1
	}
	order, args := order(f)
	query := `SELECT ` + sessionColumns + ` FROM ` + table(f) + ` WHERE ` + c.String() + ` ORDER BY ` + order + ` LIMIT ? OFFSET ?`
	rows, err := t.Direct().QueryxContext(ctx, query, append(append(c.args, args...), limit, max(f.Offset, 0))...)
	if err != nil {
		return nil, err
	}
	return scanSessions(rows)
}

// table names what is read: of the pinned sessions, which are few, only these. SQLite would rather go
// through all of them than sort.
func table(f core.SessionFilter) string {
	if f.Pinned {
		return `sessions s INDEXED BY sessions_pinned`
	}
	return `sessions s`
}

func scanSessions(rows *sqlx.Rows) (sessions []core.Session, err error) {
	defer conn.CloseRows(rows, &err)
	sessions = []core.Session{}
	for rows.Next() {
		var row sessionRow
		if err := rows.StructScan(&row); err != nil {
			return nil, err
		}
		s, err := row.session()
		if err != nil {
			return nil, err
		}
		sessions = append(sessions, s)
	}
	return sessions, nil
}

// CountSessions counts what Sessions would list without limit and offset.
func (db *sessionStore) CountSessions(ctx context.Context, f core.SessionFilter) (int64, error) {
	var n int64
	err := db.read(ctx, func(t *tx) error {
		c, err := conditionOf(ctx, t.Tx, f)
		if err != nil {
			return err
		}
		return sqlx.GetContext(ctx, t.Direct(), &n, `SELECT count(*) FROM `+table(f)+` WHERE `+c.String(), c.args...)
	})
	return n, conn.Fail(err, "count sessions")
}

const newest = `s.updated_at_ms DESC, s.key DESC`

// order writes the order of a list, with its arguments.
func order(f core.SessionFilter) (string, []any) {
	switch f.Sort {
	case core.SortCreated:
		return `s.created_at_ms DESC, s.key DESC`, nil
	case core.SortTitle:
		return `s.title COLLATE NOCASE, s.key`, nil
	case core.SortMessages:
		return `s.message_count DESC, s.key DESC`, nil
	case core.SortBranches:
		return `s.branch_count DESC, s.key DESC`, nil
	case core.SortCost:
		return `s.cost_nano_usd DESC, s.key DESC`, nil // NULL, unknown, comes last
	case core.SortMatch:
		title := strings.TrimSpace(f.Query)
		if title == "" {
			return newest, nil // one range
		}
		called, args := likeAny([]string{`s.title`, `coalesce(s.name, '')`}, spellings(title))
		return called + ` DESC, ` + newest, args
	default:
		return newest, nil
	}
}

// condition is a WHERE clause on sessions s with its arguments.
type condition struct {
	terms []string
	args  []any
}

func (c *condition) add(term string, args ...any) {
	c.terms = append(c.terms, term)
	c.args = append(c.args, args...)
}

func (c *condition) String() string { return strings.Join(c.terms, " AND ") }

// conditionOf makes the condition of a filter, of what the file says of its times too.
func conditionOf(ctx context.Context, t *conn.Tx, f core.SessionFilter) (*condition, error) {
	c := where(f)
	if f.ActiveFromMs == 0 && f.ActiveBeforeMs == 0 {
		return c, nil
	}
	active, err := activeSessions(ctx, t, f.ActiveFromMs, f.ActiveBeforeMs)
	if err != nil {
		return nil, err
	}
	keys, err := json.Marshal(active)
	c.add(`s.key IN (SELECT value FROM json_each(?))`, string(keys))
	return c, err
}

// where makes the condition of a filter but for its times. For the default list its terms are those of the index sessions_list.
func where(f core.SessionFilter) *condition {
	c := &condition{}
	switch {
	case f.Trash:
		c.add(`s.deleted_at_ms > 0`)
	case f.Archived:
		c.add(`s.deleted_at_ms = 0`)
		c.add(`s.archived_at_ms > 0`)
	default:
		c.add(`s.deleted_at_ms = 0`)
		c.add(`s.archived_at_ms = 0`)
	}
	switch {
	case f.ParentID != "":
		c.add(`s.parent_id = ?`, f.ParentID)
	case !f.Children:
		c.add(`s.relation <> 'subagent'`)
	}
	if f.Pinned {
		c.add(`s.pinned_at_ms > 0`)
	}
	if f.Incomplete {
		addOneOf(c, `s.status`, incomplete())
	}
	addOneOf(c, `s.source`, f.Sources)
	addOneOf(c, `s.status`, f.Statuses)
	if f.Workspace != "" {
		c.add(`s.workspace_path = ?`, f.Workspace)
	}
	if f.Model != "" {
		c.add(`s.model = ?`, f.Model)
	}
	if f.Label != "" {
		c.add(`s.key IN (SELECT session FROM labels WHERE text = ?)`, f.Label)
	}
	for word := range strings.FieldsSeq(f.Query) {
		term, args := contains(knownBy, word)
		c.add(term, args...)
	}
	return c
}

// incomplete are the statuses of what can be resumed.
func incomplete() []core.Status {
	return []core.Status{core.StatusRunning, core.StatusPartial, core.StatusFailed, core.StatusInterrupted, core.StatusHibernated}
}

func addOneOf[T ~string](c *condition, column string, values []T) {
	if len(values) == 0 {
		return
	}
	args := make([]any, len(values))
	for i, v := range values {
		args[i] = v
	}
	c.add(fmt.Sprintf(`%s IN (?%s)`, column, strings.Repeat(", ?", len(values)-1)), args...)
}

// knownBy is all that a person would know a session by.
const knownBy = `concat_ws(char(10), s.title, s.task, s.name, s.workspace_path, s.id, s.source_id)`

// likeAny asks whether one of the expressions is like one of the patterns.
func likeAny(expressions, patterns []string) (string, []any) {
	var either []string
	var args []any
	for _, expression := range expressions {
		for _, pattern := range patterns {
			either = append(either, expression+` LIKE ? ESCAPE '\'`)
			args = append(args, pattern)
		}
	}
	return `(` + strings.Join(either, ` OR `) + `)`, args
}

// contains asks for a text in an expression, ignoring case.
func contains(expression, text string) (string, []any) {
	patterns := spellings(text)
	for i, pattern := range patterns {
		patterns[i] = `%` + pattern + `%`
	}
	return likeAny([]string{expression}, patterns)
}

// spellings returns the patterns of a text. LIKE ignores the case of ASCII letters only, so that of others is
// tried: as it is, small, large, and with a large first letter.
func spellings(text string) []string {
	escape := strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)
	forms := []string{text}
	if !isASCII(text) {
		lower := []rune(strings.ToLower(text))
		forms = append(forms, string(lower), strings.ToUpper(text), strings.ToUpper(string(lower[:1]))+string(lower[1:]))
	}
	for i, form := range forms {
		forms[i] = escape.Replace(form)
	}
	return forms
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}
