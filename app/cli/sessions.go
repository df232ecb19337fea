package cli

import (
	"context"
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"coppice/app/term"
	"coppice/backend/core"
	"coppice/backend/lists"
	"coppice/backend/sqlite"
)

type sessionsOptions struct {
	incomplete bool
	status     string
	source     string
	query      string
	tag        string
	limit      int64
	all        bool
	json       bool
}

func newSessionsCmd(s *term.Shell) *cobra.Command {
	var opts sessionsOptions
	cmd := &cobra.Command{
		Use:     "sessions",
		Aliases: []string{"list", "ls"},
		Short:   "List sessions, newest first",
		Args:    takes(),
		RunE:    func(cmd *cobra.Command, _ []string) error { return listSessions(cmd.Context(), s, opts) },
	}
	flags := cmd.Flags()
	flags.BoolVar(&opts.incomplete, "incomplete", false, "only what can be resumed")
	flags.StringVar(&opts.status, "status", "", "only sessions of this `STATUS`: "+lists.Join(core.Statuses()))
	flags.StringVar(&opts.source, "source", "", "only sessions of this `TOOL`: "+lists.Join(core.Sources()))
	flags.StringVar(&opts.query, "query", "", "only sessions with these `WORDS` in title, task, name, workspace or id")
	flags.StringVar(&opts.tag, "tag", "", "only sessions with this `TAG`")
	flags.Int64Var(&opts.limit, "limit", 0, "at most `N` (default all)")
	flags.BoolVar(&opts.all, "all", false, "also sessions of subagents")
	flags.BoolVar(&opts.json, "json", false, "print JSON")
	return cmd
}

func listSessions(ctx context.Context, s *term.Shell, opts sessionsOptions) error {
	filter, err := opts.filter()
	if err != nil {
		return err
	}
	return s.With(ctx, func(db *sqlite.DB) error {
		if err := errors.Join(s.EstimateCosts(ctx, db), s.Derive(ctx, db)); err != nil {
			return err
		}
		sessions, err := db.Sessions(ctx, filter)
		if err != nil {
			return err
		}
		if opts.json {
			return s.PrintJSON(lists.NonNil(sessions))
		}
		if len(sessions) == 0 {
			s.Say("no sessions")
			return nil
		}
		return s.PrintSessions(ctx, db, sessions)
	})
}

func (o sessionsOptions) filter() (core.SessionFilter, error) {
	filter := core.SessionFilter{Query: o.query, Tag: o.tag, Incomplete: o.incomplete, Limit: o.limit, Children: o.all}
	if err := term.NotNegative("limit", o.limit); err != nil {
		return filter, err
	}
	if o.status != "" {
		if !slices.Contains(core.Statuses(), core.Status(o.status)) {
			return filter, core.E(core.Invalid, "unknown status %q", o.status).WithHint("one of: %s", lists.Join(core.Statuses()))
		}
		filter.Statuses = []core.Status{core.Status(o.status)}
	}
	if o.source != "" {
		var err error
		filter.Sources, err = sourcesOf([]string{o.source})
		return filter, err
	}
	return filter, nil
}

// sourcesOf returns the sources with these names.
func sourcesOf(names []string) ([]core.Source, error) {
	sources := make([]core.Source, len(names))
	for i, name := range names {
		if sources[i] = core.Source(name); !slices.Contains(core.Sources(), sources[i]) {
			return nil, core.E(core.Invalid, "unknown source %q", name).WithHint("one of: %s", lists.Join(core.Sources()))
		}
	}
	return sources, nil
}
