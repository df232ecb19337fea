package sqlite

import (
	"context"
	"runtime"
	"sync"

	"github.com/jmoiron/sqlx"

	"coppice/backend/core"
)

const (
	searchLimit = 50  // hits, where a query names no limit
	searchBatch = 512 // messages that are read before they are looked through
)

// Search looks through the messages of the sessions outside the trash: the session that was used
// last first, and in it the newest message first. It stops at the limit, and when ctx ends. Invalid for an empty query
// or a broken regular expression.
func (db *DB) Search(ctx context.Context, q core.SearchQuery) ([]core.Hit, error) {
	hits := []core.Hit{}
	pattern, err := newPattern(q)
	if err != nil {
		return hits, err
	}
	limit := int(q.Limit)
	if limit <= 0 {
		limit = searchLimit
	}
	err = db.read(ctx, func(t *tx) error {
		sessions, err := t.searched(ctx, q.SessionID)
		if err != nil {
			return err
		}
		s := &search{tx: t, db: db, pattern: pattern, limit: limit, hits: hits}
		err = s.run(ctx, sessions)
		hits = s.hits
		return err
	})
	return hits, fail(err, "search")
}

// searchedSession is a session to look through.
type searchedSession struct {
	Key    int64
	ID     string
	Title  string
	Source core.Source
	Branch int64 // of the head; -1: before the first message
	Depth  int64
}

func (t *tx) searched(ctx context.Context, id string) ([]searchedSession, error) {
	sessions := []searchedSession{}
	const columns = `SELECT s.key, s.id, s.title, s.source, coalesce(h.branch, -1) AS branch, coalesce(h.depth, -1) AS depth
		FROM sessions s LEFT JOIN messages h ON h.id = s.head `
	if id == "" {
		return sessions, t.all(ctx, &sessions, columns+`WHERE s.deleted_at_ms = 0 ORDER BY s.updated_at_ms DESC, s.key DESC`)
	}
	key, err := t.sessionKey(ctx, id)
	if err != nil {
		return nil, err
	}
	return sessions, t.all(ctx, &sessions, columns+`WHERE s.key = ?`, key)
}

// search is one search on its way through the library.
type search struct {
	*tx
	db      *DB // for the rest of long texts: several are read at once
	pattern *pattern
	limit   int
	hits    []core.Hit
	batch   []found
}

// found is a message to look through, and what was found in it.
type found struct {
	session *searchedSession
	row     searchedRow
	match   *match
	err     error
}

type searchedRow struct {
	UID         string
	Seq         int64
	Turn        int64
	Branch      int64
	Depth       int64
	Role        core.Role
	CreatedAtMs int64 `db:"created_at_ms"`
	Body        []byte
}

func (s *search) run(ctx context.Context, sessions []searchedSession) error {
	for i := range sessions {
		if err := s.read(ctx, &sessions[i]); err != nil {
			return err
		}
		if len(s.hits) >= s.limit {
			return nil
		}
	}
	return s.look(ctx)
}

// read gathers the messages of a session and looks through them batch by batch.
func (s *search) read(ctx context.Context, session *searchedSession) error {
	const query = `SELECT uid, seq, turn, branch, depth, role, created_at_ms, body FROM messages WHERE session = ? ORDER BY seq DESC`
	rows, err := s.rows(ctx, query, session.Key)
	if err != nil {
		return err
	}
	return s.gather(ctx, session, rows)
}

func (s *search) gather(ctx context.Context, session *searchedSession, rows *sqlx.Rows) (err error) {
	defer closeRows(rows, &err)
	for rows.Next() {
		f := found{session: session}
		r := &f.row
		if err := rows.Scan(&r.UID, &r.Seq, &r.Turn, &r.Branch, &r.Depth, &r.Role, &r.CreatedAtMs, &r.Body); err != nil {
			return err
		}
		if s.batch = append(s.batch, f); len(s.batch) < searchBatch {
			continue
		}
		if err := s.look(ctx); err != nil || len(s.hits) >= s.limit {
			return err
		}
	}
	return nil
}

// look looks through the batch on all processors and keeps its hits in order.
func (s *search) look(ctx context.Context) error {
	whole := func(hash string) (string, error) {
		b, err := s.db.Blob(ctx, hash)
		return string(b.Data), err
	}
	var group sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	for w := range workers {
		group.Go(func() {
			for i := w; i < len(s.batch) && ctx.Err() == nil; i += workers {
				f := &s.batch[i]
				f.match, f.err = s.pattern.inBody(s.codec, f.row.Body, whole)
			}
		})
	}
	group.Wait()
	if err := ctx.Err(); err != nil {
		return err
	}
	for i := range s.batch {
		if err := s.keep(ctx, &s.batch[i]); err != nil {
			return err
		}
		if len(s.hits) >= s.limit {
			break
		}
	}
	s.batch = s.batch[:0]
	return nil
}

// keep makes a hit of what was found.
func (s *search) keep(ctx context.Context, f *found) error {
	if core.CodeOf(f.err) == core.Canceled {
		return f.err
	}
	if f.err != nil {
		return core.Wrap(core.Corrupt, f.err, "message %s of session %s is damaged", f.row.UID, f.session.ID)
	}
	if f.match == nil {
		return nil
	}
	onPath, err := s.onPath(ctx, f)
	if err != nil {
		return err
	}
	r := &f.row
	s.hits = append(s.hits, core.Hit{
		SessionID: f.session.ID, SessionTitle: f.session.Title, Source: f.session.Source, UID: r.UID, Seq: r.Seq, Turn: r.Turn, Branch: r.Branch,
		OnPath: onPath, Role: r.Role, Where: f.match.where, Snippet: f.match.snippet, MarkFrom: f.match.from, MarkTo: f.match.to, CreatedAtMs: r.CreatedAtMs,
	})
	return nil
}

func (s *search) onPath(ctx context.Context, f *found) (bool, error) {
	if f.session.Depth < f.row.Depth {
		return false, nil
	}
	path, err := s.climb(ctx, f.session.Key, core.Spot{Branch: f.session.Branch, Depth: f.session.Depth}, f.row.Depth)
	return path.Holds(core.Spot{Branch: f.row.Branch, Depth: f.row.Depth}), err
}
