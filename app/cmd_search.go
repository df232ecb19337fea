package app

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"coppice/backend/core"
	"coppice/backend/sqlite"
)

type searchOptions struct {
	query   string
	session string
	regex   bool
	limit   int64
	json    bool
}

func newSearchCmd(s *shell) *cobra.Command {
	var opts searchOptions
	cmd := &cobra.Command{
		Use:   "search QUERY…",
		Short: "Searches the text of every message in every branch, newest first",
		Args:  takes("QUERY…"),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.query = strings.Join(args, " ")
			return search(cmd.Context(), s, opts)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&opts.session, "session", "", "only in the session `ID`")
	flags.BoolVar(&opts.regex, "regex", false, "QUERY is a regular expression (Go's syntax)")
	flags.Int64Var(&opts.limit, "limit", 50, "at most `N` hits")
	flags.BoolVar(&opts.json, "json", false, "print JSON")
	return cmd
}

func search(ctx context.Context, s *shell, opts searchOptions) error {
	if opts.query == "" {
		return core.E(core.Invalid, "there is nothing to search for")
	}
	if opts.limit < 1 {
		return core.E(core.Invalid, "--limit is %d, it must be 1 or more", opts.limit)
	}
	return s.with(ctx, func(db *sqlite.DB) error {
		query := core.SearchQuery{Text: opts.query, Regex: opts.regex, Limit: opts.limit}
		if opts.session != "" {
			session, err := findSession(ctx, db, opts.session)
			if err != nil {
				return err
			}
			query.SessionID = session.ID
		}
		hits, err := db.Search(ctx, query)
		if err != nil {
			return err
		}
		if opts.json {
			return s.printJSON(nonNil(hits))
		}
		if len(hits) == 0 {
			s.say("nothing found")
			return nil
		}
		return s.printHits(hits)
	})
}

// printHits prints hits below the line of their session.
func (s *shell) printHits(hits []core.Hit) error {
	before := ""
	for _, hit := range hits {
		if hit.SessionID != before {
			gap := "\n"
			if before == "" {
				gap = ""
			}
			before = hit.SessionID
			title := hit.SessionTitle
			if title == "" {
				title = "(untitled)"
			}
			if err := s.printf("%s%s\n", gap, cut(shortID(hit.SessionID)+"  "+oneLine(title), s.width)); err != nil {
				return err
			}
		}
		line := fmt.Sprintf("  n%d m%d b%d  %s  %s", hit.Turn, hit.Seq, hit.Branch, where(hit), oneLine(hit.Snippet))
		if err := s.printf("%s\n", cut(line, s.width)); err != nil {
			return err
		}
	}
	return nil
}

// where says in which part of whose message a hit is.
func where(hit core.Hit) string {
	if hit.Where == "" || hit.Where == string(core.PartText) {
		return string(hit.Role)
	}
	if hit.Where == string(core.PartToolResult) {
		return "tool result" // whoever brings it
	}
	return string(hit.Role) + " " + strings.ReplaceAll(hit.Where, "_", " ")
}
