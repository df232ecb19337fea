package search

import (
	"context"
	"time"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/store"
)

// countLimit is how many messages are counted.
const countLimit = 10_000

// CountHits counts what Search would find without a limit, in all and by session, where the index suffices: Invalid for a substring or a
// regular expression, which require reading every message. It ends when ctx does.
func (db *Store) CountHits(ctx context.Context, q core.SearchQuery) (core.HitCount, error) {
	n := core.HitCount{Sessions: []core.SessionHits{}}
	r, err := readRequest(q, time.UnixMilli(db.Now()))
	if err == nil && r.pattern != nil {
		err = core.E(core.Invalid, "only hits of words can be counted")
	}
	if err == nil {
		err = db.Read(ctx, func(t *store.Txn) error { return countHits(ctx, t, r, &n) })
	}
	return n, conn.Fail(err, "count the hits of a search")
}

func countHits(ctx context.Context, t *store.Txn, r *request, n *core.HitCount) (err error) {
	c, err := clauseOf(ctx, t, r.SearchQuery, "", r.words, r.filter)
	if err != nil {
		return err
	}
	query, args := c.sql(`d.session`)
	query = `SELECT s.id, n FROM (SELECT session, count(*) AS n FROM (` + query + ` LIMIT ?) GROUP BY session) JOIN sessions s ON s.key = session`
	rows, err := t.Direct().QueryxContext(ctx, query, append(args, countLimit+1)...)
	if err != nil {
		return err
	}
	defer conn.CloseRows(rows, &err)
	for rows.Next() {
		var of core.SessionHits
		if err := rows.Scan(&of.SessionID, &of.Hits); err != nil {
			return err
		}
		n.Sessions = append(n.Sessions, of)
		n.Total += of.Hits
	}
	n.More = n.Total > countLimit
	n.Total = min(n.Total, countLimit)
	return nil
}
