// Package arrange assigns the messages of a session their positions in its tree, and stores them.
package arrange

import (
	"context"
	"database/sql"
	"slices"

	"github.com/jmoiron/sqlx"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/store"
	"coppice/backend/sqlite/internal/tables"
)

// Tree is the messages of a session with their positions, while these change.
type Tree struct {
	*store.Txn
	Key      int64
	Nodes    *nodes
	Order    []int32        // the messages of a source in its order, by their numbers in nodes
	Skeleton *core.Skeleton // of nodes
	placed   int            // how many of order have their branches and turns stored
	stored   core.Tally     // the stored branches and turns
	Moved    int64          // messages that were stored before and have another position now
}

// Load reads the messages that are there.
func (a *Tree) Load(ctx context.Context) (err error) {
	if a.Skeleton, err = tables.ReadSkeleton(ctx, a.Tx, a.Key); err != nil {
		return err
	}
	a.stored = a.Skeleton.Tally()
	rows, err := a.Rows(ctx, `SELECT id, uid, parent, seq, turn, branch, depth, content_hash, created_at_ms, role = 'user' AND kind = 'message'
		FROM messages WHERE session = ? ORDER BY seq`, a.Key)
	if err != nil {
		return err
	}
	defer conn.CloseRows(rows, &err)
	byID := make(map[int64]int32, a.stored.Messages)
	for rows.Next() {
		var n Node
		var uid string
		var parent sql.NullInt64
		var at core.Placement
		if err := rows.Scan(&n.ID, &uid, &parent, &at.Seq, &at.Turn, &at.Branch, &at.Depth, &n.Hash, &n.CreatedAtMs, &n.Prompt); err != nil {
			return err
		}
		if n.Parent = byID[parent.Int64]; parent.Valid && n.Parent == 0 {
			return conn.Damaged("the parent of message %q is missing", uid)
		}
		n.Put(at)
		byID[n.ID] = a.Nodes.Add(uid, n)
	}
	return nil
}

// PlaceMessages writes the branches and turns that are new, and the tips that have moved.
func (a *Tree) PlaceMessages(ctx context.Context) error {
	ends := map[int64]*Node{} // of branches that have got longer
	births := map[int64]int64{}
	for _, number := range a.Order[a.placed:] {
		n := a.Nodes.At(number)
		if !n.Added {
			continue
		}
		if ends[n.Placement().Branch] == nil {
			births[n.Placement().Branch] = n.CreatedAtMs
		}
		ends[n.Placement().Branch] = n
	}
	for number, tip := range ends {
		b := a.Skeleton.Branches[number]
		if number >= a.stored.Branches {
			b.CreatedAtMs = births[number]
			if err := tables.StoreBranch(ctx, a.Tx, a.Key, &b, tip.Placement().Seq); err != nil {
				return err
			}
			continue
		}
		const extend = `UPDATE branches SET tip_depth = ?, tip_seq = ?, prompt_depth = ? WHERE session = ? AND number = ?`
		if _, err := a.Exec(ctx, extend, b.TipDepth, tip.Placement().Seq, b.PromptDepth, a.Key, number); err != nil {
			return err
		}
	}
	if err := a.insertTurns(ctx, a.Skeleton.Turns[a.stored.Turns:]); err != nil {
		return err
	}
	a.placed, a.stored = len(a.Order), a.Skeleton.Tally()
	return nil
}

func (a *Tree) insertTurns(ctx context.Context, turns []core.Turn) error {
	const insert = `INSERT INTO turns (session, number, parent, branch, first_depth) VALUES (?, ?, ?, ?, ?)`
	for _, turn := range turns {
		if _, err := a.Exec(ctx, insert, a.Key, turn.Number, turn.Parent, turn.Branch, turn.FirstDepth); err != nil {
			return err
		}
	}
	return nil
}

// PlaceAgain gives every message the place it has in the tree as it is now. Bodies are not touched.
func (a *Tree) PlaceAgain(ctx context.Context) error {
	nodes, places, skeleton, err := a.plan(ctx)
	if err != nil {
		return err
	}
	return a.placeAll(ctx, nodes, places, skeleton)
}

// placeAll gives messages new places, and the session the branches and turns of those.
func (a *Tree) placeAll(ctx context.Context, nodes []*Node, places []core.Placement, skeleton *core.Skeleton) error {
	a.Skeleton = skeleton
	if err := a.move(ctx, nodes, places); err != nil {
		return err
	}
	for _, query := range []string{`DELETE FROM branches WHERE session = ?`, `DELETE FROM turns WHERE session = ?`} {
		if _, err := a.Exec(ctx, query, a.Key); err != nil {
			return err
		}
	}
	tips := make([]int64, len(skeleton.Branches))
	for _, n := range nodes { // by seq, so the last of a branch stays
		b := &skeleton.Branches[n.Placement().Branch]
		if n.Placement().Depth == b.FirstDepth() {
			b.CreatedAtMs = n.CreatedAtMs
		}
		tips[b.Number] = n.Placement().Seq
	}
	for i := range skeleton.Branches {
		if err := tables.StoreBranch(ctx, a.Tx, a.Key, &skeleton.Branches[i], tips[i]); err != nil {
			return err
		}
	}
	a.placed, a.stored = len(a.Order), skeleton.Tally()
	return a.insertTurns(ctx, skeleton.Turns)
}

// plan orders all messages of the session and finds their places.
func (a *Tree) plan(ctx context.Context) ([]*Node, []core.Placement, *core.Skeleton, error) {
	nodes := a.inOrder()
	plain, err := a.plain(ctx, nodes)
	if err != nil {
		return nil, nil, nil, err
	}
	order, err := core.ParentsFirst(plain)
	if err != nil {
		return nil, nil, nil, err
	}
	sorted, sortedPlain := make([]*Node, len(order)), make([]core.Node, len(order))
	for i, from := range order {
		sorted[i], sortedPlain[i] = nodes[from], plain[from]
	}
	places, skeleton, err := core.Plan(sortedPlain)
	return sorted, places, skeleton, err
}

// plain returns what a plan needs of messages.
func (a *Tree) plain(ctx context.Context, nodes []*Node) ([]core.Node, error) {
	uids := make(map[int64]string, len(nodes))
	err := a.Scan(ctx, `SELECT id, uid FROM messages WHERE session = ?`, []any{a.Key}, func(rows *sqlx.Rows) error {
		var id int64
		var uid string
		err := rows.Scan(&id, &uid)
		uids[id] = uid
		return err
	})
	plain := make([]core.Node, len(nodes))
	for i, n := range nodes {
		plain[i] = core.Node{UID: uids[n.ID], IsPrompt: n.Prompt}
		if n.Parent != 0 {
			plain[i].ParentUID = uids[a.Nodes.At(n.Parent).ID]
		}
	}
	return plain, err
}

// inOrder returns the messages as the source orders them; those it does not know, such as another
// copy's, stay behind the message that they followed before.
func (a *Tree) inOrder() []*Node {
	bySeq := make([]*Node, a.Nodes.Count())
	for number := range a.Nodes.Count() {
		n := a.Nodes.At(number + 1)
		bySeq[n.seq] = n
	}
	followers := map[*Node][]*Node{}
	var before *Node
	for _, n := range bySeq {
		if n.Came {
			before = n
		} else {
			followers[before] = append(followers[before], n)
		}
	}
	nodes := append(make([]*Node, 0, len(bySeq)), followers[nil]...)
	for _, number := range a.Order {
		n := a.Nodes.At(number)
		nodes = append(append(nodes, n), followers[n]...)
	}
	return nodes
}

// move writes new places. Two messages must never share one, so those that move step aside first, to
// negative numbers.
func (a *Tree) move(ctx context.Context, nodes []*Node, places []core.Placement) error {
	for i, n := range nodes {
		if n.Placement() == places[i] && !n.Rehung {
			continue
		}
		if _, err := a.Exec(ctx, `UPDATE messages SET seq = -1 - seq, depth = -1 - depth WHERE id = ?`, n.ID); err != nil {
			return err
		}
	}
	for i, n := range nodes {
		if n.Placement() == places[i] && !n.Rehung {
			continue
		}
		to := places[i]
		const update = `UPDATE messages SET seq = ?, turn = ?, branch = ?, depth = ?, parent = ? WHERE id = ?`
		if _, err := a.Exec(ctx, update, to.Seq, to.Turn, to.Branch, to.Depth, a.Nodes.ID(n.Parent), n.ID); err != nil {
			return err
		}
		if !n.Added && (n.Rehung || n.Placement().Position() != to.Position()) {
			a.Moved++
		}
		n.Put(to)
	}
	return nil
}

// Prune removes hidden messages and assigns the others new positions, in the order of creation.
func (a *Tree) Prune(ctx context.Context, set core.HiddenSet) (int64, error) {
	kept := make([]*Node, 0, a.Nodes.Count())
	for number := range a.Nodes.Count() {
		if n := a.Nodes.At(number + 1); !set.Hides(n.Placement().Position()) {
			kept = append(kept, n)
		}
	}
	removed := int64(a.Nodes.Count()) - int64(len(kept))
	if removed == 0 {
		return 0, nil
	}
	for n, b := range a.Skeleton.Branches {
		if from := set.From(int64(n)); from <= b.TipDepth {
			if err := tables.SubtractBranchEnd(ctx, a.Txn, a.Key, int64(n), from); err != nil {
				return 0, err
			}
			if err := tables.DissolveBranchEnd(ctx, a.Txn, a.Key, int64(n), from); err != nil {
				return 0, err
			}
			if _, err := a.Exec(ctx, `DELETE FROM messages WHERE session = ? AND branch = ? AND depth >= ?`, a.Key, n, from); err != nil {
				return 0, err
			}
		}
	}
	slices.SortFunc(kept, func(a, b *Node) int { return int(a.seq - b.seq) })
	plain, err := a.plain(ctx, kept)
	if err != nil {
		return 0, err
	}
	places, skeleton, err := core.Plan(plain)
	if err != nil {
		return 0, err
	}
	return removed, a.placeAll(ctx, kept, places, skeleton)
}

// LoadLoose reads the messages of a session of which any may be missing. It returns their uids in the order of their numbers, and the
// messages.id of those whose parent is missing, which are roots from now on.
func (a *Tree) LoadLoose(ctx context.Context) (uids []string, roots []int64, err error) {
	byID, parents := map[int64]int32{}, []sql.NullInt64{}
	const query = `SELECT id, uid, parent, seq, turn, branch, depth, content_hash, created_at_ms, role = 'user' AND kind = 'message'
		FROM messages WHERE session = ? ORDER BY seq < 0, abs(seq)`
	err = a.Scan(ctx, query, []any{a.Key}, func(rows *sqlx.Rows) error {
		var n Node
		var uid string
		var parent sql.NullInt64
		var at [4]int64
		if err := rows.Scan(&n.ID, &uid, &parent, &at[0], &at[1], &at[2], &at[3], &n.Hash, &n.CreatedAtMs, &n.Prompt); err != nil {
			return err
		}
		n.Put(core.Placement{Seq: -1, Depth: -1}) // what a damaged row says may not even fit
		if fitsNode(at) {
			n.Put(core.Placement{Seq: at[0], Turn: at[1], Branch: at[2], Depth: at[3]})
		}
		byID[n.ID] = a.Nodes.Add(uid, n)
		uids, parents = append(uids, uid), append(parents, parent)
		return nil
	})
	for i, parent := range parents {
		n := a.Nodes.At(int32(i + 1)) //nolint:gosec // bounded by the messages of a session
		if n.Parent = byID[parent.Int64]; parent.Valid && (n.Parent == 0 || byID[n.ID] == n.Parent) {
			n.Parent, n.Rehung = 0, true
			roots = append(roots, n.ID)
		}
	}
	return uids, append(roots, a.cutCycles(len(parents))...), err
}

// cutCycles makes a root of the first message of each cycle of parents, and returns their messages.id. A damaged row can name a
// descendant as its parent.
func (a *Tree) cutCycles(count int) (roots []int64) {
	const climbing, done = 1, 2 // 0: not visited yet
	state := make([]byte, count+1)
	for i := range int32(count) { //nolint:gosec // bounded by the messages of a session
		chain := []int32{}
		at := i + 1
		for ; at != 0 && state[at] == 0; at = a.Nodes.At(at).Parent {
			state[at] = climbing
			chain = append(chain, at)
		}
		if at != 0 && state[at] == climbing {
			n := a.Nodes.At(slices.Min(chain[slices.Index(chain, at):]))
			n.Parent, n.Rehung = 0, true
			roots = append(roots, n.ID)
		}
		for _, climbed := range chain {
			state[climbed] = done
		}
	}
	return roots
}

// PlanLoose plans the tree and writes it.
func (a *Tree) PlanLoose(ctx context.Context, uids []string) error {
	plain := make([]core.Node, len(uids))
	for i := range plain {
		n := a.Nodes.At(int32(i + 1)) //nolint:gosec // bounded by the messages of a session
		plain[i] = core.Node{UID: uids[i], IsPrompt: n.Prompt}
		if n.Parent != 0 {
			plain[i].ParentUID = uids[n.Parent-1]
		}
	}
	order, err := core.ParentsFirst(plain)
	if err != nil {
		return err
	}
	nodes, sorted := make([]*Node, len(order)), make([]core.Node, len(order))
	for i, from := range order {
		nodes[i], sorted[i] = a.Nodes.At(int32(from+1)), plain[from] //nolint:gosec // as above
	}
	places, skeleton, err := core.Plan(sorted)
	if err != nil {
		return err
	}
	return a.placeAll(ctx, nodes, places, skeleton)
}

func fitsNode(at [4]int64) bool {
	return !slices.ContainsFunc(at[:], func(n int64) bool { return n < 0 || n > 1<<30 })
}
