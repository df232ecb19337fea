package search

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/fts"
	"coppice/backend/sqlite/internal/parallel"
	"coppice/backend/sqlite/internal/store"
)

// CheckIndex compares the index of words with the messages and returns what differs in words; none where all is well, as
// far as the index has come. What it finds costs no message: RebuildIndex mends it. progress, which may be nil, hears of messages.
func (db *Store) CheckIndex(ctx context.Context, progress func(core.Progress)) ([]string, error) {
	c := &indexCheck{db: db, progress: progress, problems: []string{}}
	err := db.Read(ctx, func(t *store.Txn) error {
		c.Txn = t
		for _, step := range []func(context.Context) error{c.structure, c.coverage, c.contents} {
			err := step(ctx)
			if conn.IsDamage(err) || core.CodeOf(err) == core.Corrupt {
				c.found("%v", err)
			} else if err != nil {
				return err
			}
		}
		return nil
	})
	return c.problems, conn.Fail(err, "check the index of words")
}

// indexCheck is one check on its way through the index.
type indexCheck struct {
	*store.Txn
	db       *Store
	progress func(core.Progress)
	problems []string
}

func (c *indexCheck) found(format string, args ...any) {
	c.problems = append(c.problems, "the index of words: "+fmt.Sprintf(format, args...))
}

// structure lets FTS5 check its tables.
func (c *indexCheck) structure(ctx context.Context) error {
	var lines []string
	// Only a search makes FTS5 see what others have written.
	if err := c.All(ctx, &lines, matching+` LIMIT 1`, `"a"`); err != nil {
		return err
	}
	lines = nil
	if err := c.All(ctx, &lines, `PRAGMA integrity_check(search_index)`); err != nil {
		return err
	}
	for _, line := range lines {
		if line != "ok" {
			c.found("%s", line)
		}
	}
	return nil
}

// coverage checks that each message is in the index or waits for it, and nothing else is.
func (c *indexCheck) coverage(ctx context.Context) error {
	for _, test := range []struct{ query, found string }{
		{`SELECT count(*) FROM messages m WHERE NOT EXISTS (SELECT 1 FROM search_docs WHERE message = m.id)
			AND NOT EXISTS (SELECT 1 FROM search_queue WHERE message = m.id)`, "%d messages are missing"},
		{`SELECT count(*) FROM search_docs d JOIN search_queue q ON q.message = d.message`, "%d messages are in it and wait for it too"},
		{`SELECT count(*) FROM search_docs d JOIN messages m ON m.id = d.message
			WHERE (d.session, d.role, d.created_at_ms) <> (m.session, m.role, m.created_at_ms)`, "%d messages have changed since"},
		{`SELECT count(*) FROM search_docs d WHERE NOT EXISTS (SELECT 1 FROM search_index_docsize WHERE id = d.id)`, "the words of %d messages are missing"},
		{`SELECT count(*) FROM search_index_docsize z WHERE NOT EXISTS (SELECT 1 FROM search_docs WHERE id = z.id)`, "it has the words of %d messages that are gone"},
	} {
		var n int64
		if err := c.Get(ctx, &n, test.query); err != nil {
			return err
		}
		if n > 0 {
			c.found(test.found, n)
		}
	}
	return nil
}

// contents compares the number of words of each message with the number in the index, and its words with the vocabulary.
func (c *indexCheck) contents(ctx context.Context) error {
	vocabulary := map[string]struct{}{}
	err := eachChunk(ctx, c.Tx, func(_ int64, chunk string) bool {
		for word := range strings.Lines(chunk) {
			vocabulary[strings.TrimSuffix(word, "\n")] = struct{}{}
		}
		return true
	})
	if err != nil {
		return err
	}
	var total, done, wrong, missigned, unknown int64
	if err := c.Get(ctx, &total, `SELECT count(*) FROM search_docs`); err != nil {
		return err
	}
	for after := int64(0); ; {
		docs, err := c.read(ctx, after)
		if err != nil {
			return err
		}
		if len(docs) == 0 {
			break
		}
		after = docs[len(docs)-1].Message
		parts := slices.Collect(slices.Chunk(docs, len(docs)/runtime.GOMAXPROCS(0)+1))
		cut := make([]indexedBatch, len(parts))
		err = parallel.Each(ctx, len(parts), func(i int) {
			cut[i].docs = parts[i]
			c.db.toWords(ctx, &cut[i])
		})
		if err != nil {
			return err
		}
		for i := range cut {
			if cut[i].err != nil {
				return cut[i].err
			}
			wrong += cut[i].miscounted()
			missigned += cut[i].missigned()
			for word := range cut[i].words.vocabulary() {
				if _, known := vocabulary[word]; !known {
					unknown++
				}
			}
		}
		if done += int64(len(docs)); c.progress != nil {
			c.progress(core.Progress{Done: done, Total: total, Current: "the index of words"})
		}
	}
	if wrong > 0 {
		c.found("%d messages have other words than it says", wrong)
	}
	if missigned > 0 {
		c.found("%d messages have other symbols than it says", missigned)
	}
	if unknown > 0 {
		c.found("%d words are missing in its vocabulary", unknown)
	}
	return nil
}

// read returns a batch of indexed messages behind one. ContentHash is set to the number of words that FTS5 has of the message.
func (c *indexCheck) read(ctx context.Context, after int64) (docs []Indexed, err error) {
	rows, err := c.Rows(ctx, `SELECT d.message, z.sz, d.signature, m.body FROM search_docs d JOIN messages m ON m.id = d.message
		LEFT JOIN search_index_docsize z ON z.id = d.id WHERE d.message > ? ORDER BY d.message LIMIT ?`, after, indexBatch)
	if err != nil {
		return nil, err
	}
	defer conn.CloseRows(rows, &err)
	for size := 0; size < indexBatchBytes && rows.Next(); {
		var d Indexed
		var words, body []byte
		if err := rows.Scan(&d.Message, &words, &d.Signature, &body); err != nil {
			return nil, err
		}
		if d.Body, err = c.Stored(ctx, body); err != nil {
			return nil, err
		}
		d.ContentHash = fts.Words(words)
		size += d.Body.Size()
		docs = append(docs, d)
	}
	return docs, nil
}

// RebuildIndex empties the index of words, so that Index builds it again.
func (db *Store) RebuildIndex(ctx context.Context) error {
	err := db.Write(ctx, func(t *store.Txn) error {
		var index, trigger string
		const schema = `SELECT sql FROM sqlite_schema WHERE name = ?`
		if err := t.Get(ctx, &index, schema, "search_index"); err != nil {
			return err
		}
		if err := t.Get(ctx, &trigger, schema, "search_forget"); err != nil {
			return err
		}
		for _, statement := range []string{ // without the trigger, which would delete word by word
			`DROP TRIGGER search_forget`, `DROP TABLE search_index`, index, `DELETE FROM search_docs`, `DELETE FROM search_words`, trigger,
			`INSERT OR REPLACE INTO search_queue (message, content_hash) SELECT id, content_hash FROM messages`,
		} {
			if _, err := t.Direct().ExecContext(ctx, statement); err != nil {
				return err
			}
		}
		return nil
	})
	return conn.Fail(err, "empty the index of words")
}
