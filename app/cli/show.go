package cli

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"coppice/app/internal/find"
	"coppice/app/term"
	"coppice/backend/core"
	"coppice/backend/sqlite"
)

type showOptions struct {
	id     string
	branch string
	from   int64
	limit  int64
	json   bool
}

func newShowCmd(s *term.Shell) *cobra.Command {
	var opts showOptions
	cmd := &cobra.Command{
		Use:   "show ID",
		Short: "Print the path to the head, or to a node",
		Args:  takes("ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.id = args[0]
			return showSession(cmd.Context(), s, opts)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&opts.branch, "branch", "", "the `NODE` to end at (default the head)")
	flags.Int64Var(&opts.from, "from", 0, "the first message to print, the `N`th counted from the root; negative: from the end")
	flags.Int64Var(&opts.limit, "limit", 0, "at most `N` messages (default all)")
	flags.BoolVar(&opts.json, "json", false, "print JSON, with complete texts")
	return cmd
}

func showSession(ctx context.Context, s *term.Shell, opts showOptions) error {
	if err := term.NotNegative("limit", opts.limit); err != nil {
		return err
	}
	return s.With(ctx, func(db *sqlite.DB) error {
		session, err := find.Session(ctx, db, opts.id)
		if err != nil {
			return err
		}
		leaf, err := find.NodeUID(ctx, db, session, opts.branch)
		if err != nil {
			return err
		}
		path := pathRange{db: db, session: session, leaf: leaf, from: opts.from, limit: opts.limit}
		return s.Buffered(func(s *term.Shell) error {
			if opts.json {
				return showJSON(ctx, s, path)
			}
			return showText(ctx, s, path)
		})
	})
}

// A range of the messages on a path, which each reads in steps.
type pathRange struct {
	db          *sqlite.DB
	session     core.Session
	leaf        string // the end of the path; empty: the head
	from, limit int64  // as in sqlite.DB.Window
}

// pathStep is the number of messages that are in memory at a time, each with its whole text.
const pathStep = 64

// each calls f for each message, with its whole text.
func (p pathRange) each(ctx context.Context, f func(core.Message) error) error {
	from, left := p.from, p.limit
	for {
		step := int64(pathStep)
		if p.limit > 0 {
			step = min(step, left)
		}
		window, err := p.db.Window(ctx, p.session.ID, p.leaf, from, step)
		if err != nil {
			return err
		}
		for _, m := range window.Messages {
			if err := p.db.Hydrate(ctx, &m); err != nil {
				return err
			}
			if err := f(m); err != nil {
				return err
			}
		}
		from = window.From + int64(len(window.Messages))
		left -= int64(len(window.Messages))
		if len(window.Messages) == 0 || from >= window.Length || (p.limit > 0 && left <= 0) {
			return nil
		}
	}
}

// showJSON prints {session, links, records, path} one message at a time, because a path may not fit in memory.
func showJSON(ctx context.Context, s *term.Shell, path pathRange) error {
	if err := s.Printf(`{"session":`); err != nil {
		return err
	}
	if err := s.PrintJSON(path.session); err != nil {
		return err
	}
	links, err := path.db.Links(ctx, path.session.ID)
	if err != nil {
		return err
	}
	if err := s.Printf(`,"links":`); err != nil {
		return err
	}
	if err := s.PrintJSON(links); err != nil {
		return err
	}
	records, err := path.db.RecordCounts(ctx, path.session.ID)
	if err != nil {
		return err
	}
	if err := s.Printf(`,"records":`); err != nil {
		return err
	}
	if err := s.PrintJSON(records); err != nil {
		return err
	}
	before := `,"path":[` + "\n"
	err = path.each(ctx, func(m core.Message) error {
		if err := s.Printf("%s", before); err != nil {
			return err
		}
		before = ","
		return s.PrintJSON(m)
	})
	if err != nil {
		return err
	}
	if before != "," {
		before += "]}\n"
	} else {
		before = "]}\n"
	}
	return s.Printf("%s", before)
}

func showText(ctx context.Context, s *term.Shell, path pathRange) error {
	labels, err := path.db.Labels(ctx, path.session.ID)
	if err != nil {
		return err
	}
	t := term.NewTranscript(s.Terminal, labels)
	if err := t.Head(path.session); err != nil {
		return err
	}
	links, err := path.db.Links(ctx, path.session.ID)
	if err != nil {
		return err
	}
	if err := printLinks(ctx, s, path.db, links); err != nil {
		return err
	}
	return path.each(ctx, func(m core.Message) error {
		_, err := io.WriteString(s.Out, t.Message(m))
		return core.Wrap(core.Unavailable, err, "write the result")
	})
}
