package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"slices"

	"github.com/jmoiron/sqlx"

	"coppice/backend/core"
)

func compareText(a, b, c, d string) int { return cmp.Or(cmp.Compare(a, b), cmp.Compare(c, d)) }

// completeSessions adds the sessions of which only messages were saved.
func (r *recovery) completeSessions(ctx context.Context) error {
	return r.to.write(ctx, func(t *tx) error {
		for key, s := range r.sessions {
			if s.hasRow {
				continue
			}
			if err := r.addLostSession(ctx, t, key, s); err != nil {
				return err
			}
		}
		return nil
	})
}

// addLostSession writes a row for messages whose session was lost, under the key they have.
func (r *recovery) addLostSession(ctx context.Context, t *tx, key int64, s *recoveredRow) error {
	var times struct{ First, Last int64 }
	if err := t.Get(ctx, &times, `SELECT min(created_at_ms) AS first, max(created_at_ms) AS last FROM messages WHERE session = ?`, key); err != nil {
		return err
	}
	lost := core.Session{CreatedAtMs: max(times.First, 1), UpdatedAtMs: times.Last}
	m := &merge{tx: t, key: key}
	task, err := m.firstPrompt(ctx)
	if err != nil {
		return err
	}
	lost.Task = task
	lost.Title = cmp.Or(titleOf(task), "Recovered session")
	if err := complete(&lost, lost.CreatedAtMs); err != nil {
		return err
	}
	made, err := t.Insert(ctx, insertSession, lost.ID, nil, lost.Title, lost.Task, lost.Source, "", "", lost.Status, lost.StopReason,
		lost.Agent, lost.Model, "", "[]", "", "", lost.Relation, 0, 0, lost.CreatedAtMs, lost.UpdatedAtMs, `{"incompleteStart":true}`)
	if err != nil {
		return err
	}
	s.ID, s.Title = lost.ID, lost.Title
	for _, query := range []string{`DELETE FROM activity WHERE session = ?2`, `UPDATE sessions SET key = ?1 WHERE key = ?2`} {
		if _, err := t.Exec(ctx, query, key, made); err != nil {
			return err
		}
	}
	return nil
}

// placeSessions gives the messages of each session their positions, and makes what follows from them.
func (r *recovery) placeSessions(ctx context.Context) error {
	keys := make([]int64, 0, len(r.sessions))
	for key := range r.sessions {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for i, key := range keys {
		r.progress(core.Progress{Done: int64(i), Total: int64(len(keys)), Current: r.sessions[key].Title})
		if err := r.to.write(ctx, func(t *tx) error { return r.placeSession(ctx, t, key) }); err != nil {
			return err
		}
	}
	r.sortSessions()
	return r.to.write(ctx, func(t *tx) error {
		for _, query := range []string{
			`DELETE FROM blobs WHERE id NOT IN (SELECT blob FROM message_blobs)`,
			`INSERT OR REPLACE INTO search_queue (message, content_hash) SELECT id, content_hash FROM messages`,
		} {
			if _, err := t.Exec(ctx, query); err != nil {
				return err
			}
		}
		return nil
	})
}

func (r *recovery) placeSession(ctx context.Context, t *tx, key int64) error {
	m := &merge{tx: t, in: &core.Header{}, key: key, nodes: newNodes()}
	uids, roots, err := m.loadLoose(ctx)
	if err != nil {
		return err
	}
	r.sessions[key].NewRoots = int64(len(roots))
	if err := m.planLoose(ctx, uids); err != nil {
		return err
	}
	for _, id := range roots {
		if err := m.markRoot(ctx, id); err != nil {
			return err
		}
	}
	if err := m.referAll(ctx); err != nil {
		return err
	}
	return r.settleSession(ctx, m)
}

// settleSession makes what follows from the messages of a session.
func (r *recovery) settleSession(ctx context.Context, m *merge) error {
	const last = `UPDATE sessions SET head = coalesce(head, (SELECT id FROM messages WHERE session = ?1 ORDER BY seq DESC LIMIT 1)) WHERE key = ?1`
	for _, query := range []string{
		forgetGone, last, `UPDATE origins SET head = (SELECT id FROM messages WHERE id = origins.head) WHERE session = ?`,
	} {
		if _, err := m.Exec(ctx, query, m.key); err != nil {
			return err
		}
	}
	if err := storeCounts(ctx, m.Tx, m.key, m.skeleton.Tally()); err != nil {
		return err
	}
	_, err := countHidden(ctx, m.Tx, m.key, m.skeleton)
	return err
}

// loadLoose reads the messages of a session of which any may be missing. It returns their uids in the order of their numbers, and the
// messages.id of those whose parent is missing, which are roots from now on.
func (m *merge) loadLoose(ctx context.Context) (uids []string, roots []int64, err error) {
	byID, parents := map[int64]int32{}, []sql.NullInt64{}
	const query = `SELECT id, uid, parent, seq, turn, branch, depth, content_hash, created_at_ms, role = 'user' AND kind = 'message'
		FROM messages WHERE session = ? ORDER BY seq < 0, abs(seq)`
	err = m.Scan(ctx, query, []any{m.key}, func(rows *sqlx.Rows) error {
		var n node
		var uid string
		var parent sql.NullInt64
		var at [4]int64
		if err := rows.Scan(&n.id, &uid, &parent, &at[0], &at[1], &at[2], &at[3], &n.hash, &n.createdAtMs, &n.prompt); err != nil {
			return err
		}
		n.put(core.Place{Seq: -1, Depth: -1}) // what a damaged row says may not even fit
		if fitsNode(at) {
			n.put(core.Place{Seq: at[0], Turn: at[1], Branch: at[2], Depth: at[3]})
		}
		byID[n.id] = m.nodes.add(uid, n)
		uids, parents = append(uids, uid), append(parents, parent)
		return nil
	})
	for i, parent := range parents {
		n := m.nodes.at(int32(i + 1)) //nolint:gosec // bounded by the messages of a session
		if n.parent = byID[parent.Int64]; parent.Valid && (n.parent == 0 || byID[n.id] == n.parent) {
			n.parent, n.rehung = 0, true
			roots = append(roots, n.id)
		}
	}
	return uids, roots, err
}

func fitsNode(at [4]int64) bool {
	return !slices.ContainsFunc(at[:], func(n int64) bool { return n < 0 || n > 1<<30 })
}

// planLoose plans the tree and writes it.
func (m *merge) planLoose(ctx context.Context, uids []string) error {
	plain := make([]core.Node, len(uids))
	for i := range plain {
		n := m.nodes.at(int32(i + 1)) //nolint:gosec // bounded by the messages of a session
		plain[i] = core.Node{UID: uids[i], IsPrompt: n.prompt}
		if n.parent != 0 {
			plain[i].ParentUID = uids[n.parent-1]
		}
	}
	order, err := core.ParentsFirst(plain)
	if err != nil {
		return err
	}
	nodes, sorted := make([]*node, len(order)), make([]core.Node, len(order))
	for i, from := range order {
		nodes[i], sorted[i] = m.nodes.at(int32(from+1)), plain[from] //nolint:gosec // as above
	}
	places, skeleton, err := core.Plan(sorted)
	if err != nil {
		return err
	}
	return m.placeAll(ctx, nodes, places, skeleton)
}

// markRoot marks a message whose parent is missing, so that it is not taken for the beginning of the conversation.
func (m *merge) markRoot(ctx context.Context, id int64) error {
	row, err := findMessage(ctx, m.Tx, "", messageByID, id)
	if err != nil {
		return err
	}
	message, err := decodeMessage(m.tx, &row)
	if err != nil {
		return err
	}
	message.Meta = withMark(message.Meta, "incompleteStart")
	p, err := m.codec.pack(message)
	if err != nil {
		return err
	}
	_, err = m.Exec(ctx, `UPDATE messages SET body = ?, content_hash = ? WHERE id = ?`, p.body, p.hash, id)
	return err
}

// referAll makes the messages of a session refer to the contents that their bodies name.
func (m *merge) referAll(ctx context.Context) error {
	type refs struct {
		id     int64
		hashes []string
	}
	var all []refs
	err := m.Scan(ctx, messageBySeq, []any{m.key}, func(rows *sqlx.Rows) error {
		var row messageRow
		if err := rows.StructScan(&row); err != nil {
			return err
		}
		message, err := decodeMessage(m.tx, &row)
		if err != nil {
			return err
		}
		if found := spill(message).refs; len(found) > 0 {
			all = append(all, refs{row.ID, found})
		}
		return nil
	})
	for _, r := range all {
		if err == nil {
			err = storeReferences(ctx, m.Tx, r.id, r.hashes)
		}
	}
	return err
}
