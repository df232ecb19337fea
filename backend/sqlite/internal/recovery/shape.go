package recovery

import (
	"context"
	"database/sql"
	"encoding/json"
	"slices"
	"strings"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/packing"
	"coppice/backend/sqlite/internal/salvage"
	"coppice/backend/sqlite/internal/store"
	"coppice/backend/sqlite/internal/tables"
)

// shape is what rows of a table look like.
type shape struct {
	table   string
	keyed   bool // WITHOUT ROWID
	columns []column
	least   int // columns that a row has at least: later versions have added the others
}

type column struct {
	Name    string
	Type    string
	NotNull bool `db:"notnull"`
	Default bool
	PK      int64
}

// isRowID reports whether the column is another name of the row's id, which a record holds as NULL.
func (s *shape) isRowID(c *column) bool { return !s.keyed && c.PK == 1 && c.Type == "INTEGER" }

// fits reports whether a row may be one of the table.
func (s *shape) fits(row *salvage.Row) bool {
	if row.Keyed != s.keyed || len(row.Values) < s.least || len(row.Values) > len(s.columns) {
		return false
	}
	for i, v := range row.Values {
		c := &s.columns[i]
		ok := false
		switch v.(type) {
		case nil:
			ok = !c.NotNull && c.PK == 0 || s.isRowID(c)
		case int64:
			ok = c.Type == "INTEGER" && !s.isRowID(c)
		case string:
			ok = c.Type == "TEXT"
		case []byte:
			ok = c.Type == "BLOB"
		}
		if !ok {
			return false
		}
	}
	return true
}

// hasText reports whether the shape distinguishes rows of the table from entries of an index.
func (s *shape) hasText() bool {
	return slices.ContainsFunc(s.columns, func(c column) bool { return c.Type == "TEXT" })
}

// loaded is a row with its table.
type loaded struct {
	*shape
	row salvage.Row
}

// insert writes the row unless one with its key is there, or its table refuses it.
func (l *loaded) insert(ctx context.Context, t *store.Txn) (added bool, err error) {
	names := make([]string, len(l.row.Values))
	for i := range names {
		names[i] = l.columns[i].Name
	}
	query := `INSERT OR IGNORE INTO ` + l.table + ` (` + strings.Join(names, ", ") + `) VALUES (` + strings.Repeat("?, ", len(names)-1) + `?)`
	result, err := t.Exec(ctx, query, l.row.Values...)
	if conn.Is(err, conn.CodeConstraint) {
		return false, nil
	} else if err != nil {
		return false, err
	}
	n, err := result.RowsAffected()
	return n > 0, err
}

func (l *loaded) at(name string) int {
	return slices.IndexFunc(l.columns, func(c column) bool { return c.Name == name })
}

// value returns a column's value; nil if the row does not have it.
func (l *loaded) value(name string) any {
	if i := l.at(name); i >= 0 && i < len(l.row.Values) {
		return l.row.Values[i]
	}
	return nil
}

func (l *loaded) set(name string, value any) { l.row.Values[l.at(name)] = value }

func (l *loaded) number(name string) int64 {
	n, _ := l.value(name).(int64)
	return n
}

func (l *loaded) text(name string) string {
	text, _ := l.value(name).(string)
	return text
}

func (l *loaded) bytes(name string) []byte {
	data, _ := l.value(name).([]byte)
	return data
}

// message returns what the columns hold of a message.
func (l *loaded) message() core.Message {
	number := func(name string) sql.NullInt64 {
		n, ok := l.value(name).(int64)
		return sql.NullInt64{Int64: n, Valid: ok}
	}
	row := tables.MessageRow{
		UID: l.text("uid"), Kind: core.Kind(l.text("kind")), Role: core.Role(l.text("role")), Name: l.text("name"), Agent: l.text("agent"),
		Model: l.text("model"), FinishReason: l.text("finish_reason"), CreatedAtMs: l.number("created_at_ms"),
		FinishedAtMs: l.number("finished_at_ms"),
		InputTokens:  number("input_tokens"), OutputTokens: number("output_tokens"), CacheReadTokens: number("cache_read_tokens"),
		CacheWriteTokens: number("cache_write_tokens"), ReasoningTokens: number("reasoning_tokens"),
	}
	if cost := number("cost_nano_usd"); cost.Valid {
		row.CostNanoUSD = &cost.Int64
	}
	m := row.Head()
	m.Parts = nil // until the body was read
	return m
}

// shorten replaces the body by the beginning of the text that lists show.
func (l *loaded) shorten(c *packing.Codec, m *core.Message) error {
	m.Parts = []core.Part{{Type: core.PartText, Text: l.text("text_preview")}}
	m.Meta = withMark(nil, "bodyLost")
	return l.repack(c, m)
}

// repack stores a message in the row as it is now.
func (l *loaded) repack(c *packing.Codec, m *core.Message) error {
	p, err := c.Pack(*m)
	if err != nil {
		return err
	}
	l.set("body", p.Body)
	l.set("content_hash", p.Hash)
	l.set("kind", string(p.Message.Kind))
	return nil
}

// withMark returns the meta of a message with a mark of what its recovery has cost; meta that is no object is replaced.
func withMark(meta json.RawMessage, mark string) json.RawMessage {
	object := map[string]json.RawMessage{}
	if json.Unmarshal(meta, &object) != nil || object == nil {
		object = map[string]json.RawMessage{}
	}
	object[mark] = json.RawMessage("true")
	data, err := json.Marshal(object)
	if err != nil {
		return meta
	}
	return data
}
