package sqlite

import (
	"context"
	"slices"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
)

// kin knows how many children hang on a message besides the one that continues its branch.
//
// Siblings that are in the session's trash do not count, but for the message's own sake where that is in it.
type kin struct {
	forks map[core.Spot]int64 // branches that fork at a message; at spot (-1, -1): that start at a root
	first map[int64]birth     // what the first message of a branch hangs on
	// hidden are the tops of what is in the trash, by what they hang on.
	hidden map[core.Spot][]core.Spot
}

// birth is where a branch begins.
type birth struct {
	at   core.Spot
	rank int64 // among the branches that fork at the same message, from 1
}

func newKin() *kin {
	return &kin{map[core.Spot]int64{}, map[int64]birth{}, map[core.Spot][]core.Spot{}}
}

// readSiblingCounts reads what concerns the messages of the segments: per segment a range of the branches that
// fork in it, and the place where it begins.
func readSiblingCounts(ctx context.Context, t *conn.Tx, key int64, segments []core.Segment) (*kin, error) {
	k := newKin()
	for _, s := range segments {
		if err := addForks(ctx, t, k, key, s); err != nil {
			return nil, err
		}
		if err := addBirth(ctx, t, k, key, s); err != nil {
			return nil, err
		}
	}
	return k, addHidden(ctx, t, k, key)
}

// addHidden reads the tops of what is in the trash. A first message of a branch hangs where that forks.
func addHidden(ctx context.Context, t *conn.Tx, k *kin, key int64) error {
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
		at := core.Spot{Branch: top.Branch, Depth: top.Depth - 1}
		if top.Depth == top.ForkDepth+1 {
			at = core.Spot{Branch: top.Parent, Depth: top.ForkDepth}
		}
		k.hidden[at] = append(k.hidden[at], core.Spot{Branch: top.Branch, Depth: top.Depth})
	}
	return nil
}

func addForks(ctx context.Context, t *conn.Tx, k *kin, key int64, s core.Segment) error {
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
		k.forks[core.Spot{Branch: s.Branch, Depth: f.Depth}] = f.Count
	}
	return nil
}

func addBirth(ctx context.Context, t *conn.Tx, k *kin, key int64, s core.Segment) error {
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
	at := core.Spot{Branch: b.Parent, Depth: b.ForkDepth}
	k.forks[at] = n.Count
	k.first[s.Branch] = birth{at, n.Rank}
	return nil
}

// readAllSiblingCounts reads what concerns a whole session.
func readAllSiblingCounts(ctx context.Context, t *conn.Tx, key int64) (*kin, error) {
	branches, err := readBranches(ctx, t, key)
	if err != nil {
		return nil, err
	}
	k := newKin()
	for _, b := range branches {
		at := core.Spot{Branch: b.Parent, Depth: b.ForkDepth}
		k.forks[at]++
		k.first[b.Number] = birth{at, k.forks[at]}
	}
	return k, addHidden(ctx, t, k, key)
}

// tell fills in Siblings and SiblingIndex. The message that continues the branch of its parent
// comes first, because only then did others open branches.
func (k *kin) tell(m *core.Message) {
	if b, ok := k.first[m.Branch]; ok && m.Depth == b.at.Depth+1 {
		m.Siblings, m.SiblingIndex = k.forks[b.at], b.rank
		if b.at.Branch >= 0 {
			m.Siblings, m.SiblingIndex = m.Siblings+1, m.SiblingIndex+1
		}
		k.leaveOut(m, b.at)
		return
	}
	at := core.Spot{Branch: m.Branch, Depth: m.Depth - 1}
	m.Siblings, m.SiblingIndex = 1+k.forks[at], 1
	k.leaveOut(m, at)
}

// leaveOut takes the siblings that are in the trash away from the count. Siblings stand in the order of their branches: the one
// that continues the parent's is the oldest.
func (k *kin) leaveOut(m *core.Message, at core.Spot) {
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

// Siblings returns the alternatives at a message's place, itself included, in the order of creation.
func (db *treeStore) Siblings(ctx context.Context, sessionID, uid string) ([]core.Sibling, error) {
	siblings := []core.Sibling{}
	err := db.read(ctx, func(t *tx) error {
		key, m, err := messageOfSession(ctx, t.Tx, sessionID, uid)
		if err != nil {
			return err
		}
		siblings, err = readSiblings(ctx, t.Tx, key, &m)
		return err
	})
	return siblings, conn.Fail(err, "read the siblings of message %s", uid)
}

// firstsAt reads the first messages of the branches that fork at a message, an index range.
const firstsAt = `SELECT m.uid, m.seq, m.turn, m.branch, m.role, m.model, m.text_preview AS preview, m.created_at_ms
	FROM branches b JOIN messages m ON m.session = b.session AND m.branch = b.number AND m.depth = b.fork_depth + 1
	WHERE b.session = ? AND b.parent = ? AND b.fork_depth = ? ORDER BY b.number`

const siblingAt = `SELECT uid, seq, turn, branch, role, model, text_preview AS preview, created_at_ms FROM messages
	WHERE session = ? AND branch = ? AND depth = ?`

func readSiblings(ctx context.Context, t *conn.Tx, key int64, m *messageRow) ([]core.Sibling, error) {
	branches, err := readBranches(ctx, t, key)
	if err != nil {
		return nil, err
	}
	if m.Branch >= int64(len(branches)) {
		return nil, damaged("branch %d is missing", m.Branch)
	}
	at := core.Spot{Branch: m.Branch, Depth: m.Depth - 1} // what they hang on
	if b := branches[m.Branch]; m.Depth == b.FirstDepth() {
		at = core.Spot{Branch: b.Parent, Depth: b.ForkDepth}
	}
	siblings := []core.Sibling{}
	if at.Branch >= 0 {
		if err := t.All(ctx, &siblings, siblingAt, key, at.Branch, at.Depth+1); err != nil {
			return nil, err
		}
	}
	var others []core.Sibling
	if err := t.All(ctx, &others, firstsAt, key, at.Branch, at.Depth); err != nil {
		return nil, err
	}
	siblings = append(siblings, others...)
	hidden, err := hiddenTops(ctx, t, key)
	if err != nil {
		return nil, err
	}
	inTrash := make(map[string]bool, len(hidden))
	for _, top := range hidden {
		inTrash[top.UID] = top.UID != m.UID
	}
	siblings = slices.DeleteFunc(siblings, func(s core.Sibling) bool { return inTrash[s.UID] })
	weights := newWeights(branches)
	for i, s := range siblings {
		siblings[i].Messages = weights.whole[s.Branch]
		if s.Branch == at.Branch {
			siblings[i].Messages = weights.from(branches, s.Branch, at.Depth+1)
		}
	}
	return siblings, nil
}

// weights counts messages below places of a tree.
type weights struct {
	whole []int64 // of each branch: its own and those of all that fork from it, directly or not
}

// newWeights adds up from the youngest branch to the oldest: a parent is always older.
func newWeights(branches []core.Branch) *weights {
	w := &weights{make([]int64, len(branches))}
	for n, b := range slices.Backward(branches) {
		w.whole[n] += b.Length()
		if b.Parent >= 0 && b.Parent < int64(n) {
			w.whole[b.Parent] += w.whole[n]
		}
	}
	return w
}

// from counts the messages of a branch from a depth on, and all that forks from them.
func (w *weights) from(branches []core.Branch, branch, depth int64) int64 {
	n := branches[branch].TipDepth - depth + 1
	for _, b := range branches[branch+1:] {
		if b.Parent == branch && b.ForkDepth >= depth {
			n += w.whole[b.Number]
		}
	}
	return n
}
