package trees

import (
	"context"
	"slices"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/store"
	"coppice/backend/sqlite/internal/tables"
)

// Siblings returns the alternatives at a message's place, itself included, in the order of creation.
func (db *Store) Siblings(ctx context.Context, sessionID, uid string) ([]core.Sibling, error) {
	siblings := []core.Sibling{}
	err := db.Read(ctx, func(t *store.Txn) error {
		key, m, err := tables.MessageOfSession(ctx, t.Tx, sessionID, uid)
		if err != nil {
			return err
		}
		siblings, err = readSiblings(ctx, t.Tx, key, &m)
		return err
	})
	return siblings, conn.Fail(err, "read the siblings of message %s", uid)
}

// FirstsAt reads the first messages of the branches that fork at a message, an index range.
const FirstsAt = `SELECT m.uid, m.seq, m.turn, m.branch, m.role, m.model, m.text_preview AS preview, m.created_at_ms
	FROM branches b JOIN messages m ON m.session = b.session AND m.branch = b.number AND m.depth = b.fork_depth + 1
	WHERE b.session = ? AND b.parent = ? AND b.fork_depth = ? ORDER BY b.number`

const siblingAt = `SELECT uid, seq, turn, branch, role, model, text_preview AS preview, created_at_ms FROM messages
	WHERE session = ? AND branch = ? AND depth = ?`

func readSiblings(ctx context.Context, t *conn.Tx, key int64, m *tables.MessageRow) ([]core.Sibling, error) {
	branches, err := tables.ReadBranches(ctx, t, key)
	if err != nil {
		return nil, err
	}
	if m.Branch >= int64(len(branches)) {
		return nil, conn.Damaged("branch %d is missing", m.Branch)
	}
	at := core.Position{Branch: m.Branch, Depth: m.Depth - 1} // their parent
	if b := branches[m.Branch]; m.Depth == b.FirstDepth() {
		at = core.Position{Branch: b.Parent, Depth: b.ForkDepth}
	}
	siblings := []core.Sibling{}
	if at.Branch >= 0 {
		if err := t.All(ctx, &siblings, siblingAt, key, at.Branch, at.Depth+1); err != nil {
			return nil, err
		}
	}
	var others []core.Sibling
	if err := t.All(ctx, &others, FirstsAt, key, at.Branch, at.Depth); err != nil {
		return nil, err
	}
	siblings = append(siblings, others...)
	hidden, err := tables.HiddenTops(ctx, t, key)
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
