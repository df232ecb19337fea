package trees

import (
	"context"
	"database/sql"
	"encoding/json"
	"slices"

	"github.com/jmoiron/sqlx"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
)

// divide returns the changed turns of a shape with those divided that a branch begins inside of, see core.TurnShape.
func divide(ctx context.Context, t *conn.Tx, key int64, shape *core.Shape) ([]core.TurnShape, error) {
	cuts, err := cutsOf(ctx, t, key, shape)
	if err != nil || len(cuts) == 0 {
		return shape.Changed, err
	}
	numbers, added := make([]int64, 0, len(cuts)), 0
	for number, depths := range cuts {
		slices.Sort(depths)
		cuts[number] = slices.Compact(depths)
		numbers, added = append(numbers, number), added+len(cuts[number])
	}
	sums, err := rangeSums(ctx, t, key, numbers, cuts)
	if err != nil {
		return nil, err
	}
	divided := make([]core.TurnShape, 0, len(shape.Changed)+added)
	for _, whole := range shape.Changed {
		ranges := sums[whole.Number]
		if len(ranges) == 0 {
			divided = append(divided, whole)
			continue
		}
		for i, r := range ranges {
			r.Number, r.Parent, r.Branch, r.Run = whole.Number, whole.Parent, whole.Branch, whole.Run
			if i > 0 {
				r.Parent = whole.Number
			}
			divided = append(divided, r)
		}
	}
	return divided, nil
}

// cutsOf returns where turns are divided: by number, the depths at which their ranges after the first one begin, in no order.
func cutsOf(ctx context.Context, t *conn.Tx, key int64, shape *core.Shape) (map[int64][]int64, error) {
	cuts := map[int64][]int64{}
	if shape.IsWhole {
		for i := range shape.Changed {
			n := &shape.Changed[i]
			if n.Parent < 0 {
				continue
			}
			if above := &shape.Changed[n.Parent]; isInside(above, n.Branch, n.FirstDepth) {
				cuts[above.Number] = append(cuts[above.Number], n.FirstDepth)
			}
		}
		return cuts, nil
	}
	const forks = `SELECT fork_depth + 1 FROM branches WHERE session = ? AND parent = ? AND fork_depth BETWEEN ? AND ?`
	for i := range shape.Changed {
		n := &shape.Changed[i]
		var depths []int64
		if err := t.All(ctx, &depths, forks, key, n.Branch, n.FirstDepth, n.FirstDepth+n.Messages-2); err != nil {
			return nil, err
		}
		if len(depths) > 0 {
			cuts[n.Number] = depths
		}
	}
	return cuts, nil
}

// isInside reports whether a branch whose first message has the depth begins between messages of a turn.
func isInside(turn *core.TurnShape, branch, depth int64) bool {
	return branch != turn.Branch && depth > turn.FirstDepth && depth < turn.FirstDepth+turn.Messages
}

// headOf is what the sums of a range are made of, all of it in the index messages_turn.
const headOf = `SELECT turn, depth, role = 'user' AND kind = 'message', role = 'tool', kind = 'compaction', input_tokens, output_tokens, cost_nano_usd,
	estimated_cost_nano_usd, created_at_ms
	FROM messages INDEXED BY messages_turn WHERE session = ?1 AND turn IN (SELECT value FROM json_each(?2)) ORDER BY turn, seq`

// rangeSums returns the ranges of divided turns, by their number.
func rangeSums(ctx context.Context, t *conn.Tx, key int64, numbers []int64, cuts map[int64][]int64) (map[int64][]core.TurnShape, error) {
	list, _ := json.Marshal(numbers) // numbers can be written
	sums := make(map[int64][]core.TurnShape, len(numbers))
	err := t.Scan(ctx, headOf, []any{key, string(list)}, func(rows *sqlx.Rows) error {
		var turn, depth, createdAtMs int64
		var isPrompt, isTool, isCompaction bool
		var input, output, cost, estimated sql.NullInt64
		if err := rows.Scan(&turn, &depth, &isPrompt, &isTool, &isCompaction, &input, &output, &cost, &estimated, &createdAtMs); err != nil {
			return err
		}
		if len(sums[turn]) == 0 || slices.Contains(cuts[turn], depth) {
			sums[turn] = append(sums[turn], core.TurnShape{FirstDepth: depth, CreatedAtMs: createdAtMs})
		}
		r := &sums[turn][len(sums[turn])-1]
		r.Messages++
		r.HasPrompt = r.HasPrompt || isPrompt
		r.HasTools = r.HasTools || isTool
		r.IsCompacted = r.IsCompacted || isCompaction
		r.Tokens += min(max(input.Int64, 0), core.MaxTokens) + min(max(output.Int64, 0), core.MaxTokens)
		r.CostNanoUSD = addCost(r.CostNanoUSD, cost)
		r.EstimatedNanoUSD = addCost(r.EstimatedNanoUSD, estimated)
		return nil
	})
	return sums, err
}

// addCost adds a cost to a sum, which is nil while no cost is known.
func addCost(sum *int64, cost sql.NullInt64) *int64 {
	if !cost.Valid {
		return sum
	}
	known := min(max(cost.Int64, 0), core.MaxCostNanoUSD)
	if sum != nil {
		known += *sum
	}
	return &known
}
