package tables

import (
	"context"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
)

// SiblingCounts counts the children of messages besides those that continue a branch.
//
// Siblings that are in the session's trash do not count, but for the message's own sake where that is in it.
type SiblingCounts struct {
	forks map[core.Position]int64 // branches that fork at a message; at position (-1, -1): that start at a root
	first map[int64]branchStart   // the parent of the first message of a branch
	// hidden are the tops of what is in the trash, by their parents.
	hidden map[core.Position][]core.Position
}

// branchStart is where a branch begins.
type branchStart struct {
	at   core.Position
	rank int64 // among the branches that fork at the same message, from 1
}

func newSiblingCounts() *SiblingCounts {
	return &SiblingCounts{map[core.Position]int64{}, map[int64]branchStart{}, map[core.Position][]core.Position{}}
}

// ReadSiblingCounts reads what concerns the messages of the segments: per segment a range of the branches that
// fork in it, and the position where it begins.
func ReadSiblingCounts(ctx context.Context, t *conn.Tx, key int64, segments []core.Segment) (*SiblingCounts, error) {
	k := newSiblingCounts()
	for _, s := range segments {
		if err := addForks(ctx, t, k, key, s); err != nil {
			return nil, err
		}
		if err := addBranchStart(ctx, t, k, key, s); err != nil {
			return nil, err
		}
	}
	return k, addHidden(ctx, t, k, key)
}

// addHidden reads the tops of what is in the trash. A first message of a branch hangs where that forks.
func addHidden(ctx context.Context, t *conn.Tx, k *SiblingCounts, key int64) error {
	var tops []struct {
		Branch    int64
		Depth     int64
		Parent    int64
		ForkDepth int64 `db:"fork_depth"`
	}
	const query = `SELECT m.branch, m.depth, b.parent, b.fork_depth FROM hidden h JOIN messages m ON m.id = h.message
		JOIN branches b ON b.session = h.session AND b.number = m.branch WHERE h.session = ?`
	if err := t.All(ctx, &tops, query, key); err != nil {
		return err
	}
	for _, top := range tops {
		at := core.Position{Branch: top.Branch, Depth: top.Depth - 1}
		if top.Depth == top.ForkDepth+1 {
			at = core.Position{Branch: top.Parent, Depth: top.ForkDepth}
		}
		k.hidden[at] = append(k.hidden[at], core.Position{Branch: top.Branch, Depth: top.Depth})
	}
	return nil
}

func addForks(ctx context.Context, t *conn.Tx, k *SiblingCounts, key int64, s core.Segment) error {
	var forks []struct {
		Depth int64 `db:"fork_depth"`
		Count int64
	}
	const query = `SELECT fork_depth, count(*) AS count FROM branches
		WHERE session = ? AND parent = ? AND fork_depth BETWEEN ? AND ? GROUP BY fork_depth`
	if err := t.All(ctx, &forks, query, key, s.Branch, s.From-1, s.To-1); err != nil {
		return err
	}
	for _, f := range forks {
		k.forks[core.Position{Branch: s.Branch, Depth: f.Depth}] = f.Count
	}
	return nil
}

func addBranchStart(ctx context.Context, t *conn.Tx, k *SiblingCounts, key int64, s core.Segment) error {
	b, err := readBranch(ctx, t, key, s.Branch)
	if err != nil || s.From > b.FirstDepth() {
		return err
	}
	var n struct{ Count, Rank int64 }
	const query = `SELECT count(*) AS count, count(*) FILTER (WHERE number <= ?) AS rank FROM branches
		WHERE session = ? AND parent = ? AND fork_depth = ?`
	if err := t.Get(ctx, &n, query, s.Branch, key, b.Parent, b.ForkDepth); err != nil {
		return err
	}
	at := core.Position{Branch: b.Parent, Depth: b.ForkDepth}
	k.forks[at] = n.Count
	k.first[s.Branch] = branchStart{at, n.Rank}
	return nil
}

// ReadAllSiblingCounts reads what concerns a whole session.
func ReadAllSiblingCounts(ctx context.Context, t *conn.Tx, key int64) (*SiblingCounts, error) {
	branches, err := ReadBranches(ctx, t, key)
	if err != nil {
		return nil, err
	}
	k := newSiblingCounts()
	for _, b := range branches {
		at := core.Position{Branch: b.Parent, Depth: b.ForkDepth}
		k.forks[at]++
		k.first[b.Number] = branchStart{at, k.forks[at]}
	}
	return k, addHidden(ctx, t, k, key)
}

// Count fills in Siblings and SiblingIndex. The message that continues the branch of its parent
// comes first, because only then did others open branches.
func (k *SiblingCounts) Count(m *core.Message) {
	if b, ok := k.first[m.Branch]; ok && m.Depth == b.at.Depth+1 {
		m.Siblings, m.SiblingIndex = k.forks[b.at], b.rank
		if b.at.Branch >= 0 {
			m.Siblings, m.SiblingIndex = m.Siblings+1, m.SiblingIndex+1
		}
		k.leaveOut(m, b.at)
		return
	}
	at := core.Position{Branch: m.Branch, Depth: m.Depth - 1}
	m.Siblings, m.SiblingIndex = 1+k.forks[at], 1
	k.leaveOut(m, at)
}

// leaveOut takes the siblings that are in the trash away from the count. Siblings stand in the order of their branches: the one
// that continues the parent's is the oldest.
func (k *SiblingCounts) leaveOut(m *core.Message, at core.Position) {
	for _, top := range k.hidden[at] {
		if top.Branch == m.Branch && top.Depth == m.Depth {
			continue
		}
		m.Siblings--
		if top.Branch < m.Branch {
			m.SiblingIndex--
		}
	}
}
