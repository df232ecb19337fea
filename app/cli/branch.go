package cli

import (
	"context"

	"github.com/spf13/cobra"

	"coppice/app/internal/find"
	"coppice/app/internal/present"
	"coppice/app/term"
	"coppice/backend/sqlite"
)

type branchOptions struct {
	id   string
	node string
	json bool
}

func newBranchCmd(s *term.Shell) *cobra.Command {
	var opts branchOptions
	cmd := &cobra.Command{
		Use:   "branch ID NODE",
		Short: "Move the head: the next message becomes a child of NODE",
		Args:  takes("ID", "NODE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.id, opts.node = args[0], args[1]
			return moveHead(cmd.Context(), s, opts)
		},
	}
	cmd.Flags().BoolVar(&opts.json, "json", false, "print the session as JSON")
	return cmd
}

func moveHead(ctx context.Context, s *term.Shell, opts branchOptions) error {
	return s.With(ctx, func(db *sqlite.DB) error {
		session, err := find.Session(ctx, db, opts.id)
		if err != nil {
			return err
		}
		node, err := find.Node(ctx, db, session, opts.node)
		if err != nil {
			return err
		}
		session, err = db.MoveHead(ctx, session.ID, node.UID)
		if err != nil {
			return err
		}
		if opts.json {
			return s.PrintJSON(session)
		}
		return s.Printf("%s continues from n%d (m%d)\n", present.SessionName(session), node.Turn, node.Seq)
	})
}
