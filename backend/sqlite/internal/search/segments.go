package search

import (
	"bytes"
	"context"

	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/fts"
)

// IndexWords adds the words of documents to the index. ids are their rowids, ascending, 0 for a document to leave out.
//
// Where the rows of package fts are known to be those that FTS5 would write, they are stored as one segment, which takes a
// third of the time. Otherwise FTS5 gets the words by INSERT.
func IndexWords(ctx context.Context, t *conn.Tx, p *fts.Postings, ids []int64) error {
	if err := mergeSegments(ctx, t, 0); err != nil { // a deletion may have left FTS5 with a copy of the list, which this drops
		return err
	}
	index, known, err := ReadIndex(ctx, t)
	if err != nil {
		return err
	}
	if !known {
		return InsertWords(ctx, t, p, ids)
	}
	return addSegment(ctx, t, &index, p, ids)
}

// ReadIndex reads the state of the index. known is false if a segment cannot be added to it by package fts.
func ReadIndex(ctx context.Context, t *conn.Tx) (index fts.Index, known bool, err error) {
	var stored struct {
		Version             string
		Structure, Averages []byte
	}
	const query = `SELECT sqlite_version() AS version, (SELECT block FROM search_index_data WHERE id = ?) AS structure,
		(SELECT block FROM search_index_data WHERE id = ?) AS averages`
	if err := t.Get(ctx, &stored, query, fts.StructureID, fts.AveragesID); err != nil || !fts.Verified(stored.Version) {
		return index, false, err
	}
	index, known = fts.Decode(stored.Structure, stored.Averages)
	return index, known, nil
}

// InsertWords hands the words to FTS5. Its tokenizer, ascii, makes the same words of them.
func InsertWords(ctx context.Context, t *conn.Tx, p *fts.Postings, ids []int64) error {
	var text []byte
	for i, id := range ids {
		if id == 0 {
			continue
		}
		text = p.Text(text[:0], i)
		if _, err := t.Exec(ctx, `INSERT INTO search_index (rowid, text) VALUES (?, ?)`, id, string(text)); err != nil {
			return err
		}
	}
	return nil
}

// addSegment stores the words as one segment.
func addSegment(ctx context.Context, t *conn.Tx, index *fts.Index, p *fts.Postings, ids []int64) error {
	rows := &segmentRows{ctx: ctx, tx: t}
	leaves, err := index.Add(p, ids, rows)
	if err != nil || len(rows.sizes) == 0 {
		return err
	}
	if err := t.InsertRows(ctx, `INSERT OR REPLACE INTO search_index_docsize (id, sz, origin) VALUES `, 3, rows.sizes); err != nil {
		return err
	}
	if err := rows.Page(fts.StructureID, index.Structure()); err != nil {
		return err
	}
	if err := rows.Page(fts.AveragesID, index.Averages()); err != nil {
		return err
	}
	if !index.Crowded() {
		return nil
	}
	return mergeSegments(ctx, t, max(leastMerge, leaves))
}

// segmentRows stores the rows of a segment in the shadow tables of the index. It is an fts.Rows.
type segmentRows struct {
	ctx   context.Context // it lives as long as one call
	tx    *conn.Tx
	sizes []any
}

// Size collects a row, so that many are stored by one statement.
func (r *segmentRows) Size(document int64, words []byte, origin int64) error {
	r.sizes = append(r.sizes, document, bytes.Clone(words), origin)
	return nil
}

// Page stores a page.
func (r *segmentRows) Page(id int64, block []byte) error {
	_, err := r.tx.Exec(r.ctx, `INSERT OR REPLACE INTO search_index_data (id, block) VALUES (?, ?)`, id, block)
	return err
}

// Term stores the least word of a leaf.
func (r *segmentRows) Term(segment int64, word []byte, leaf int64) error {
	_, err := r.tx.Exec(r.ctx, `INSERT INTO search_index_idx (segid, term, pgno) VALUES (?, ?, ?)`, segment, word, leaf)
	return err
}

// leastMerge is the number of leaves that FTS5 itself merges at a time.
const leastMerge = 64

// mergeSegments lets FTS5 continue to merge the segments of a level, if it has enough of them, until it has written a number
// of leaves.
func mergeSegments(ctx context.Context, t *conn.Tx, leaves int64) error {
	_, err := t.Exec(ctx, `INSERT INTO search_index (search_index, rank) VALUES ('merge', ?)`, leaves)
	return err
}
