package cli

import (
	"cmp"
	"context"

	"github.com/spf13/cobra"

	"coppice/app/internal/find"
	"coppice/app/internal/present"
	"coppice/app/term"
	"coppice/backend/sqlite"
)

type splitOptions struct {
	id    string
	node  string
	title string
	json  bool
}

func newSplitCmd(s *term.Shell) *cobra.Command {
	var opts splitOptions
	cmd := &cobra.Command{
		Use:   "split ID NODE",
		Short: "Copy a branch into a session of its own, linked both ways",
		Long:  "Copy the path to NODE, and all below it, into a session of its own. The original session does not change; each links to the other.",
		Args:  takes("ID", "NODE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.id, opts.node = args[0], args[1]
			return splitBranch(cmd.Context(), s, opts)
		},
	}
	cmd.Flags().StringVar(&opts.title, "title", "", "the new session's title (default the label of the turn, else its beginning)")
	cmd.Flags().BoolVar(&opts.json, "json", false, "print the new session as JSON")
	return cmd
}

func splitBranch(ctx context.Context, s *term.Shell, opts splitOptions) error {
	return s.With(ctx, func(db *sqlite.DB) error {
		session, err := find.Session(ctx, db, opts.id)
		if err != nil {
			return err
		}
		turn, err := find.Turn(ctx, db, session, opts.node)
		if err != nil {
			return err
		}
		split, err := db.Split(ctx, session.ID, turn.LastUID, cmp.Or(opts.title, turn.Label, turn.Preview))
		if err != nil {
			return err
		}
		if opts.json {
			return s.PrintJSON(split)
		}
		return s.Printf("n%d of %s is now %s: %s\n", turn.Number, present.SessionName(session), present.SessionName(split), split.ID)
	})
}
