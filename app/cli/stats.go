package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"coppice/app/internal/present"
	"coppice/app/internal/statistics"
	"coppice/app/term"
	"coppice/backend/core"
	"coppice/backend/lists"
	"coppice/backend/sqlite"
)

type statsOptions struct {
	query  core.StatisticsQuery
	source string
	by     string
	json   bool
	csv    bool
}

func newStatsCmd(s *term.Shell) *cobra.Command {
	var opts statsOptions
	cmd := &cobra.Command{
		Use:   "stats",
		Short: "Sum cost, tokens, sessions and tools by day, model, agent, workspace and source",
		Long: `Sum cost, tokens, sessions and tools. Days are those of your time zone (TZ). Sessions in the trash are left out,
branches in the trash of their session count, and a subagent's session is a part of its parent's.

An unknown cost never counts as 0: a sum with an unknown part begins with ≥. LIST PRICE is what the calls whose cost is
unknown would cost at the public prices of their day, apart from COST: ≈ $4.12. If a part has no known price, + follows.

DAY is 2026-01-31, or 30d for the last 30 days.`,
		Args: takes(),
		RunE: func(cmd *cobra.Command, _ []string) error { return showStatistics(cmd.Context(), s, opts) },
	}
	flags := cmd.Flags()
	flags.StringVar(&opts.by, "by", "", "print one table, `BY` one of: "+lists.Join(core.Dimensions()))
	flags.StringVar(&opts.query.Since, "since", "", "the first `DAY`")
	flags.StringVar(&opts.query.Until, "until", "", "the last `DAY`")
	flags.StringVar(&opts.source, "source", "", "only sessions of this `TOOL`: "+lists.Join(core.Sources()))
	flags.StringVar(&opts.query.Workspace, "workspace", "", "only sessions in this `FOLDER`")
	flags.StringVar(&opts.query.Model, "model", "", "only calls of this `MODEL`")
	flags.BoolVar(&opts.json, "json", false, "print JSON")
	flags.BoolVar(&opts.csv, "csv", false, "print CSV, by day without --by")
	return cmd
}

func showStatistics(ctx context.Context, s *term.Shell, opts statsOptions) error {
	query, err := opts.checked(s.Now())
	if err != nil {
		return err
	}
	return s.With(ctx, func(db *sqlite.DB) error {
		line := term.NewProgressLine(s.Terminal)
		err := db.EstimateCosts(ctx, line.Show)
		if err == nil {
			err = db.CountActivity(ctx, line.Show)
		}
		line.Clear()
		if err != nil {
			return err
		}
		sums, err := statistics.Of(ctx, db, query, s.Now())
		if err != nil {
			return err
		}
		by := core.Dimension(opts.by)
		switch {
		case opts.json && by == core.ByTool:
			return s.PrintJSON(sums.Tools)
		case opts.json && by != "":
			return s.PrintJSON(statistics.Rows(sums, by))
		case opts.json:
			return s.PrintJSON(sums)
		case opts.csv:
			return statistics.WriteCSV(s.Out, sums, cmp.Or(by, core.ByDay))
		case sums.Total.Messages == 0:
			s.Say("no activity")
			return nil
		case by != "":
			return s.Buffered(func(s *term.Shell) error { return printRows(s, &sums, by, 0) })
		default:
			return s.Buffered(func(s *term.Shell) error { return printStatistics(s, &sums, query) })
		}
	})
}

// checked returns the query with its days as dates.
func (o statsOptions) checked(now time.Time) (core.StatisticsQuery, error) {
	query := o.query
	if o.json && o.csv {
		return query, core.E(core.Invalid, "--json and --csv exclude each other")
	}
	if o.by != "" {
		if err := statistics.CheckDimension(core.Dimension(o.by)); err != nil {
			return query, err
		}
	}
	if o.source != "" {
		if !slices.Contains(core.Sources(), core.Source(o.source)) {
			return query, core.E(core.Invalid, "unknown source %q", o.source).WithHint("one of: %s", lists.Join(core.Sources()))
		}
		query.Sources = []core.Source{core.Source(o.source)}
	}
	for _, limit := range []*string{&query.Since, &query.Until} {
		if number, ok := strings.CutSuffix(*limit, "d"); ok {
			if days, err := strconv.Atoi(number); err == nil && days > 0 {
				*limit = now.In(time.Local).AddDate(0, 0, 1-days).Format(time.DateOnly)
			}
		}
		if _, err := time.Parse(time.DateOnly, *limit); *limit != "" && err != nil {
			return query, core.E(core.Invalid, "invalid day %q", *limit).WithHint("write it like 2026-01-31, or like 30d for the last 30 days")
		}
	}
	return query, nil
}

// mostRows is the maximum number of rows of each table in an overview.
const mostRows = 8

func printStatistics(s *term.Shell, sums *core.Statistics, query core.StatisticsQuery) error {
	total := &sums.Total
	first, last := cmp.Or(query.Since, "the beginning"), cmp.Or(query.Until, "now")
	err := s.Printf("from %s to %s, days of %s\n%s, %s, %s, %s\n%s in%s, %s out\n%s\n%s", first, last, sums.Zone,
		present.Count(total.Sessions, "session"), present.Count(total.Messages, "message"), present.Count(total.Steps, "model call"), present.Count(sums.ToolCalls, "tool call"),
		present.Count(total.InputTokens, "token"), cachedWords(total), humanize.Comma(total.OutputTokens), costWords(total), estimateLine(total))
	if err != nil {
		return err
	}
	tables := []core.Dimension{core.ByModel, core.ByAgent, core.ByWorkspace, core.BySource, core.ByTool}
	if !slices.ContainsFunc(sums.Agents, func(g core.Group) bool { return g.Key != "" }) {
		tables = slices.DeleteFunc(tables, func(by core.Dimension) bool { return by == core.ByAgent })
	}
	for _, by := range tables {
		if err := s.Printf("\n"); err != nil {
			return err
		}
		if err := printRows(s, sums, by, mostRows); err != nil {
			return err
		}
	}
	return nil
}

func cachedWords(total *core.Group) string {
	if total.InputTokens == 0 || total.CacheReadTokens == 0 {
		return ""
	}
	return fmt.Sprintf(" (%.0f %% from a cache)", 100*float64(total.CacheReadTokens)/float64(total.InputTokens))
}

// costWords returns a cost as text, and marks it if a part of it is unknown.
func costWords(m *core.Group) string {
	switch {
	case m.CostNanoUSD == nil:
		return "cost unknown"
	case m.Unpriced == 0:
		return present.Money(m.CostNanoUSD)
	}
	return fmt.Sprintf("≥ %s, the cost of %s of %s is known", present.Money(m.CostNanoUSD), humanize.Comma(m.Steps-m.Unpriced), present.Count(m.Steps, "model call"))
}

// estimateLine returns the list price of what was not billed through a known cost as a line; empty if none has a price.
func estimateLine(m *core.Group) string {
	if m.EstimatedNanoUSD == nil {
		return ""
	}
	text := present.Estimate(m.EstimatedNanoUSD, m.Unestimated > 0) + " at list price for model calls whose cost is unknown"
	if m.Unestimated > 0 {
		text += fmt.Sprintf("; part of the price of %s is unknown", present.Count(m.Unestimated, "call"))
	}
	return text + "\n"
}

// costCell is costWords for a narrow column. An unknown cost is empty.
func costCell(m *core.Group) string {
	if m.CostNanoUSD != nil && m.Unpriced > 0 {
		return "≥ " + present.Money(m.CostNanoUSD)
	}
	return present.Money(m.CostNanoUSD)
}

// printRows prints a table with at most the given number of rows; 0: all rows.
func printRows(s *term.Shell, sums *core.Statistics, by core.Dimension, most int) error {
	key := present.Column{Title: strings.ToUpper(string(by)), Flex: true}
	t := present.Table{Columns: []present.Column{
		key,
		{Title: "SESSIONS", Right: true},
		{Title: "MODEL CALLS", Right: true, Spare: true},
		{Title: "INPUT", Right: true, Spare: true},
		{Title: "OUTPUT", Right: true, Spare: true},
		{Title: "TOKENS", Right: true},
		{Title: "COST", Right: true},
		{Title: "LIST PRICE", Right: true},
	}}
	all := 0
	if by == core.ByTool {
		t.Columns = []present.Column{key, {Title: "CALLS", Right: true}, {Title: "SESSIONS", Right: true}}
		for _, tool := range sums.Tools {
			if all++; most == 0 || all <= most {
				t.Add(present.OneLine(tool.Name), humanize.Comma(tool.Calls), humanize.Comma(tool.Sessions))
			}
		}
	}
	for _, g := range statistics.Rows(*sums, by) {
		if all++; most == 0 || all <= most {
			t.Add(cmp.Or(present.OneLine(g.Key), "–"), humanize.Comma(g.Sessions), humanize.Comma(g.Steps), humanize.Comma(g.InputTokens),
				humanize.Comma(g.OutputTokens), humanize.Comma(g.Tokens()), costCell(&g),
				present.Estimate(g.EstimatedNanoUSD, g.Unestimated > 0))
		}
	}
	if err := t.Write(s.Out, s.Width); err != nil || most == 0 || all <= most {
		return err
	}
	return s.Printf("and %s more: coppice stats --by %s\n", humanize.Comma(int64(all-most)), by)
}
