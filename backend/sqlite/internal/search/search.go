// Package search finds messages, by an index of words and by reading what the index cannot decide, and maintains that index.
package search

import (
	"context"
	"database/sql"
	"strconv"
	"time"

	"github.com/jmoiron/sqlx"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/packing"
	"coppice/backend/sqlite/internal/parallel"
	"coppice/backend/sqlite/internal/store"
	"coppice/backend/sqlite/internal/tables"
)

const (
	searchLimit = 50   // hits, where a query names no limit
	searchBatch = 128  // messages that are read before they are looked through, each with its pack
	rankLimit   = 2000 // the newest of them, that are ordered by relevance: to weigh them all takes seconds where a word is common
	// freshLimit is how many messages a search puts into the index first, where nobody else has done it.
	freshLimit = 256
)

// Search returns messages of every branch of the sessions outside the trash, the newest first. It asks the index of
// words, and reads the bodies where the index cannot answer, until it has enough, its time is over or ctx ends. Found
// reports what is not indexed yet. Errors: Invalid for a wrong query, NotFound for an unknown session.
func (db *Store) Search(ctx context.Context, q core.SearchQuery) (core.Found, error) {
	found, err := db.search(ctx, q)
	if found.Hits == nil {
		found.Hits = []core.Hit{}
	}
	return found, conn.Fail(err, "search")
}

func (db *Store) search(ctx context.Context, q core.SearchQuery) (core.Found, error) {
	if q.Limit <= 0 {
		q.Limit = searchLimit
	}
	r, err := readRequest(q, time.UnixMilli(db.Now()))
	if err != nil {
		return core.Found{}, err
	}
	if err := db.freshen(ctx); err != nil {
		return core.Found{}, err
	}
	var found core.Found
	err = db.Read(ctx, func(t *store.Txn) error {
		s := &search{Txn: t, db: db.Library, request: r, sessions: map[int64]*searchedSession{}}
		if err := s.run(ctx); err != nil {
			return err
		}
		found = s.found
		found.Hint = r.hint(len(found.Hits) > 0 || found.Next != 0)
		return t.Get(ctx, &found.Pending, `SELECT count(*) FROM search_queue`)
	})
	return found, err
}

// freshen indexes what a run or a small import has left, unless somebody is writing.
func (db *Store) freshen(ctx context.Context) error {
	if db.Refusal() != nil || db.File.Writing() || len(db.indexing) > 0 {
		return nil
	}
	n, err := db.Pending(ctx)
	if err != nil || n == 0 || n > freshLimit {
		return err
	}
	if err := db.Index(ctx, nil); err != nil && core.CodeOf(err) != core.Busy {
		return err
	}
	return nil
}

// search is one search on its way through the library.
type search struct {
	*store.Txn
	*request
	db       *store.Library // for the rest of long texts: several are read at once
	sessions map[int64]*searchedSession
	found    core.Found
}

func (s *search) run(ctx context.Context) error {
	if s.pattern != nil {
		return s.scan(ctx)
	}
	if err := s.ask(ctx); err != nil || len(s.found.Hits) > 0 || !s.plain {
		return err
	}
	if err := s.look(s.literal, false); err != nil {
		return err
	}
	err := s.scan(ctx)
	s.found.Loose = len(s.found.Hits) > 0
	return err
}

// doc names a message by its number in the index.
type doc struct {
	id, message, session int64
}

const (
	docColumns    = `d.id, d.message, d.session`
	signedColumns = docColumns + `, d.signature`
)

// ask finds what has the words, which the index knows.
func (s *search) ask(ctx context.Context) error {
	c, err := clauseOf(ctx, s.Txn, s.SearchQuery, "", s.words, s.filter)
	if err != nil {
		return err
	}
	docs, err := s.docs(ctx, c)
	if err != nil {
		return err
	}
	batch := make([]found, len(docs))
	for i, d := range docs {
		batch[i].doc = d
	}
	if err := s.load(ctx, batch); err != nil {
		return err
	}
	var f finder
	if p := wanted(s.words); len(p) > 0 {
		f = p
	}
	if err := s.each(ctx, batch, f); err != nil {
		return err
	}
	for i := range batch {
		if err := s.keep(ctx, &batch[i]); err != nil {
			return err
		}
	}
	s.found.Tally()
	s.found.Uncounted = int64(len(s.found.Hits)) >= s.Limit
	return nil
}

func (s *search) docs(ctx context.Context, c *clause) (docs []doc, err error) {
	query, args := c.sql(docColumns)
	if s.Order == core.Relevance && c.match != "" {
		// What people and models say counts twice what tools do.
		query, args = c.sql(docColumns + `, bm25(search_index) * CASE d.role WHEN 'tool' THEN 1 ELSE 2 END AS score`)
		query = `SELECT id, message, session FROM (` + query + ` LIMIT ?) ORDER BY score, id DESC`
		args = append(args, rankLimit)
	}
	rows, err := s.Direct().QueryxContext(ctx, query+` LIMIT ?`, append(args, s.Limit)...)
	if err != nil {
		return nil, err
	}
	defer conn.CloseRows(rows, &err)
	for rows.Next() {
		var d doc
		if err := rows.Scan(&d.id, &d.message, &d.session); err != nil {
			return nil, err
		}
		docs = append(docs, d)
	}
	return docs, nil
}

// scan looks for the pattern in what the index does not rule out, until the limit is reached.
func (s *search) scan(ctx context.Context) error {
	match, err := narrow(ctx, s.Tx, s.plainRun)
	if err != nil {
		return err
	}
	c, err := clauseOf(ctx, s.Txn, s.SearchQuery, match, s.filter)
	if err != nil {
		return err
	}
	query, args := c.sql(signedColumns)
	rows, err := s.Direct().QueryxContext(ctx, query, args...)
	if err != nil {
		return err
	}
	if err := s.sweep(ctx, rows); err != nil {
		return err
	}
	s.found.Tally()
	return nil
}

// sweep goes through candidates in batches that grow: where many are hits the first ones are enough.
func (s *search) sweep(ctx context.Context, rows *sqlx.Rows) (err error) {
	defer conn.CloseRows(rows, &err)
	c := &candidates{rows: rows, runs: symbolRunsOf(s.plainRun)}
	if s.WithinMs > 0 {
		c.end = time.Now().Add(time.Duration(s.WithinMs) * time.Millisecond)
	}
	for size := int(min(s.Limit, searchBatch)); ; size = min(2*size, searchBatch) {
		batch, more, err := c.next(size)
		if err != nil {
			return err
		}
		if err := s.load(ctx, batch); err != nil {
			return err
		}
		if err := s.each(ctx, batch, s.pattern); err != nil {
			return err
		}
		for i := range batch {
			if int64(len(s.found.Hits)) >= s.Limit {
				s.found.More = s.found.More || batch[i].match != nil
				continue
			}
			if err := s.keep(ctx, &batch[i]); err != nil {
				return err
			}
		}
		s.note(batch, c)
		switch {
		case int64(len(s.found.Hits)) >= s.Limit:
			s.found.More = s.found.More || more
			return nil
		case !more:
			return nil
		case c.late():
			s.found.Next = c.last
			return nil
		}
	}
}

// candidates reads the messages that a search has to look through, the newest first.
type candidates struct {
	rows    *sqlx.Rows
	runs    []uint32  // the symbols that a message must contain
	end     time.Time // when to stop; zero: never
	skipped int64     // messages that the last call ruled out
	last    int64     // the number in the index of the last message that was considered
}

// late reports whether the time is over.
func (c *candidates) late() bool { return !c.end.IsZero() && time.Now().After(c.end) }

// next returns the next messages, at most size of them; more reports whether others may follow.
func (c *candidates) next(size int) (batch []found, more bool, err error) {
	const rowsPerLook = 4096 // at the clock
	c.skipped = 0
	for c.rows.Next() {
		var d doc
		var signature sql.RawBytes
		if err := c.rows.Scan(&d.id, &d.message, &d.session, &signature); err != nil {
			return nil, false, err
		}
		c.last = d.id
		if !mayContain(signature, c.runs) {
			if c.skipped++; c.skipped%rowsPerLook == 0 && c.late() {
				return batch, true, nil
			}
			continue
		}
		if batch = append(batch, found{doc: d}); len(batch) == size {
			return batch, true, nil
		}
	}
	return batch, false, nil
}

// note notes that a batch was looked through. What a signature rules out counts as looked through.
func (s *search) note(batch []found, c *candidates) {
	s.found.Looked += c.skipped
	if len(batch) > 0 {
		s.found.Looked += int64(len(batch))
		s.found.LookedToMs = batch[len(batch)-1].row.CreatedAtMs
	}
}

// found is a message to look through, and what was found in it.
type found struct {
	doc
	row   searchedRow
	match *Match
	err   error
}

type searchedRow struct {
	UID         string
	Seq         int64
	Turn        int64
	Branch      int64
	Depth       int64
	Role        core.Role
	CreatedAtMs int64
	Body        packing.Stored
}

// load reads the messages of a batch.
func (s *search) load(ctx context.Context, batch []found) (err error) {
	if len(batch) == 0 {
		return nil
	}
	ids := []byte{'['}
	for i := range batch {
		ids = append(strconv.AppendInt(ids, batch[i].message, 10), ',')
	}
	ids[len(ids)-1] = ']'
	const query = `SELECT uid, seq, turn, branch, depth, role, created_at_ms, body FROM json_each(?) j CROSS JOIN messages m ON m.id = j.value`
	rows, err := s.Rows(ctx, query, string(ids))
	if err != nil {
		return err
	}
	defer conn.CloseRows(rows, &err)
	for i := range batch { // json_each keeps the order
		if !rows.Next() {
			return core.E(core.Corrupt, "message %d of the index is missing", batch[i].message)
		}
		r := &batch[i].row
		var body []byte
		if err := rows.Scan(&r.UID, &r.Seq, &r.Turn, &r.Branch, &r.Depth, &r.Role, &r.CreatedAtMs, &body); err != nil {
			return err
		}
		if r.Body, err = s.Stored(ctx, body); err != nil {
			return err
		}
	}
	return nil
}

// each looks through the messages of a batch on all processors.
func (s *search) each(ctx context.Context, batch []found, f finder) error {
	whole := WholesOf(ctx, s.db)
	return parallel.Each(ctx, len(batch), func(i int) {
		one := &batch[i]
		if f == nil {
			one.match, one.err = beginning(s.Codec, one.row.Body, whole)
		} else {
			one.match, one.err = FindIn(s.Codec, f, one.row.Body, whole)
		}
		one.row.Body = packing.Stored{}
	})
}

// keep makes a hit of what was found.
func (s *search) keep(ctx context.Context, f *found) error {
	if core.CodeOf(f.err) == core.Canceled {
		return f.err
	}
	session, err := s.session(ctx, f.session)
	if err != nil {
		return err
	}
	if f.err != nil {
		return core.Wrap(core.Corrupt, f.err, "message %s of session %s is damaged", f.row.UID, session.ID)
	}
	if f.match == nil && s.pattern != nil {
		return nil
	}
	r := &f.row
	hit := core.Hit{
		SessionID: session.ID, SessionTitle: session.Title, Source: session.Source, UID: r.UID, Seq: r.Seq, Turn: r.Turn, Branch: r.Branch,
		OnPath: session.path.Holds(core.Position{Branch: r.Branch, Depth: r.Depth}), Role: r.Role, Marks: []core.Mark{}, CreatedAtMs: r.CreatedAtMs,
	}
	if session.Hidden > 0 {
		const veiled = `SELECT EXISTS (SELECT 1 FROM veils WHERE session = ? AND branch = ? AND from_depth <= ?)`
		if err := s.Get(ctx, &hit.Hidden, veiled, f.session, r.Branch, r.Depth); err != nil {
			return err
		}
	}
	if m := f.match; m != nil { // nil: the index has words that the message lost a moment ago
		hit.Where, hit.Part, hit.Snippet = string(m.where), m.part, m.text
		if len(m.marks) > 0 {
			hit.Marks, hit.MarkFrom, hit.MarkTo = m.marks, m.marks[0].From, m.marks[0].To
		}
	}
	s.found.Hits = append(s.found.Hits, hit)
	return nil
}

// searchedSession is a session that has hits.
type searchedSession struct {
	ID     string
	Title  string
	Source core.Source
	Hidden int64 `db:"hidden_count"`
	Branch int64 // of the head; -1: before the first message
	Depth  int64
	path   core.Path // to the head
}

func (s *search) session(ctx context.Context, key int64) (*searchedSession, error) {
	if session, ok := s.sessions[key]; ok {
		return session, nil
	}
	session := &searchedSession{}
	const query = `SELECT s.id, s.title, s.source, s.hidden_count, coalesce(h.branch, -1) AS branch, coalesce(h.depth, -1) AS depth
		FROM sessions s LEFT JOIN messages h ON h.id = s.head WHERE s.key = ?`
	if err := s.Get(ctx, session, query, key); err != nil {
		return nil, err
	}
	path, err := tables.ReadPath(ctx, s.Tx, key, core.Position{Branch: session.Branch, Depth: session.Depth}, 0)
	session.path = path
	s.sessions[key] = session
	return session, err
}
