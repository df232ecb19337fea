// Package statistics sums up the activity of a library by days in the user's time zone, and writes it as CSV.
package statistics

import (
	"context"
	"encoding/csv"
	"io"
	"slices"
	"time"

	"coppice/backend/core"
	"coppice/backend/exporter/spreadsheet"
	"coppice/backend/lists"
	"coppice/backend/sqlite"
)

// Of returns the statistics by days in the user's time zone, with the current name of that zone, such as CET or CEST.
func Of(ctx context.Context, db *sqlite.DB, query core.StatisticsQuery, now time.Time) (core.Statistics, error) {
	s, err := db.Statistics(ctx, query, time.Local)
	s.Zone, _ = now.In(time.Local).Zone()
	return s, err
}

// Rows returns the statistics of one dimension; of tools, see core.Statistics.
func Rows(s core.Statistics, by core.Dimension) []core.Group {
	switch by {
	case core.ByDay:
		return s.Days
	case core.ByModel:
		return s.Models
	case core.ByAgent:
		return s.Agents
	case core.ByWorkspace:
		return s.Workspaces
	case core.BySource:
		return s.Sources
	default:
		return nil
	}
}

// CheckDimension returns an error for an unknown dimension.
func CheckDimension(by core.Dimension) error {
	if slices.Contains(core.Dimensions(), by) {
		return nil
	}
	return core.E(core.Invalid, "unknown dimension %q", by).WithHint("one of: %s", lists.Join(core.Dimensions()))
}

// WriteCSV writes one dimension as CSV (RFC 4180). An unknown cost is empty. A cost covers only the model calls whose
// cost is known; the estimated one is the list price of the others.
func WriteCSV(w io.Writer, s core.Statistics, by core.Dimension) error {
	out := csv.NewWriter(w)
	number := spreadsheet.Number
	rows := [][]string{{string(by), "calls", "sessions"}}
	for _, tool := range s.Tools {
		rows = append(rows, []string{spreadsheet.Text(tool.Name), number(tool.Calls), number(tool.Sessions)})
	}
	if by != core.ByTool {
		rows = [][]string{{
			string(by), "sessions", "messages", "model_calls", "input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens",
			"reasoning_tokens", "cost_usd", "calls_of_unknown_cost", "calls_of_unknown_tokens",
			"estimated_cost_usd", "calls_of_unknown_price",
		}}
		for _, g := range Rows(s, by) {
			rows = append(rows, []string{
				spreadsheet.Text(g.Key), number(g.Sessions), number(g.Messages), number(g.Steps), number(g.InputTokens), number(g.OutputTokens),
				number(g.CacheReadTokens), number(g.CacheWriteTokens), number(g.ReasoningTokens), spreadsheet.Dollars(g.CostNanoUSD), number(g.Unpriced),
				number(g.Unmetered), spreadsheet.Dollars(g.EstimatedNanoUSD), number(g.Unestimated),
			})
		}
	}
	return core.Wrap(core.Unavailable, out.WriteAll(rows), "write the statistics")
}
