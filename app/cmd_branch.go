package app

import (
	"context"

	"coppice/app/internal/present"

	"github.com/spf13/cobra"

	"coppice/backend/sqlite"
)

type branchOptions struct {
	id   string
	node string
	json bool
}

func newBranchCmd(s *shell) *cobra.Command {
	var opts branchOptions
	cmd := &cobra.Command{
		Use:   "branch ID NODE",
		Short: "Moves the head: the next message becomes a child of NODE",
		Args:  takes("ID", "NODE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.id, opts.node = args[0], args[1]
			return moveHead(cmd.Context(), s, opts)
		},
	}
	cmd.Flags().BoolVar(&opts.json, "json", false, "print the session as JSON")
	return cmd
}

func moveHead(ctx context.Context, s *shell, opts branchOptions) error {
	return s.with(ctx, func(db *sqlite.DB) error {
		session, err := findSession(ctx, db, opts.id)
		if err != nil {
			return err
		}
		node, err := findNode(ctx, db, session, opts.node)
		if err != nil {
			return err
		}
		session, err = db.MoveHead(ctx, session.ID, node.UID)
		if err != nil {
			return err
		}
		if opts.json {
			return s.printJSON(session)
		}
		return s.printf("%s continues from n%d (m%d)\n", present.SessionName(session), node.Turn, node.Seq)
	})
}
