package search

import (
	"cmp"
	"context"
	"math"
	"slices"

	"coppice/backend/sqlite/internal/conn"
)

// queuedDoc is what the index stores of a queued message besides its words.
type queuedDoc struct {
	session int64
	role    string
}

// takeFromQueue returns, beside messages, those that wait as they were read, and takes them from the queue: another process may have
// indexed one, or it may have changed. Most have numbers that follow each other, which the queue is asked for at once.
func takeFromQueue(ctx context.Context, t *conn.Tx, docs []Indexed) ([]*queuedDoc, error) {
	order := make([]int, len(docs))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(docs[i].Message, docs[j].Message) })
	waiting := make([]*queuedDoc, len(docs))
	for len(order) > 0 {
		end := 1
		for end < len(order) && docs[order[end]].Message == docs[order[end-1]].Message+1 {
			end++
		}
		if err := takeRun(ctx, t, docs, order[:end], waiting); err != nil {
			return nil, err
		}
		order = order[end:]
	}
	return waiting, nil
}

// takeRun is takeFromQueue for messages whose numbers follow each other, in order.
func takeRun(ctx context.Context, t *conn.Tx, docs []Indexed, run []int, waiting []*queuedDoc) error {
	first, last := docs[run[0]].Message, docs[run[len(run)-1]].Message
	changed, err := matchQueue(ctx, t, docs, run, waiting)
	if err != nil {
		return err
	}
	if len(changed) == 0 {
		_, err := t.Exec(ctx, `DELETE FROM search_queue WHERE message BETWEEN ? AND ?`, first, last)
		return err
	}
	for _, i := range run {
		if waiting[i] == nil {
			continue
		}
		if _, err := t.Exec(ctx, `DELETE FROM search_queue WHERE message = ?`, docs[i].Message); err != nil {
			return err
		}
	}
	return nil
}

// matchQueue finds the messages of a run that wait as they were read, and returns those that wait in another form.
func matchQueue(ctx context.Context, t *conn.Tx, docs []Indexed, run []int, waiting []*queuedDoc) (changed []int64, err error) {
	first, last := docs[run[0]].Message, docs[run[len(run)-1]].Message
	const query = `SELECT q.message, q.content_hash, m.session, m.role FROM search_queue q JOIN messages m ON m.id = q.message WHERE q.message BETWEEN ? AND ?`
	rows, err := t.Rows(ctx, query, first, last)
	if err != nil {
		return nil, err
	}
	defer conn.CloseRows(rows, &err)
	for rows.Next() {
		var message, hash int64
		var d queuedDoc
		if err := rows.Scan(&message, &hash, &d.session, &d.role); err != nil {
			return nil, err
		}
		i := run[message-first]
		if docs[i].ContentHash != hash {
			changed = append(changed, message)
			continue
		}
		waiting[i] = &d
	}
	return changed, nil
}

// numbering gives messages their numbers in the index, see migrations/000004_search.up.sql.
type numbering struct {
	least int64 // what is free for the next message of the batch
	time  int64 // the number that the time of the last one asked for
	next  int64 // what is free for the next one of that time
}

// numberOf is what a time asks for.
func numberOf(ms int64) int64 { return max(ms, 0)>>6 + 1 }

// putDocs gives those messages of a batch their numbers in the index that have waited, and returns them beside the messages; 0 for the others.
func putDocs(ctx context.Context, t *conn.Tx, b *indexedBatch, waiting []*queuedDoc, n *numbering) ([]int64, error) {
	docs := b.docs
	ids := make([]int64, len(docs))
	free := &gaps{Tx: t}
	var values []any
	for i, d := range waiting {
		if d == nil {
			continue
		}
		asked := numberOf(docs[i].CreatedAtMs)
		id := max(asked, n.least)
		if asked == n.time {
			id = max(id, n.next)
		}
		id, err := free.from(ctx, id)
		if err != nil {
			return nil, err
		}
		*n = numbering{least: id + 1, time: asked, next: id + 1}
		ids[i] = id
		values = append(values, id, docs[i].Message, d.session, d.role, docs[i].CreatedAtMs, b.words.signatures[i])
	}
	return ids, t.InsertRows(ctx, `INSERT INTO search_docs (id, message, session, role, created_at_ms, signature) VALUES `, 6, values)
}

// gaps finds numbers that no message of the index has. It looks some way ahead, so that most are found without asking.
type gaps struct {
	*conn.Tx
	taken []int64 // the numbers that are taken up to the last one known, in order
	known int64   // what lies behind it was not looked at
}

// leastAhead is how many numbers gaps reads at a time; where they leave no gap it reads more and more of them.
const leastAhead = 16

// from returns the first free number from one on. It is called with growing ones.
func (g *gaps) from(ctx context.Context, id int64) (int64, error) {
	for ahead := leastAhead; ; ahead *= 4 {
		for len(g.taken) > 0 && g.taken[0] <= id {
			if g.taken[0] == id {
				id++
			}
			g.taken = g.taken[1:]
		}
		if id <= g.known {
			return id, nil
		}
		if err := g.look(ctx, id, ahead); err != nil {
			return 0, err
		}
	}
}

// look reads the numbers that are taken from one on.
func (g *gaps) look(ctx context.Context, from int64, ahead int) (err error) {
	rows, err := g.Rows(ctx, `SELECT id FROM search_docs WHERE id >= ? ORDER BY id LIMIT ?`, from, ahead)
	if err != nil {
		return err
	}
	defer conn.CloseRows(rows, &err)
	g.taken, g.known = make([]int64, 0, ahead), math.MaxInt64
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return err
		}
		g.taken = append(g.taken, id)
	}
	if len(g.taken) == ahead {
		g.known = g.taken[ahead-1]
	}
	return nil
}
