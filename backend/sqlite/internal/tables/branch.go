package tables

import (
	"context"
	"database/sql"
	"errors"
	"slices"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
)

// BranchColumns selects what a core.Branch holds.
const BranchColumns = `SELECT number, parent, fork_depth, tip_depth, prompt_depth, created_at_ms FROM branches `

func readBranch(ctx context.Context, t *conn.Tx, key, number int64) (core.Branch, error) {
	var b core.Branch
	err := t.Get(ctx, &b, BranchColumns+`WHERE session = ? AND number = ?`, key, number)
	if errors.Is(err, sql.ErrNoRows) {
		return b, conn.Damaged("branch %d is missing", number)
	}
	return b, err
}

// ReadBranches returns the branches of a session by number. A missing one is a Corrupt error.
func ReadBranches(ctx context.Context, t *conn.Tx, key int64) ([]core.Branch, error) {
	branches := []core.Branch{}
	if err := t.All(ctx, &branches, BranchColumns+`WHERE session = ? ORDER BY number`, key); err != nil {
		return nil, err
	}
	for i, b := range branches {
		if b.Number != int64(i) || b.Parent >= b.Number {
			return nil, conn.Damaged("branch %d is missing, or its parent comes after it", i)
		}
	}
	return branches, nil
}

// pathBranches selects the branches of a path from its end on: one statement, because a path may cross thousands. It ends at a branch
// whose parent comes after it, which is damage.
const pathBranches = `WITH RECURSIVE path (number, parent, fork_depth, end_depth) AS (
	SELECT number, parent, fork_depth, ? FROM branches WHERE session = ? AND number = ?
	UNION ALL
	SELECT b.number, b.parent, b.fork_depth, p.fork_depth FROM path p JOIN branches b ON b.session = ? AND b.number = p.parent
		WHERE p.fork_depth >= ? AND p.parent < p.number
) SELECT number, parent, fork_depth, end_depth FROM path`

// ReadPath returns the part of the path to a message that lies at depth from and below, the root's side
// first. O(branches crossed).
func ReadPath(ctx context.Context, t *conn.Tx, key int64, to core.Position, from int64) (core.Path, error) {
	path := core.Path{}
	if to.Branch < 0 || to.Depth < from {
		return path, nil
	}
	var crossed []struct {
		core.Branch
		EndDepth int64 `db:"end_depth"`
	}
	if err := t.All(ctx, &crossed, pathBranches, to.Depth, key, to.Branch, key, from); err != nil {
		return nil, err
	}
	for _, b := range crossed {
		if b.Parent >= b.Number || b.ForkDepth >= b.EndDepth {
			return nil, conn.Damaged("the parent of branch %d comes after it", b.Number)
		}
		path = append(path, core.Segment{Branch: b.Number, From: b.FirstDepth(), To: b.EndDepth})
		to = core.Position{Branch: b.Parent, Depth: b.ForkDepth}
	}
	if to.Branch >= 0 && to.Depth >= from {
		return nil, conn.Damaged("branch %d is missing", to.Branch)
	}
	slices.Reverse(path)
	return path, nil
}

// ReadSkeleton reads a session's branches and turns.
func ReadSkeleton(ctx context.Context, t *conn.Tx, key int64) (*core.Skeleton, error) {
	branches, err := ReadBranches(ctx, t, key)
	if err != nil {
		return nil, err
	}
	turns := []core.Turn{}
	if err := t.All(ctx, &turns, `SELECT number, parent, branch, first_depth FROM turns WHERE session = ? ORDER BY number`, key); err != nil {
		return nil, err
	}
	if err := measure(branches, turns); err != nil {
		return nil, err
	}
	return core.NewSkeleton(branches, turns), nil
}

// measure gives turns their length: up to the next turn of the branch, or the tip.
func measure(branches []core.Branch, turns []core.Turn) error {
	ends := make([]int64, len(branches))
	for i, b := range branches {
		ends[i] = b.TipDepth
	}
	for i, turn := range slices.Backward(turns) { // turns of one branch stand in the order of their depth
		if turn.Branch < 0 || turn.Branch >= int64(len(branches)) {
			return conn.Damaged("turn %d lies in no branch", turn.Number)
		}
		end := &ends[turn.Branch]
		turns[i].Messages, turns[i].Cumulative = *end-turn.FirstDepth+1, *end+1
		*end = turn.FirstDepth - 1
	}
	return nil
}

const insertBranch = `INSERT INTO branches (session, number, parent, fork_depth, tip_depth, tip_seq, prompt_depth, created_at_ms)
	VALUES (?, ?, ?, ?, ?, ?, ?, ?)`

// StoreBranch adds a branch whose tip has the sequence number tipSeq.
func StoreBranch(ctx context.Context, t *conn.Tx, key int64, b *core.Branch, tipSeq int64) error {
	_, err := t.Exec(ctx, insertBranch, key, b.Number, b.Parent, b.ForkDepth, b.TipDepth, tipSeq, b.PromptDepth, b.CreatedAtMs)
	return err
}
