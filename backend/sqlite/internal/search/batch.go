package search

import (
	"cmp"
	"context"
	"slices"

	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/packing"
	"coppice/backend/sqlite/internal/store"
)

// Indexed is a message on its way into the index.
type Indexed struct {
	Message     int64
	ContentHash int64 `db:"content_hash"`
	CreatedAtMs int64 `db:"created_at_ms"`
	Body        packing.Stored
	Signature   []byte // of a check: what is stored
}

// indexedBatch is messages that are cut into words; done is closed when they are.
type indexedBatch struct {
	docs  []Indexed // by time, as FTS5 wants their numbers in order
	words *Postings
	err   error
	done  chan struct{}
}

// sort orders messages by time, as FTS5 wants their numbers in order.
func (b *indexedBatch) sort() {
	order := make([]int, len(b.docs))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return byTime(b.docs[i], b.docs[j]) })
	docs := b.docs
	b.docs = make([]Indexed, len(docs))
	for to, from := range order {
		b.docs[to] = docs[from]
	}
	b.words.Reorder(order)
}

func byTime(a, b Indexed) int {
	return cmp.Or(cmp.Compare(a.CreatedAtMs, b.CreatedAtMs), cmp.Compare(a.Message, b.Message))
}

// miscounted counts the messages that have other numbers of words than stand in place of their contents' hashes.
func (b *indexedBatch) miscounted() (n int64) {
	for i := range b.docs {
		if int64(b.words.Count(i)) != b.docs[i].ContentHash {
			n++
		}
	}
	return n
}

func toIndex(ctx context.Context, t *store.Txn, query string, args ...any) (docs []Indexed, err error) {
	rows, err := t.Rows(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer conn.CloseRows(rows, &err)
	for size := 0; size < indexBatchBytes && rows.Next(); {
		var d Indexed
		var body []byte
		if err := rows.Scan(&d.Message, &d.ContentHash, &d.CreatedAtMs, &body); err != nil {
			return nil, err
		}
		if d.Body, err = t.Stored(ctx, body); err != nil {
			return nil, err
		}
		size += d.Body.Size()
		docs = append(docs, d)
	}
	return docs, nil
}

// A batch of the index: what is read, cut into words and written at once. It ends by a count or by the size of the bodies as
// they are stored. Who wants to write meanwhile waits for one.
const (
	indexBatch      = 4096
	indexBatchBytes = 4 << 20
)
