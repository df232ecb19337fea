package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"slices"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
)

const branchColumns = `SELECT number, parent, fork_depth, tip_depth, prompt_depth, created_at_ms FROM branches `

func readBranch(ctx context.Context, t *conn.Tx, key, number int64) (core.Branch, error) {
	var b core.Branch
	err := t.Get(ctx, &b, branchColumns+`WHERE session = ? AND number = ?`, key, number)
	if errors.Is(err, sql.ErrNoRows) {
		return b, damaged("branch %d is missing", number)
	}
	return b, err
}

func readBranches(ctx context.Context, t *conn.Tx, key int64) ([]core.Branch, error) {
	branches := []core.Branch{}
	if err := t.All(ctx, &branches, branchColumns+`WHERE session = ? ORDER BY number`, key); err != nil {
		return nil, err
	}
	for i, b := range branches {
		if b.Number != int64(i) || b.Parent >= b.Number {
			return nil, damaged("branch %d is missing or hangs on what comes after it", i)
		}
	}
	return branches, nil
}

// readPath returns the part of the path to a message that lies at depth from and below, the root's side
// first: one look-up per branch crossed.
func readPath(ctx context.Context, t *conn.Tx, key int64, to core.Spot, from int64) (core.Path, error) {
	path := core.Path{}
	for to.Branch >= 0 && to.Depth >= from {
		b, err := readBranch(ctx, t, key, to.Branch)
		if err != nil {
			return nil, err
		}
		path = append(path, core.Segment{Branch: b.Number, From: b.FirstDepth(), To: to.Depth})
		if b.Parent >= b.Number || b.ForkDepth >= to.Depth {
			return nil, damaged("branch %d hangs on what comes after it", b.Number)
		}
		to = core.Spot{Branch: b.Parent, Depth: b.ForkDepth}
	}
	slices.Reverse(path)
	return path, nil
}

// readSkeleton reads a session's branches and turns.
func readSkeleton(ctx context.Context, t *conn.Tx, key int64) (*core.Skeleton, error) {
	branches, err := readBranches(ctx, t, key)
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
			return damaged("turn %d lies in no branch", turn.Number)
		}
		end := &ends[turn.Branch]
		turns[i].Messages, turns[i].Cumulative = *end-turn.FirstDepth+1, *end+1
		*end = turn.FirstDepth - 1
	}
	return nil
}
