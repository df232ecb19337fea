package sqlite

import (
	"context"
	"slices"
	"strings"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/salvage"
)

// derivedTables are made again from the others.
var derivedTables = []string{ // a constant
	"branches", "turns", "veils", "facets", "activity", "activity_places", "activity_names", "schema_migrations",
	"search_docs", "search_words", "search_queue", "search_index", "search_index_data", "search_index_idx", "search_index_docsize", "search_index_config",
}

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

// readShapes reads the shapes of the tables from the new library.
func (r *recovery) readShapes(ctx context.Context) error {
	return r.to.read(ctx, func(t *tx) error {
		var tables []struct {
			Name string
			WR   bool
		}
		if err := t.All(ctx, &tables, `SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'`); err != nil {
			return err
		}
		for _, table := range tables {
			if slices.Contains(derivedTables, table.Name) {
				continue
			}
			s := shape{table: table.Name, keyed: table.WR}
			const query = `SELECT name, type, "notnull", dflt_value IS NOT NULL AS "default", pk FROM pragma_table_info(?) ORDER BY cid`
			if err := t.All(ctx, &s.columns, query, table.Name); err != nil {
				return err
			}
			for i, c := range s.columns {
				if c.NotNull && !c.Default {
					s.least = i + 1
				}
			}
			r.shapes = append(r.shapes, s)
		}
		return nil
	})
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

// hasText reports whether the shape tells rows of the table from entries of an index.
func (s *shape) hasText() bool {
	return slices.ContainsFunc(s.columns, func(c column) bool { return c.Type == "TEXT" })
}

// shapeOf finds the table of a row: that which its page belongs to, else the only one whose shape fits.
func (r *recovery) shapeOf(row *salvage.Row) (found *shape) {
	for i := range r.shapes {
		s := &r.shapes[i]
		if !s.fits(row) {
			continue
		}
		if s.table == row.Owner {
			return s
		}
		if row.Keyed && (row.Owner != "" || !s.hasText()) {
			continue // an entry of an index
		}
		if found != nil {
			return nil
		}
		found = s
	}
	return found
}

// load writes every row that can be read to the new library.
func (r *recovery) load(ctx context.Context) error {
	batch := make([]loaded, 0, loadBatch)
	progress := func(done, total int64) {
		r.progress(core.Progress{Done: done, Total: total, Current: "pages"})
	}
	for row, err := range r.from.Rows(ctx, progress) {
		if err != nil {
			return err
		}
		s := r.shapeOf(&row)
		if s == nil {
			if row.Owner == "" && !row.Keyed {
				r.report.Unplaced++
			}
			continue
		}
		batch = append(batch, loaded{s, row})
		if len(batch) == loadBatch {
			if err := r.loadBatch(ctx, batch); err != nil {
				return err
			}
			batch = batch[:0]
		}
	}
	return r.loadBatch(ctx, batch)
}

// loaded is a row with its table.
type loaded struct {
	*shape
	row salvage.Row
}

func (r *recovery) loadBatch(ctx context.Context, batch []loaded) error {
	return r.to.write(ctx, func(t *tx) error {
		for i := range batch {
			if err := r.loadRow(ctx, t, &batch[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

func (r *recovery) loadRow(ctx context.Context, t *tx, l *loaded) error {
	for i := range l.row.Values {
		if l.isRowID(&l.columns[i]) {
			l.row.Values[i] = l.row.RowID
		}
		if text, ok := l.row.Values[i].(string); ok {
			l.row.Values[i] = strings.ToValidUTF8(text, "\uFFFD")
		}
	}
	switch l.table {
	case "messages":
		return r.loadMessage(ctx, t, l)
	case "blobs":
		return r.loadBlob(ctx, t, l)
	}
	added, err := l.insert(ctx, t)
	if err != nil || !added || l.table != "sessions" {
		return err
	}
	s := r.session(l.number("key"))
	s.ID, s.Title, s.Expected, s.hasRow = l.text("id"), l.text("title"), l.number("message_count"), true
	return nil
}

// insert writes the row unless one with its key is there, or its table refuses it.
func (l *loaded) insert(ctx context.Context, t *tx) (added bool, err error) {
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

// loadBlob writes a content. One that is not what its hash says is missing from now on.
func (r *recovery) loadBlob(ctx context.Context, t *tx, l *loaded) error {
	hash := l.text("hash")
	b, err := decodeBlob(t, &blobRow{Hash: hash, Codec: l.text("codec"), Data: l.bytes("data")})
	if sound := err == nil && core.Hash(b.Data) == hash; !sound && l.value("data") != nil {
		l.set("data", nil)
		r.report.Missing++
	}
	added, err := l.insert(ctx, t)
	if added && l.value("data") != nil {
		r.report.Contents++
	}
	return err
}
