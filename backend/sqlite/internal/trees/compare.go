package trees

import (
	"context"
	"slices"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/store"
	"coppice/backend/sqlite/internal/tables"
)

// Compare sets the paths to two messages side by side: the head's where a uid is empty. It returns limit rows of turns
// from the row from on, all for a limit of 0. No message's body is read.
func (db *Store) Compare(ctx context.Context, sessionID, leftUID, rightUID string, from, limit int64) (core.Comparison, error) {
	var c core.Comparison
	err := db.Read(ctx, func(t *store.Txn) (err error) {
		c, err = compareLeaves(ctx, t.Tx, sessionID, leftUID, rightUID, from, limit)
		return err
	})
	return c, conn.Fail(err, "compare two branches of session %s", sessionID)
}

func compareLeaves(ctx context.Context, t *conn.Tx, sessionID, leftUID, rightUID string, from, limit int64) (core.Comparison, error) {
	c := core.Comparison{SessionID: sessionID, AncestorTurn: -1, Rows: []core.Pair{}}
	key, leaves, err := bothLeaves(ctx, t, sessionID, leftUID, rightUID)
	if err != nil {
		return c, err
	}
	skeleton, err := tables.ReadSkeleton(ctx, t, key)
	if err != nil {
		return c, err
	}
	var paths [2]core.Path
	for i, leaf := range leaves {
		paths[i] = skeleton.Path(leaf.Position())
	}
	if last, ok := paths[0].Fork(paths[1]); ok {
		c.Shared = last.Depth + 1
		ancestor, err := tables.FindMessage(ctx, t, "where they part", tables.HeadAt, key, last.Branch, last.Depth)
		if err != nil {
			return c, err
		}
		c.AncestorUID, c.AncestorTurn = ancestor.UID, ancestor.Turn
		c.SharedTurns = int64(len(skeleton.TurnRanges(skeleton.Path(last), 0)))
	}
	var ranges [2][]core.TurnRange
	for i, side := range []*core.Side{&c.Left, &c.Right} {
		ranges[i] = skeleton.TurnRanges(paths[i], c.Shared)
		*side = core.Side{
			LeafUID: leaves[i].UID, Turn: leaves[i].Turn, Branch: leaves[i].Branch, Models: []string{},
			Length: paths[i].Length(), Messages: paths[i].Length() - c.Shared, Turns: int64(len(ranges[i])),
		}
		if err := addSpent(ctx, t, key, paths[i].Window(c.Shared, 0), side); err != nil {
			return c, err
		}
		if err := describeTurnRanges(ctx, t, key, ranges[i], skeleton); err != nil {
			return c, err
		}
	}
	rows := core.Align(ranges[0], ranges[1])
	c.RowCount = int64(len(rows))
	c.From = min(max(from, 0), c.RowCount)
	to := c.RowCount
	if limit > 0 {
		to = min(to, c.From+limit)
	}
	c.Rows = rows[c.From:to]
	return c, nil
}

func bothLeaves(ctx context.Context, t *conn.Tx, sessionID, leftUID, rightUID string) (key int64, leaves [2]tables.MessageRow, err error) {
	for i, uid := range []string{leftUID, rightUID} {
		var ok bool
		key, leaves[i], ok, err = tables.FindLeaf(ctx, t, sessionID, uid)
		if err != nil {
			return key, leaves, err
		}
		if !ok {
			return key, leaves, core.E(core.Invalid, "compare: the session continues before its first message")
		}
	}
	return key, leaves, nil
}

// spentBy adds up a range of a branch by model.
const spentBy = `SELECT model, total(role = 'assistant' AND kind <> 'meta') AS steps, ` + tables.SumOf + `input_tokens` + tables.Tokens + ` AS input_tokens,
		` + tables.SumOf + `output_tokens` + tables.Tokens + ` AS output_tokens, ` + tables.SumOfCosts + ` AS cost_nano_usd,
		total(role = 'assistant' AND kind <> 'meta' AND cost_nano_usd IS NULL) AS unpriced, min(created_at_ms) AS began_at_ms, max(created_at_ms) AS ended_at_ms
	FROM messages WHERE session = ? AND branch = ? AND depth BETWEEN ? AND ? GROUP BY model`

// addSpent adds up the tokens and costs of ranges of branches, one index range each.
func addSpent(ctx context.Context, t *conn.Tx, key int64, segments []core.Segment, side *core.Side) error {
	steps := map[string]int64{}
	for _, s := range segments {
		var spent []struct {
			Model        string
			Steps        float64
			Unpriced     float64
			InputTokens  int64  `db:"input_tokens"`
			OutputTokens int64  `db:"output_tokens"`
			CostNanoUSD  *int64 `db:"cost_nano_usd"`
			BeganAtMs    int64  `db:"began_at_ms"`
			EndedAtMs    int64  `db:"ended_at_ms"`
		}
		if err := t.All(ctx, &spent, spentBy, key, s.Branch, s.From, s.To); err != nil {
			return err
		}
		for _, by := range spent {
			side.Steps += int64(by.Steps)
			side.Unpriced += int64(by.Unpriced)
			side.InputTokens += by.InputTokens
			side.OutputTokens += by.OutputTokens
			if by.CostNanoUSD != nil {
				sum := *by.CostNanoUSD
				if side.CostNanoUSD != nil {
					sum += *side.CostNanoUSD
				}
				side.CostNanoUSD = &sum
			}
			if side.BeganAtMs == 0 || by.BeganAtMs < side.BeganAtMs {
				side.BeganAtMs = by.BeganAtMs
			}
			side.EndedAtMs = max(side.EndedAtMs, by.EndedAtMs)
			if by.Model != "" && by.Steps > 0 {
				steps[by.Model] += int64(by.Steps)
			}
		}
	}
	for model := range steps {
		side.Models = append(side.Models, model)
	}
	slices.SortFunc(side.Models, func(a, b string) int {
		if steps[a] != steps[b] {
			return int(steps[b] - steps[a])
		}
		if a < b {
			return -1
		}
		return 1
	})
	return nil
}

// describeTurnRanges adds roles, previews and labels to ranges. A range that begins inside of its turn has none: they are before it.
func describeTurnRanges(ctx context.Context, t *conn.Tx, key int64, ranges []core.TurnRange, skeleton *core.Skeleton) error {
	numbers := make([]int64, len(ranges))
	for i := range ranges {
		numbers[i] = ranges[i].Turn
	}
	turns := []core.Turn{}
	if err := t.All(ctx, &turns, partRows, key, partList(wholeTurns(numbers))); err != nil {
		return err
	}
	words := make(map[int64]*core.Turn, len(turns))
	for i := range turns {
		words[turns[i].Number] = &turns[i]
	}
	labels, err := tables.ReadLabels(ctx, t, key)
	if err != nil {
		return err
	}
	names := make(map[int64]string, len(labels))
	for _, l := range labels {
		names[l.Turn] = l.Text
	}
	for i := range ranges {
		s := &ranges[i]
		s.Label = names[s.Turn]
		if turn := words[s.Turn]; turn != nil && s.From == skeleton.Turns[s.Turn].FirstDepth {
			s.Role, s.Preview = turn.Role, turn.Preview
		}
	}
	return nil
}
