package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"coppice/app/internal/find"
	"coppice/app/internal/present"
	"coppice/app/term"
	"coppice/backend/core"
	"coppice/backend/sqlite"
)

type searchOptions struct {
	query   core.SearchQuery
	session string
	sort    string
	json    bool
}

// searchHelp describes the query language in a few lines; docs/search.md describes all of it.
const searchHelp = `Search every message of every branch: text, reasoning, and the input and output of tools.

  error handling          messages with both words, in any order
  "error handling"        the words in this order, adjacent
  check*                  words that begin with check
  error OR panic          either; error NOT test: one without the other; brackets group
  role:user tool:bash model:opus source:codex path:web label:plan in:SESSION
  after:2026-01-31 before:2026-03 after:7d is:bookmarked is:hidden

Case and accents are ignored. Words are letters and digits: backend/auth.go is the phrase "backend auth go". If no message
has the words, the exact text is searched for, as --substring does. A query without words, such as "=> {", reads the
messages that may contain it: hits are printed as they are found. Branches in the trash of their session are left out,
unless the query has is:hidden (only these) or is:any (these too).`

func newSearchCmd(s *term.Shell) *cobra.Command {
	var opts searchOptions
	cmd := &cobra.Command{
		Use:   "search QUERY…",
		Short: "Search the text of every message in every branch, newest first",
		Long:  searchHelp,
		Args:  takes("QUERY…"),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.query.Text = strings.Join(args, " ")
			return search(cmd.Context(), s, opts)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&opts.session, "session", "", "only in the session `ID`")
	flags.BoolVar(&opts.query.Regex, "regex", false, "QUERY is a regular expression (Go's syntax)")
	flags.BoolVar(&opts.query.Substring, "substring", false, "search for the exact text of QUERY, also within words")
	flags.StringVar(&opts.query.Filter, "filter", "", "a further condition: a `QUERY` such as role:user")
	flags.StringVar(&opts.sort, "sort", string(core.Newest), "`ORDER` of the hits: newest or relevance")
	flags.Int64Var(&opts.query.Limit, "limit", 50, "at most `N` hits")
	flags.BoolVar(&opts.json, "json", false, "print JSON")
	return cmd
}

func (o *searchOptions) check() error {
	o.query.Order = core.SearchOrder(o.sort)
	switch {
	case strings.TrimSpace(o.query.Text) == "":
		return core.E(core.Invalid, "no words to search for")
	case o.query.Limit < 1:
		return core.E(core.Invalid, "invalid --limit %d: want 1 or more", o.query.Limit)
	case o.query.Regex && o.query.Substring:
		return core.E(core.Invalid, "--regex and --substring exclude each other")
	case o.query.Order != core.Newest && o.query.Order != core.Relevance:
		return core.E(core.Invalid, "invalid --sort %q: want newest or relevance", o.sort)
	default:
		return nil
	}
}

func search(ctx context.Context, s *term.Shell, opts searchOptions) error {
	if err := opts.check(); err != nil {
		return err
	}
	return s.With(ctx, func(db *sqlite.DB) error {
		if opts.session != "" {
			session, err := find.Session(ctx, db, opts.session)
			if err != nil {
				return err
			}
			opts.query.SessionID = session.ID
		}
		if err := indexNow(ctx, s, db); err != nil {
			return err
		}
		list := &hitList{Shell: s, short: func(id string) (string, error) {
			short, err := db.ShortIDs(ctx, id)
			return short[0], err
		}}
		show := list.print
		if opts.json {
			show = func(core.Found) error { return nil }
		}
		found, err := findHits(ctx, s, db, opts.query, show)
		if err != nil {
			return err
		}
		if found.Pending > 0 {
			s.Say("another program is writing: %s could not be searched yet", present.Count(found.Pending, "message"))
		}
		if opts.json {
			err = s.PrintJSON(found.Hits)
		} else {
			sayFound(s, found)
		}
		if found.Hint != "" {
			s.Say("hint: %s", found.Hint)
		}
		return err
	})
}

// showMs is how long a search that reads texts runs before it shows its first hits.
const showMs = 300

// findHits searches, and calls show with the hits found so far.
func findHits(ctx context.Context, s *term.Shell, db *sqlite.DB, q core.SearchQuery, show func(core.Found) error) (all core.Found, err error) {
	line := term.NewProgressLine(s.Terminal)
	defer line.Clear()
	all.Hits = []core.Hit{}
	for rest := q; ; {
		rest.WithinMs = showMs
		found, err := db.Search(ctx, rest)
		if err != nil {
			return all, err
		}
		line.Clear()
		if err := show(found); err != nil {
			return all, err
		}
		if all.Append(found); all.Next == 0 {
			break
		}
		line.Say(fmt.Sprintf("looked through %s, back to %s", present.Count(all.Looked, "message"), day(all.LookedToMs)))
		rest.Before, rest.Limit = all.Next, q.Limit-int64(len(all.Hits))
	}
	if all.Uncounted {
		n, err := db.CountHits(ctx, q)
		if err != nil {
			return all, err
		}
		n.AddTo(&all)
	}
	return all, nil
}

// day returns the date of a time.
func day(ms int64) string { return time.UnixMilli(ms).Format(time.DateOnly) }

// indexNow updates the full-text index and shows the progress. If another program is writing, that program or the next
// search updates the index.
func indexNow(ctx context.Context, s *term.Shell, db *sqlite.DB) error {
	if db.Refusal() != nil {
		return nil // the contents of the index can be searched
	}
	line := term.NewProgressLine(s.Terminal)
	defer line.Clear()
	err := db.Index(ctx, func(p core.Progress) {
		p.Current = "indexing for search"
		line.Show(p)
	})
	if core.CodeOf(err) == core.Busy {
		return nil
	}
	return err
}

// sayFound prints the number of hits.
func sayFound(s *term.Shell, found core.Found) {
	switch shown := int64(len(found.Hits)); {
	case shown == 0:
		s.Say("nothing found")
	case found.More && found.Total <= shown:
		s.Say("the first %s; there are more", present.Count(shown, "hit"))
	case found.More:
		s.Say("%s of more than %s hits", humanize.Comma(shown), humanize.Comma(found.Total))
	case found.Total > shown:
		s.Say("%s of %s", humanize.Comma(shown), present.Count(found.Total, "hit"))
	}
}

// hitList prints hits while a search finds them.
type hitList struct {
	*term.Shell
	short   func(id string) (string, error)
	session string // the session of the last hit
	loose   bool   // the note that no message has these words was printed
}

// print prints hits below the line of their session, in the order of each session's first hit.
func (l *hitList) print(found core.Found) error {
	if found.Loose && !l.loose {
		l.Say("no message has these words; these hold the text:")
		l.loose = true
	}
	hits := slices.Clone(found.Hits)
	first := map[string]int{}
	for i, hit := range hits {
		if _, ok := first[hit.SessionID]; !ok {
			first[hit.SessionID] = i
		}
	}
	slices.SortStableFunc(hits, func(a, b core.Hit) int { return first[a.SessionID] - first[b.SessionID] })
	for _, hit := range hits {
		if hit.SessionID != l.session {
			gap := "\n"
			if l.session == "" {
				gap = ""
			}
			l.session = hit.SessionID
			title := hit.SessionTitle
			if title == "" {
				title = "(untitled)"
			}
			id, err := l.short(hit.SessionID)
			if err != nil {
				return err
			}
			if err := l.Printf("%s%s\n", gap, present.Cut(id+"  "+present.OneLine(title), l.Width)); err != nil {
				return err
			}
		}
		trashed := ""
		if hit.Hidden {
			trashed = "  in the trash"
		}
		line := fmt.Sprintf("  n%d m%d b%d%s  %s  %s", hit.Turn, hit.Seq, hit.Branch, trashed, where(hit), present.OneLine(hit.Snippet))
		if err := l.Printf("%s\n", present.Cut(line, l.Width)); err != nil {
			return err
		}
	}
	return nil
}

// where returns the role of a message and the part of the message that contains a hit.
func where(hit core.Hit) string {
	if hit.Where == "" || hit.Where == string(core.PartText) {
		return string(hit.Role)
	}
	if hit.Where == string(core.PartToolResult) {
		return "tool result" // without the role
	}
	return string(hit.Role) + " " + strings.ReplaceAll(hit.Where, "_", " ")
}
