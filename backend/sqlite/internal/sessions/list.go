package sessions

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/jmoiron/sqlx"

	"coppice/backend/core"
	"coppice/backend/lists"
	"coppice/backend/modelname"
	"coppice/backend/sqlite/internal/activity"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/store"
	"coppice/backend/sqlite/internal/tables"
)

// Sessions lists sessions. Newest first, as it opens, it is one range of an index however many
// there are; other orders sort what matches.
func (db *Store) Sessions(ctx context.Context, f core.SessionFilter) ([]core.Session, error) {
	sessions := []core.Session{}
	err := db.Read(ctx, func(t *store.Txn) error {
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
	c.Add(`s.pinned_at_ms = 0`)
	others, err := querySessions(ctx, t, c, rest)
	return append(pinned, others...), err
}

func querySessions(ctx context.Context, t *conn.Tx, c *tables.Condition, f core.SessionFilter) ([]core.Session, error) {
	limit := f.Limit
	if limit <= 0 {
		limit = -1
	}
	order, args := Order(f)
	query := `SELECT ` + tables.SessionColumns + ` FROM ` + table(f) + ` WHERE ` + c.String() + ` ORDER BY ` + order + ` LIMIT ? OFFSET ?`
	rows, err := t.Direct().QueryxContext(ctx, query, append(append(c.Args, args...), limit, max(f.Offset, 0))...)
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
		var row tables.SessionRow
		if err := rows.StructScan(&row); err != nil {
			return nil, err
		}
		s, err := row.Decode()
		if err != nil {
			return nil, err
		}
		sessions = append(sessions, s)
	}
	return sessions, nil
}

// CountSessions counts what Sessions would list without limit and offset.
func (db *Store) CountSessions(ctx context.Context, f core.SessionFilter) (int64, error) {
	var n int64
	err := db.Read(ctx, func(t *store.Txn) error {
		c, err := conditionOf(ctx, t.Tx, f)
		if err != nil {
			return err
		}
		return sqlx.GetContext(ctx, t.Direct(), &n, `SELECT count(*) FROM `+table(f)+` WHERE `+c.String(), c.Args...)
	})
	return n, conn.Fail(err, "count sessions")
}

const newest = `s.updated_at_ms DESC, s.key DESC`

// mostExpensive orders by what is known or estimated of the cost, as the index sessions_cost does. Sessions without either come last,
// those with most tokens first.
const mostExpensive = `coalesce(s.cost_nano_usd + s.estimated_cost_nano_usd, s.cost_nano_usd, s.estimated_cost_nano_usd) DESC,
	s.input_tokens + s.output_tokens DESC, s.key DESC`

// conditionOf returns the condition of a filter, its times and its model included.
func conditionOf(ctx context.Context, t *conn.Tx, f core.SessionFilter) (*tables.Condition, error) {
	c := Where(f)
	if f.Model != "" {
		ids, err := sameModel(ctx, t, f.Model)
		if err != nil {
			return nil, err
		}
		tables.AddOneOf(c, `s.model`, ids)
	}
	if f.ActiveFromMs == 0 && f.ActiveBeforeMs == 0 {
		return c, nil
	}
	active, err := activity.ActiveSessions(ctx, t, f.ActiveFromMs, f.ActiveBeforeMs)
	if err != nil {
		return nil, err
	}
	keys, err := json.Marshal(active)
	c.Add(`s.key IN (SELECT value FROM json_each(?))`, string(keys))
	return c, err
}

// sameModel returns the ids under which sessions have a model, and the given one.
func sameModel(ctx context.Context, t *conn.Tx, model string) ([]string, error) {
	var ids []string
	if err := t.All(ctx, &ids, `SELECT DISTINCT model FROM facets WHERE model <> ''`); err != nil {
		return nil, err
	}
	family := modelname.Family(model)
	ids = slices.DeleteFunc(ids, func(id string) bool { return id == model || modelname.Family(id) != family })
	return append(ids, model), nil
}

// Where makes the condition of a filter but for its times and its model. For the default list its terms are those of the index sessions_list.
func Where(f core.SessionFilter) *tables.Condition {
	c := &tables.Condition{}
	switch {
	case f.Trash:
		c.Add(`s.deleted_at_ms > 0`)
	case f.Archived:
		c.Add(`s.deleted_at_ms = 0`)
		c.Add(`s.archived_at_ms > 0`)
	default:
		c.Add(`s.deleted_at_ms = 0`)
		c.Add(`s.archived_at_ms = 0`)
	}
	switch {
	case f.ParentID != "":
		c.Add(`s.parent_id = ?`, f.ParentID)
	case !f.Children:
		c.Add(`s.relation <> 'subagent'`)
	}
	if f.Pinned {
		c.Add(`s.pinned_at_ms > 0`)
	}
	if f.Incomplete {
		c.Add(unfinished())
	}
	tables.AddOneOf(c, `s.source`, f.Sources)
	tables.AddOneOf(c, `s.status`, f.Statuses)
	if f.Workspace != "" {
		c.Add(`s.workspace_path = ?`, f.Workspace)
	}
	if f.Project != "" {
		c.Add(`s.project = ?`, f.Project)
	}
	if f.Branched {
		c.Add(`s.branch_count > 1`)
	}
	if f.Errors {
		c.Add(`(s.failed_count > 0 OR s.status = 'failed')`)
	}
	if f.Label != "" {
		c.Add(`s.key IN (SELECT session FROM labels WHERE text = ?)`, f.Label)
	}
	if f.Tag != "" {
		c.Add(`s.key IN (SELECT session FROM session_tags WHERE tag = ?)`, f.Tag)
	}
	for word := range strings.FieldsSeq(f.Query) {
		addWord(c, word)
	}
	return c
}

// addWord adds the condition of a word of the query. A word with a field that is not complete yet, such as tag:, lets every session through.
func addWord(c *tables.Condition, word string) {
	field, value, ok := strings.Cut(word, ":")
	switch {
	case ok && strings.EqualFold(field, "tag"):
		if value != "" {
			c.Add(`s.key IN (SELECT session FROM session_tags WHERE tag LIKE ? ESCAPE '\')`, escaped(value)+`%`)
		}
	case ok && strings.EqualFold(field, "file"):
		if value != "" {
			addFile(c, value)
		}
	default:
		term, args := tables.Contains(knownBy, word)
		c.Add(term, args...)
	}
}

// addFile adds the condition that a session touched a file: by its name, or by the end of its path.
func addFile(c *tables.Condition, value string) {
	name := value[strings.LastIndexAny(value, `/\`)+1:]
	const touched = `s.key IN (SELECT t.session FROM file_paths p JOIN touched_files t ON t.file = p.id WHERE t.failed = 0 AND `
	if name == value {
		c.Add(touched+`p.name = ?)`, name)
		return
	}
	c.Add(touched+`p.name = ? AND (p.path = ? OR p.path LIKE ? ESCAPE '\'))`, name, value, `%/`+escaped(strings.TrimLeft(value, "/")))
}

// escaped returns a text as it is written in a LIKE pattern.
func escaped(text string) string {
	return strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(text)
}

// incomplete are the statuses of what can be resumed.
func incomplete() []core.Status {
	return []core.Status{core.StatusRunning, core.StatusPartial, core.StatusFailed, core.StatusInterrupted, core.StatusHibernated}
}

// unfinished returns the condition of what can be resumed. It is the term of the index sessions_unfinished, hence without arguments.
func unfinished() string {
	return `s.status IN ('` + strings.ReplaceAll(lists.Join(incomplete()), ", ", "', '") + `')`
}

// knownBy is what a user may know a session by.
const knownBy = `concat_ws(char(10), s.title, s.task, s.name, s.workspace_path, s.project, s.tags, s.id, s.source_id)`
