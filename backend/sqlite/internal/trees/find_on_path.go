package trees

import (
	"context"
	"slices"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/packing"
	"coppice/backend/sqlite/internal/parallel"
	"coppice/backend/sqlite/internal/search"
	"coppice/backend/sqlite/internal/store"
	"coppice/backend/sqlite/internal/tables"
)

// mostPathHits is the largest number of hits that FindOnPath returns.
const mostPathHits = 5000

// FindOnPath looks for a text in all messages of a path, as they are stored, and counts those of other branches that contain it. It
// skips the trash of the session. Invalid for a text of white space.
func (db *Store) FindOnPath(ctx context.Context, sessionID, leafUID, text string) (core.PathHits, error) {
	f := pathFinder{db: db.Library, found: core.PathHits{Hits: []core.PathHit{}}}
	pattern, err := search.NewPattern(text, false)
	if err == nil {
		f.pattern = pattern
		err = db.Read(ctx, func(t *store.Txn) error {
			key, leaf, ok, err := tables.FindLeaf(ctx, t.Tx, sessionID, leafUID)
			if err != nil || !ok {
				return err
			}
			f.Txn = t
			if f.path, err = tables.ReadPath(ctx, t.Tx, key, leaf.Position(), 0); err != nil {
				return err
			}
			return f.run(ctx, key)
		})
	}
	slices.SortFunc(f.found.Hits, func(a, b core.PathHit) int { return int(a.Depth - b.Depth) })
	return f.found, conn.Fail(err, "look for %q in session %s", text, sessionID)
}

type pathFinder struct {
	*store.Txn
	db      *store.Library
	pattern *search.Pattern
	path    core.Path
	found   core.PathHits
	batch   []pathBody
}

type pathBody struct {
	uid   string
	at    core.Position
	body  packing.Stored
	match *search.Match
	err   error
}

func (f *pathFinder) run(ctx context.Context, key int64) (err error) {
	rows, err := f.Rows(ctx, `SELECT m.uid, m.branch, m.depth, m.body FROM messages m LEFT JOIN veils v ON v.session = m.session AND v.branch = m.branch
		WHERE m.session = ? AND (v.from_depth IS NULL OR m.depth < v.from_depth)`, key)
	if err != nil {
		return err
	}
	defer conn.CloseRows(rows, &err)
	for rows.Next() {
		var b pathBody
		var body []byte
		if err := rows.Scan(&b.uid, &b.at.Branch, &b.at.Depth, &body); err != nil {
			return err
		}
		if b.body, err = f.Stored(ctx, body); err != nil {
			return err
		}
		if f.batch = append(f.batch, b); len(f.batch) < findBatch {
			continue
		}
		if err := f.look(ctx); err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	return f.look(ctx)
}

// look looks through the batch on all processors.
func (f *pathFinder) look(ctx context.Context) error {
	whole := search.WholesOf(ctx, f.db)
	err := parallel.Each(ctx, len(f.batch), func(i int) {
		b := &f.batch[i]
		b.match, b.err = search.FindIn(f.Codec, f.pattern, b.body, whole)
	})
	if err != nil {
		return err
	}
	for i := range f.batch {
		b := &f.batch[i]
		switch {
		case b.err != nil:
			return core.Wrap(core.Corrupt, b.err, "message %s is damaged", b.uid)
		case b.match == nil:
		case !f.path.Holds(b.at):
			f.found.Elsewhere++
		case len(f.found.Hits) == mostPathHits:
			f.found.More = true
		default:
			hit := core.PathHit{UID: b.uid, Depth: b.at.Depth}
			hit.Part, hit.Snippet, hit.MarkFrom, hit.MarkTo = b.match.Passage()
			f.found.Hits = append(f.found.Hits, hit)
		}
	}
	f.batch = f.batch[:0]
	return nil
}
