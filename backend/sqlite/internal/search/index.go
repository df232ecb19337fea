package search

import (
	"context"
	"runtime"
	"slices"
	"sync"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/packing"
	"coppice/backend/sqlite/internal/store"
)

// Index brings the index of words up to date with the messages, in batches, each of which lasts: what a batch has done need not be done
// again after any end. progress, which may be nil, hears of messages. Of several calls at once one works, the others wait.
func (db *Store) Index(ctx context.Context, progress func(core.Progress)) error {
	select {
	case db.indexing <- struct{}{}:
	case <-ctx.Done():
		return conn.Fail(ctx.Err(), "index the messages")
	}
	defer func() { <-db.indexing }()
	total, err := db.Pending(ctx)
	if err == nil && total > 0 {
		err = (&indexer{db: db, progress: progress, total: total}).all(ctx)
	}
	if err != nil {
		return err
	}
	return conn.Fail(db.sign(ctx, progress), "index the symbols of the messages")
}

// all puts everything that waits into the index.
func (x *indexer) all(ctx context.Context) error {
	if err := x.gathered(ctx); err != nil {
		return conn.Fail(err, "index the messages")
	}
	for {
		n, err := x.pass(ctx)
		if err != nil || n == 0 {
			return conn.Fail(err, "index the messages")
		}
	}
}

// gathered puts the words that were gathered into the index.
func (x *indexer) gathered(ctx context.Context) error {
	b := x.db.pending.take()
	if b == nil {
		return nil
	}
	_, err := x.write(ctx, b)
	return err
}

// IndexGathered writes the gathered words to the index if there are many, so that they do not take memory. After an error the
// messages stay in the queue, and the next Index reports it.
func IndexGathered(ctx context.Context, db *Store) {
	if db.pending.Full() {
		WriteGathered(ctx, db) //nolint:errcheck // see above
	}
}

// WriteGathered writes the gathered words to the index, and reuses their memory.
func WriteGathered(ctx context.Context, db *Store) error {
	b := db.pending.take()
	if b == nil {
		return nil
	}
	_, err := (&indexer{db: db}).write(ctx, b)
	db.pending.reuse(b.words)
	return err
}

// Pending counts the messages that are not in the index yet.
func (db *Store) Pending(ctx context.Context) (int64, error) {
	var n int64
	err := db.Read(ctx, func(t *store.Txn) error { return t.Get(ctx, &n, `SELECT count(*) FROM search_queue`) })
	return n, conn.Fail(err, "look what is to be indexed")
}

// indexer is one run through the queue.
type indexer struct {
	db       *Store
	progress func(core.Progress)
	total    int64
	done     int64
	numbers  numbering
}

// pass goes through the queue once and returns how many messages it has written. Other goroutines read the next batches and cut them into
// words while this one writes.
func (x *indexer) pass(ctx context.Context) (written int, err error) {
	ctx, cancel := context.WithCancel(ctx)
	batches := make(chan *indexedBatch, runtime.GOMAXPROCS(0)-1)
	var others sync.WaitGroup
	defer others.Wait()
	defer cancel()
	others.Go(func() {
		defer close(batches)
		for after := int64(0); ; {
			docs, err := x.db.queued(ctx, after)
			if err == nil && len(docs) == 0 {
				return
			}
			if err == nil {
				after = docs[len(docs)-1].Message
			}
			// From here on the goroutine that cuts it into words owns it.
			b := &indexedBatch{docs: docs, err: err, done: make(chan struct{})}
			others.Go(func() {
				defer close(b.done)
				x.db.toWords(ctx, b)
			})
			select {
			case batches <- b:
			case <-ctx.Done():
				return
			}
			if err != nil {
				return
			}
		}
	})
	for b := range batches {
		<-b.done
		if b.err != nil {
			return written, b.err
		}
		n, err := x.write(ctx, b)
		if err != nil {
			return written, err
		}
		written += n
	}
	return written, ctx.Err()
}

// queued reads a batch of messages behind one.
func (db *Store) queued(ctx context.Context, after int64) (docs []Indexed, err error) {
	err = db.Read(ctx, func(t *store.Txn) error {
		const query = `SELECT q.message, q.content_hash, m.created_at_ms, m.body
			FROM search_queue q JOIN messages m ON m.id = q.message WHERE q.message > ? ORDER BY q.message LIMIT ?`
		docs, err = toIndex(ctx, t, query, after, indexBatch)
		return err
	})
	return docs, err
}

// toWords cuts the messages of a batch into words.
func (db *Store) toWords(ctx context.Context, b *indexedBatch) {
	slices.SortFunc(b.docs, byTime)
	b.words = NewPostings(0)
	for i := range b.docs {
		if b.err == nil {
			b.err = ctx.Err()
		}
		if b.err != nil {
			return
		}
		if err := db.indexText(ctx, b.docs[i].Body, b.words); core.CodeOf(err) != core.Corrupt {
			b.err = err
		} // damaged messages have no words; a check reports them
		b.words.End()
		b.docs[i].Body = packing.Stored{}
	}
}

// indexText adds the words that the index holds of a body.
func (db *Store) indexText(ctx context.Context, stored packing.Stored, words *Postings) error {
	body, err := db.Codec.Read(stored)
	if err != nil {
		return core.Wrap(core.Corrupt, err, "a body is damaged")
	}
	return eachPassage(body, WholesOf(ctx, db.Library), words.addPassage)
}

// write puts a batch into the index and returns how many messages that were.
func (x *indexer) write(ctx context.Context, b *indexedBatch) (written int, err error) {
	numbers := x.numbers
	numbers.least = 0 // the batch before may be of another time
	err = x.db.WriteBulk(ctx, func(t *store.Txn) error {
		// A batch is a tenth of a second: with a context that can end, the driver would start a goroutine for each statement.
		ctx := context.WithoutCancel(ctx)
		waiting, err := takeFromQueue(ctx, t.Tx, b.docs)
		if err != nil {
			return err
		}
		ids, err := putDocs(ctx, t.Tx, b, waiting, &numbers)
		if err != nil {
			return err
		}
		for _, id := range ids {
			if id != 0 {
				written++
			}
		}
		if err := IndexWords(ctx, t.Tx, b.words.Postings, ids); err != nil {
			return err
		}
		return learnWords(ctx, t.Tx, b.words.vocabulary())
	})
	if err != nil {
		return 0, err
	}
	x.numbers = numbers
	if x.done += int64(len(b.docs)); x.progress != nil {
		x.progress(core.Progress{Done: min(x.done, x.total), Total: x.total})
	}
	return written, nil
}
