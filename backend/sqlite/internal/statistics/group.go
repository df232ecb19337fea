package statistics

import (
	"cmp"
	"slices"
	"strings"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/activity"
)

// group adds up. Families come one after the other, so comparing with the last one is enough to count them.
type group struct {
	activity.Counts
	sessions int64
	family   int64
}

func (g *group) add(family int64, c *activity.Counts) {
	g.AddBounded(c)
	if g.family != family || g.sessions == 0 {
		g.family = family
		g.sessions++
	}
}

func (g *group) sums(key string) core.Group {
	return core.Group{
		Key: key, Sessions: g.sessions, Messages: g.Counts[activity.CountMessages], Steps: g.Counts[activity.CountSteps], Unmetered: g.Counts[activity.CountUnmetered],
		Unpriced: g.Counts[activity.CountUnpriced], InputTokens: g.Counts[activity.CountInput], OutputTokens: g.Counts[activity.CountOutput],
		CacheReadTokens: g.Counts[activity.CountCacheRead], CacheWriteTokens: g.Counts[activity.CountCacheWrite], ReasoningTokens: g.Counts[activity.CountReasoning],
		CostNanoUSD: g.cost(), EstimatedNanoUSD: g.estimate(), Unestimated: g.Counts[activity.CountUnestimated],
	}
}

func (g *group) cost() *int64 {
	if g.Counts[activity.CountPriced] == 0 {
		return nil
	}
	cost := g.Counts[activity.CountCost]
	return &cost
}

func (g *group) estimate() *int64 {
	if g.Counts[activity.CountEstimated] == 0 {
		return nil
	}
	estimate := g.Counts[activity.CountEstimate]
	return &estimate
}

// largestFirst leaves out what nothing was done with.
func largestFirst(groups map[string]*group) []core.Group {
	list := make([]core.Group, 0, len(groups))
	for key, g := range groups {
		if g.sessions > 0 {
			list = append(list, g.sums(key))
		}
	}
	cost := func(g *core.Group) int64 {
		sum := int64(-1)
		for _, known := range []*int64{g.CostNanoUSD, g.EstimatedNanoUSD} {
			if known != nil {
				sum = max(sum, 0) + *known
			}
		}
		return sum
	}
	slices.SortFunc(list, func(a, b core.Group) int {
		return cmp.Or(cmp.Compare(cost(&b), cost(&a)), cmp.Compare(b.Tokens(), a.Tokens()), cmp.Compare(b.Sessions, a.Sessions), strings.Compare(a.Key, b.Key))
	})
	return list
}
