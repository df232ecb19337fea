package sqlite

import (
	"context"
	"database/sql"

	"github.com/jmoiron/sqlx"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
)

// load reads the messages that are there.
func (m *merge) load(ctx context.Context) (err error) {
	if m.skeleton, err = readSkeleton(ctx, m.Tx, m.key); err != nil {
		return err
	}
	m.old = m.skeleton.Tally()
	rows, err := m.Rows(ctx, `SELECT id, uid, parent, seq, turn, branch, depth, content_hash, created_at_ms, role = 'user' AND kind = 'message'
		FROM messages WHERE session = ? ORDER BY seq`, m.key)
	if err != nil {
		return err
	}
	defer conn.CloseRows(rows, &err)
	byID := make(map[int64]int32, m.old.Messages)
	for rows.Next() {
		var n node
		var uid string
		var parent sql.NullInt64
		var at core.Place
		if err := rows.Scan(&n.id, &uid, &parent, &at.Seq, &at.Turn, &at.Branch, &at.Depth, &n.hash, &n.createdAtMs, &n.prompt); err != nil {
			return err
		}
		if n.parent = byID[parent.Int64]; parent.Valid && n.parent == 0 {
			return damaged("the parent of message %q is missing", uid)
		}
		n.put(at)
		byID[n.id] = m.nodes.add(uid, n)
	}
	return nil
}

// placeMessages writes the branches and turns that are new, and the tips that have moved.
func (m *merge) placeMessages(ctx context.Context) error {
	ends := map[int64]*node{} // of branches that have got longer
	births := map[int64]int64{}
	for _, number := range m.order[m.placed:] {
		n := m.nodes.at(number)
		if !n.added {
			continue
		}
		if ends[n.place().Branch] == nil {
			births[n.place().Branch] = n.createdAtMs
		}
		ends[n.place().Branch] = n
	}
	for number, tip := range ends {
		b := m.skeleton.Branches[number]
		if number >= m.old.Branches {
			b.CreatedAtMs = births[number]
			if err := storeBranch(ctx, m.Tx, m.key, &b, tip.place().Seq); err != nil {
				return err
			}
			continue
		}
		const extend = `UPDATE branches SET tip_depth = ?, tip_seq = ?, prompt_depth = ? WHERE session = ? AND number = ?`
		if _, err := m.Exec(ctx, extend, b.TipDepth, tip.place().Seq, b.PromptDepth, m.key, number); err != nil {
			return err
		}
	}
	if err := m.insertTurns(ctx, m.skeleton.Turns[m.old.Turns:]); err != nil {
		return err
	}
	m.placed, m.old = len(m.order), m.skeleton.Tally()
	return nil
}

func (m *merge) insertTurns(ctx context.Context, turns []core.Turn) error {
	const insert = `INSERT INTO turns (session, number, parent, branch, first_depth) VALUES (?, ?, ?, ?, ?)`
	for _, turn := range turns {
		if _, err := m.Exec(ctx, insert, m.key, turn.Number, turn.Parent, turn.Branch, turn.FirstDepth); err != nil {
			return err
		}
	}
	return nil
}

// placeAgain gives every message the place it has in the tree as it is now. Bodies are not touched.
func (m *merge) placeAgain(ctx context.Context) error {
	nodes, places, skeleton, err := m.plan(ctx)
	if err != nil {
		return err
	}
	return m.placeAll(ctx, nodes, places, skeleton)
}

// placeAll gives messages new places, and the session the branches and turns of those.
func (m *merge) placeAll(ctx context.Context, nodes []*node, places []core.Place, skeleton *core.Skeleton) error {
	m.skeleton = skeleton
	if err := m.move(ctx, nodes, places); err != nil {
		return err
	}
	for _, query := range []string{`DELETE FROM branches WHERE session = ?`, `DELETE FROM turns WHERE session = ?`} {
		if _, err := m.Exec(ctx, query, m.key); err != nil {
			return err
		}
	}
	tips := make([]int64, len(skeleton.Branches))
	for _, n := range nodes { // by seq, so the last of a branch stays
		b := &skeleton.Branches[n.place().Branch]
		if n.place().Depth == b.FirstDepth() {
			b.CreatedAtMs = n.createdAtMs
		}
		tips[b.Number] = n.place().Seq
	}
	for i := range skeleton.Branches {
		if err := storeBranch(ctx, m.Tx, m.key, &skeleton.Branches[i], tips[i]); err != nil {
			return err
		}
	}
	m.placed, m.old = len(m.order), skeleton.Tally()
	return m.insertTurns(ctx, skeleton.Turns)
}

// plan orders all messages of the session and finds their places.
func (m *merge) plan(ctx context.Context) ([]*node, []core.Place, *core.Skeleton, error) {
	nodes := m.inOrder()
	plain, err := m.plain(ctx, nodes)
	if err != nil {
		return nil, nil, nil, err
	}
	order, err := core.ParentsFirst(plain)
	if err != nil {
		return nil, nil, nil, err
	}
	sorted, sortedPlain := make([]*node, len(order)), make([]core.Node, len(order))
	for i, from := range order {
		sorted[i], sortedPlain[i] = nodes[from], plain[from]
	}
	places, skeleton, err := core.Plan(sortedPlain)
	return sorted, places, skeleton, err
}

// plain returns what a plan needs of messages.
func (m *merge) plain(ctx context.Context, nodes []*node) ([]core.Node, error) {
	uids := make(map[int64]string, len(nodes))
	err := m.Scan(ctx, `SELECT id, uid FROM messages WHERE session = ?`, []any{m.key}, func(rows *sqlx.Rows) error {
		var id int64
		var uid string
		err := rows.Scan(&id, &uid)
		uids[id] = uid
		return err
	})
	plain := make([]core.Node, len(nodes))
	for i, n := range nodes {
		plain[i] = core.Node{UID: uids[n.id], IsPrompt: n.prompt}
		if n.parent != 0 {
			plain[i].ParentUID = uids[m.nodes.at(n.parent).id]
		}
	}
	return plain, err
}

// inOrder returns the messages as the source orders them; those it does not know, such as another
// copy's, stay behind the one they stood behind.
func (m *merge) inOrder() []*node {
	bySeq := make([]*node, m.nodes.count())
	for number := range m.nodes.count() {
		n := m.nodes.at(number + 1)
		bySeq[n.seq] = n
	}
	followers := map[*node][]*node{}
	var before *node
	for _, n := range bySeq {
		if n.came {
			before = n
		} else {
			followers[before] = append(followers[before], n)
		}
	}
	nodes := append(make([]*node, 0, len(bySeq)), followers[nil]...)
	for _, number := range m.order {
		n := m.nodes.at(number)
		nodes = append(append(nodes, n), followers[n]...)
	}
	return nodes
}

// move writes new places. Two messages must never share one, so those that move step aside first, to
// negative numbers.
func (m *merge) move(ctx context.Context, nodes []*node, places []core.Place) error {
	for i, n := range nodes {
		if n.place() == places[i] && !n.rehung {
			continue
		}
		if _, err := m.Exec(ctx, `UPDATE messages SET seq = -1 - seq, depth = -1 - depth WHERE id = ?`, n.id); err != nil {
			return err
		}
	}
	for i, n := range nodes {
		if n.place() == places[i] && !n.rehung {
			continue
		}
		to := places[i]
		const update = `UPDATE messages SET seq = ?, turn = ?, branch = ?, depth = ?, parent = ? WHERE id = ?`
		if _, err := m.Exec(ctx, update, to.Seq, to.Turn, to.Branch, to.Depth, m.nodes.id(n.parent), n.id); err != nil {
			return err
		}
		if !n.added && (n.rehung || n.place().Spot() != to.Spot()) {
			m.merged.Moved++
		}
		n.put(to)
	}
	return nil
}
