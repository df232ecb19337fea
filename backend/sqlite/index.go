package sqlite

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"sync"

	"coppice/backend/core"
	"coppice/backend/query"
)

// A batch of the index: what is read, cut into words and written at once. It ends by a count or by the size of the bodies as
// they are stored.
const (
	indexBatch      = 512 // who wants to write meanwhile waits for one
	indexBatchBytes = 2 << 20
)

// Index brings the index of words up to date with the messages, in batches, each of which lasts: what a batch has done need not be done
// again after any end. progress, which may be nil, hears of messages. Of several calls at once one works, the others wait.
func (db *DB) Index(ctx context.Context, progress func(core.Progress)) error {
	select {
	case db.indexing <- struct{}{}:
	case <-ctx.Done():
		return fail(ctx.Err(), "index the messages")
	}
	defer func() { <-db.indexing }()
	total, err := db.Pending(ctx)
	if err != nil || total == 0 {
		return err
	}
	x := &indexer{db: db, progress: progress, total: total}
	for {
		n, err := x.pass(ctx)
		if err != nil || n == 0 {
			return fail(err, "index the messages")
		}
	}
}

// Pending counts the messages that are not in the index yet.
func (db *DB) Pending(ctx context.Context) (int64, error) {
	var n int64
	err := db.read(ctx, func(t *tx) error { return t.get(ctx, &n, `SELECT count(*) FROM search_queue`) })
	return n, fail(err, "look what is to be indexed")
}

// enqueue marks the messages of a session as not indexed yet, from one on that was just added.
func (t *tx) enqueue(ctx context.Context, session, first int64) error {
	const add = `INSERT OR REPLACE INTO search_queue (message, content_hash) SELECT id, content_hash FROM messages WHERE id >= ? AND +session = ?`
	_, err := t.exec(ctx, add, first, session)
	return err
}

// indexer is one run through the queue.
type indexer struct {
	db       *DB
	progress func(core.Progress)
	total    int64
	done     int64
	numbers  numbering
}

// indexed is a message on its way into the index.
type indexed struct {
	Message     int64
	ContentHash int64 `db:"content_hash"`
	Session     int64
	Role        core.Role
	CreatedAtMs int64 `db:"created_at_ms"`
	Body        []byte
	text        []byte
	err         error
}

// pass goes through the queue once and returns how many messages it has written. One goroutine reads the next batch and cuts it into
// words while this one writes.
func (x *indexer) pass(ctx context.Context) (written int, err error) {
	ctx, cancel := context.WithCancel(ctx)
	type read struct {
		docs  []indexed
		words map[string]struct{}
		err   error
	}
	batches := make(chan read)
	var reader sync.WaitGroup
	defer reader.Wait()
	defer cancel()
	reader.Go(func() {
		defer close(batches)
		for after := int64(0); ; {
			var b read
			b.docs, b.err = x.db.queued(ctx, after)
			if b.err == nil && len(b.docs) == 0 {
				return
			}
			if b.err == nil {
				after = b.docs[len(b.docs)-1].Message
				b.words, b.err = x.db.toWords(ctx, b.docs)
			}
			select {
			case batches <- b:
			case <-ctx.Done():
				return
			}
			if b.err != nil {
				return
			}
		}
	})
	for b := range batches {
		if b.err != nil {
			return written, b.err
		}
		n, err := x.write(ctx, b.docs, b.words)
		if err != nil {
			return written, err
		}
		written += n
	}
	return written, ctx.Err()
}

// queued reads a batch of messages behind one.
func (db *DB) queued(ctx context.Context, after int64) (docs []indexed, err error) {
	err = db.read(ctx, func(t *tx) error {
		const query = `SELECT q.message, q.content_hash, m.session, m.role, m.created_at_ms, m.body
			FROM search_queue q JOIN messages m ON m.id = q.message WHERE q.message > ? ORDER BY q.message LIMIT ?`
		docs, err = t.toIndex(ctx, query, after, indexBatch)
		return err
	})
	return docs, err
}

func (t *tx) toIndex(ctx context.Context, query string, args ...any) (docs []indexed, err error) {
	rows, err := t.rows(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer closeRows(rows, &err)
	for size := 0; size < indexBatchBytes && rows.Next(); {
		var d indexed
		if err := rows.Scan(&d.Message, &d.ContentHash, &d.Session, &d.Role, &d.CreatedAtMs, &d.Body); err != nil {
			return nil, err
		}
		size += len(d.Body)
		docs = append(docs, d)
	}
	return docs, nil
}

// toWords cuts messages into words on all processors and returns the different ones.
func (db *DB) toWords(ctx context.Context, docs []indexed) (map[string]struct{}, error) {
	workers := runtime.GOMAXPROCS(0)
	sets := make([]map[string]struct{}, workers)
	var group sync.WaitGroup
	for w := range workers {
		sets[w] = map[string]struct{}{}
		group.Go(func() {
			for i := w; i < len(docs) && ctx.Err() == nil; i += workers {
				d := &docs[i]
				d.text, d.err = db.indexText(ctx, d.Body, sets[w])
				d.Body = nil
			}
		})
	}
	group.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	all := sets[0]
	for _, set := range sets[1:] {
		for word := range set {
			all[word] = struct{}{}
		}
	}
	for i := range docs {
		if err := docs[i].err; err != nil && core.CodeOf(err) != core.Corrupt {
			return nil, err
		} // what is damaged has no words; a check tells of it
	}
	return all, nil
}

// indexText returns what the index holds of a body, and adds its words to a set.
func (db *DB) indexText(ctx context.Context, stored []byte, words map[string]struct{}) ([]byte, error) {
	body, err := db.codec.inflate(stored)
	if err != nil {
		return nil, core.Wrap(core.Corrupt, err, "a body is damaged")
	}
	var text []byte
	err = eachPassage(body, db.whole(ctx), func(p passage) bool {
		for s := query.NewScanner(p.tool); s.Scan(); {
			text = append(append(append(text, toolMark...), s.Word()...), ' ')
		}
		for s := query.NewScanner(p.text); s.Scan(); {
			word := s.Word()
			if _, known := words[string(word)]; !known {
				words[string(word)] = struct{}{}
			}
			text = append(append(text, word...), ' ')
		}
		text = append(text, betweenTexts+" "...)
		return true
	})
	return text, err
}

// whole returns what reads the rest of long texts; several may be read at once.
func (db *DB) whole(ctx context.Context) wholes {
	return func(hash string) (string, error) {
		b, err := db.Blob(ctx, hash)
		return string(b.Data), err
	}
}

// write puts a batch into the index and returns how many messages that were.
func (x *indexer) write(ctx context.Context, docs []indexed, words map[string]struct{}) (written int, err error) {
	// FTS5 writes what it has gathered when a number is not larger than the one before.
	slices.SortFunc(docs, func(a, b indexed) int {
		return cmp.Or(cmp.Compare(a.CreatedAtMs, b.CreatedAtMs), cmp.Compare(a.Message, b.Message))
	})
	numbers := x.numbers
	numbers.least = 0 // the batch before may be of another time
	err = x.db.writeBulk(ctx, func(t *tx) error {
		for i := range docs {
			if err := ctx.Err(); err != nil {
				return err
			}
			ours, err := t.takeFromQueue(ctx, &docs[i])
			if err != nil {
				return err
			}
			if !ours {
				continue
			}
			if err := t.putDoc(ctx, &docs[i], &numbers); err != nil {
				return err
			}
			written++
		}
		return t.learnWords(ctx, words)
	})
	if err != nil {
		return 0, err
	}
	x.numbers = numbers
	if x.done += int64(len(docs)); x.progress != nil {
		x.progress(core.Progress{Done: min(x.done, x.total), Total: x.total})
	}
	return written, nil
}

// takeFromQueue says whether a message waits as it was read: another process may have indexed it, or it may have changed.
func (t *tx) takeFromQueue(ctx context.Context, d *indexed) (bool, error) {
	done, err := t.exec(ctx, `DELETE FROM search_queue WHERE message = ? AND content_hash = ?`, d.Message, d.ContentHash)
	if err != nil {
		return false, err
	}
	n, err := done.RowsAffected()
	return n > 0, err
}

// numbering gives messages their numbers in the index, see migrations/000004_search.up.sql.
type numbering struct {
	least int64 // what is free for the next message of the batch
	time  int64 // the number that the time of the last one asked for
	next  int64 // what is free for the next one of that time
}

// numberOf is what a time asks for.
func numberOf(ms int64) int64 { return max(ms, 0)>>6 + 1 }

// putDoc gives a message its number and puts its words into the index.
func (t *tx) putDoc(ctx context.Context, d *indexed, n *numbering) error {
	asked := numberOf(d.CreatedAtMs)
	id := max(asked, n.least)
	if asked == n.time {
		id = max(id, n.next)
	}
	for {
		const insert = `INSERT INTO search_docs (id, message, session, role, created_at_ms) VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`
		done, err := t.exec(ctx, insert, id, d.Message, d.Session, d.Role, d.CreatedAtMs)
		if err != nil {
			return err
		}
		if rows, err := done.RowsAffected(); err != nil {
			return err
		} else if rows > 0 {
			break
		}
		if id, err = t.freeDoc(ctx, id); err != nil {
			return err
		}
	}
	*n = numbering{least: id + 1, time: asked, next: id + 1}
	_, err := t.exec(ctx, `INSERT INTO search_index (rowid, text) VALUES (?, ?)`, id, string(d.text))
	return err
}

// freeDoc returns the first number from one on that no message has.
func (t *tx) freeDoc(ctx context.Context, from int64) (free int64, err error) {
	rows, err := t.rows(ctx, `SELECT id FROM search_docs WHERE id >= ? ORDER BY id`, from)
	if err != nil {
		return 0, err
	}
	defer closeRows(rows, &err)
	for free = from; rows.Next(); free++ {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return 0, err
		}
		if id != free {
			break
		}
	}
	return free, nil
}
