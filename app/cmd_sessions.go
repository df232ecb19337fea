package app

import (
	"context"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"coppice/backend/core"
	"coppice/backend/sqlite"
)

type sessionsOptions struct {
	incomplete bool
	status     string
	source     string
	query      string
	limit      int64
	all        bool
	json       bool
}

func newSessionsCmd(s *shell) *cobra.Command {
	var opts sessionsOptions
	cmd := &cobra.Command{
		Use:     "sessions",
		Aliases: []string{"list", "ls"},
		Short:   "Lists the sessions, newest first",
		Args:    takes(),
		RunE:    func(cmd *cobra.Command, _ []string) error { return listSessions(cmd.Context(), s, opts) },
	}
	flags := cmd.Flags()
	flags.BoolVar(&opts.incomplete, "incomplete", false, "only what can be resumed")
	flags.StringVar(&opts.status, "status", "", "only sessions of this `STATUS`: "+joinNames(core.Statuses()))
	flags.StringVar(&opts.source, "source", "", "only sessions of this `TOOL`: "+joinNames(core.Sources()))
	flags.StringVar(&opts.query, "query", "", "only sessions with these `WORDS` in title, task, name, workspace or id")
	flags.Int64Var(&opts.limit, "limit", 0, "at most `N` (default all)")
	flags.BoolVar(&opts.all, "all", false, "also sessions of subagents")
	flags.BoolVar(&opts.json, "json", false, "print JSON")
	return cmd
}

func listSessions(ctx context.Context, s *shell, opts sessionsOptions) error {
	filter, err := opts.filter()
	if err != nil {
		return err
	}
	return s.with(ctx, func(db *sqlite.DB) error {
		sessions, err := db.Sessions(ctx, filter)
		if err != nil {
			return err
		}
		if opts.json {
			return s.printJSON(nonNil(sessions))
		}
		if len(sessions) == 0 {
			s.say("no sessions")
			return nil
		}
		return s.printSessions(ctx, db, sessions)
	})
}

func (o sessionsOptions) filter() (core.SessionFilter, error) {
	filter := core.SessionFilter{Query: o.query, Incomplete: o.incomplete, Limit: o.limit, Children: o.all}
	if err := notNegative("limit", o.limit); err != nil {
		return filter, err
	}
	if o.status != "" {
		if !slices.Contains(core.Statuses(), core.Status(o.status)) {
			return filter, core.E(core.Invalid, "unknown status %q", o.status).WithHint("one of: %s", joinNames(core.Statuses()))
		}
		filter.Statuses = []core.Status{core.Status(o.status)}
	}
	if o.source != "" {
		if !slices.Contains(core.Sources(), core.Source(o.source)) {
			return filter, core.E(core.Invalid, "unknown source %q", o.source).WithHint("one of: %s", joinNames(core.Sources()))
		}
		filter.Sources = []core.Source{core.Source(o.source)}
	}
	return filter, nil
}

// printSessions prints a list of sessions for people.
func (s *shell) printSessions(ctx context.Context, db *sqlite.DB, sessions []core.Session) error {
	short, err := db.ShortIDs(ctx, ids(sessions)...)
	if err != nil {
		return err
	}
	t := table{columns: []column{
		{title: "ID"},
		{title: "TITLE", flex: true},
		{title: "SOURCE", spare: true},
		{title: "STATUS", spare: true},
		{title: "MODEL", spare: true},
		{title: "STEPS", right: true, spare: true},
		{title: "MSGS", right: true},
		{title: "BRANCHES", right: true},
		{title: "COST", right: true},
		{title: "AGE", right: true},
	}}
	now := s.now()
	for i, id := range short {
		one := sessions[i]
		status := string(one.Status)
		if one.Status == core.StatusIdle {
			status = ""
		}
		t.add(id, titleOf(one), sourceOf(one), status, oneLine(one.Model), stepsOf(one), humanize.Comma(one.MessageCount),
			humanize.Comma(one.BranchCount), money(one.CostNanoUSD), age(now, one.UpdatedAtMs))
	}
	return t.write(s.out, s.width)
}

// sourceOf writes where a session is from, and that it is not there any more.
func sourceOf(s core.Session) string {
	if s.SourceGoneMs == 0 {
		return string(s.Source)
	}
	return string(s.Source) + ", only here"
}

// stepsOf writes how many steps a session has taken; an imported one that was never run tells of its messages only.
func stepsOf(s core.Session) string {
	if s.Source != core.SourceCoppice && s.Status == core.StatusIdle {
		return ""
	}
	return humanize.Comma(s.StepCount)
}

// joinNames writes names for help and hints.
func joinNames[T ~string](names []T) string {
	words := make([]string, len(names))
	for i, name := range names {
		words[i] = string(name)
	}
	return strings.Join(words, ", ")
}

// nonNil makes JSON say [] and not null.
func nonNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
