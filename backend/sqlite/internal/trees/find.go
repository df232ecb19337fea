package trees

import (
	"context"
	"maps"
	"slices"
	"strings"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/packing"
	"coppice/backend/sqlite/internal/parallel"
	"coppice/backend/sqlite/internal/search"
	"coppice/backend/sqlite/internal/store"
	"coppice/backend/sqlite/internal/tables"
)

// FindTurns returns the numbers of a session's turns with a message or a label that contains the text, in order. Invalid for a text of white space.
func (db *Store) FindTurns(ctx context.Context, sessionID, text string) ([]int64, error) {
	f := turnFinder{db: db.Library, found: map[int64]bool{}}
	pattern, err := search.NewPattern(text, false)
	if err == nil {
		f.pattern = pattern
		err = db.Read(ctx, tables.OfSession(ctx, sessionID, func(t *store.Txn, key int64) error {
			f.Txn = t
			return f.run(ctx, key)
		}))
	}
	return slices.Sorted(maps.Keys(f.found)), conn.Fail(err, "look for %q in session %s", text, sessionID)
}

// findBatch is how many messages are read before they are searched.
const findBatch = 512

// turnFinder looks through the messages of a session until each of its turns has a hit.
type turnFinder struct {
	*store.Txn
	db      *store.Library // for the rest of long texts: several are read at once
	pattern *search.Pattern
	found   map[int64]bool
	batch   []turnBody
}

type turnBody struct {
	turn int64
	body packing.Stored
	has  bool
	err  error
}

func (f *turnFinder) run(ctx context.Context, key int64) (err error) {
	labels, err := tables.ReadLabels(ctx, f.Tx, key)
	if err != nil {
		return err
	}
	for _, l := range labels {
		if len(f.pattern.Find(l.Text)) > 0 {
			f.found[l.Turn] = true
		}
	}
	rows, err := f.Rows(ctx, `SELECT turn, body FROM messages WHERE session = ?`, key)
	if err != nil {
		return err
	}
	defer conn.CloseRows(rows, &err)
	for rows.Next() {
		var b turnBody
		var body []byte
		if err := rows.Scan(&b.turn, &body); err != nil {
			return err
		}
		if f.found[b.turn] {
			continue
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
	return f.look(ctx)
}

// look looks through the batch on all processors.
func (f *turnFinder) look(ctx context.Context) error {
	whole := search.WholesOf(ctx, f.db)
	err := parallel.Each(ctx, len(f.batch), func(i int) {
		b := &f.batch[i]
		var m *search.Match
		m, b.err = search.FindIn(f.Codec, f.pattern, b.body, whole)
		b.has = m != nil
	})
	if err != nil {
		return err
	}
	for i := range f.batch {
		if b := &f.batch[i]; b.err != nil {
			return core.Wrap(core.Corrupt, b.err, "a message of turn %d is damaged", b.turn)
		} else if b.has {
			f.found[b.turn] = true
		}
	}
	f.batch = f.batch[:0]
	return nil
}

// openings are the words that turns are known by: those of their prompts, and of what a fork begins with.
const openings = `SELECT DISTINCT m.turn FROM messages m JOIN turns n ON n.session = m.session AND n.number = m.turn
	WHERE m.session = ?1 AND m.text_preview LIKE ?2 ESCAPE '\' AND (m.role = 'user' AND m.kind = 'message' OR m.depth = n.first_depth)
	ORDER BY m.turn`

// TurnsBeginning returns the numbers of a session's turns whose first words begin with the text, in order.
func (db *Store) TurnsBeginning(ctx context.Context, sessionID, text string) ([]int64, error) {
	numbers := []int64{}
	err := db.Read(ctx, tables.OfSession(ctx, sessionID, func(t *store.Txn, key int64) error {
		return t.All(ctx, &numbers, openings, key, strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(text)+"%")
	}))
	return numbers, conn.Fail(err, "look for turns of session %s", sessionID)
}
