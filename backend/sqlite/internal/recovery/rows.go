package recovery

import (
	"context"
	"slices"
	"strings"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/salvage"
	"coppice/backend/sqlite/internal/store"
	"coppice/backend/sqlite/internal/tables"
)

// derivedTables are made again from the others.
var derivedTables = []string{ // a constant
	"branches", "turns", "veils", "facets", "touched_files", "file_paths", "secret_scans", "secret_hits", "session_tags", "workspace_projects", "activity", "activity_places", "activity_names", "schema_migrations",
	"search_docs", "search_words", "search_queue", "search_index", "search_index_data", "search_index_idx", "search_index_docsize", "search_index_config",
}

// readShapes reads the shapes of the tables from the new library.
func (r *recovery) readShapes(ctx context.Context) error {
	return r.to.Read(ctx, func(t *store.Txn) error {
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

func (r *recovery) loadBatch(ctx context.Context, batch []loaded) error {
	return r.to.Write(ctx, func(t *store.Txn) error {
		for i := range batch {
			if err := r.loadRow(ctx, t, &batch[i]); err != nil {
				return err
			}
		}
		return r.loadWaiting(ctx, t)
	})
}

func (r *recovery) loadRow(ctx context.Context, t *store.Txn, l *loaded) error {
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
		return r.loadStored(ctx, t, l)
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

// loadBlob writes a content. One that is not what its hash says is missing from now on.
func (r *recovery) loadBlob(ctx context.Context, t *store.Txn, l *loaded) error {
	hash := l.text("hash")
	b, err := tables.DecodeBlob(t, &tables.BlobRow{Hash: hash, Codec: l.text("codec"), Data: l.bytes("data")})
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
