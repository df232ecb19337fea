package cli

import (
	"context"

	"github.com/spf13/cobra"

	"coppice/app/internal/find"
	"coppice/app/internal/present"
	"coppice/app/term"
	"coppice/backend/core"
	"coppice/backend/lists"
	"coppice/backend/sqlite"
)

type treeOptions struct {
	id   string
	json bool
}

func newTreeCmd(s *term.Shell) *cobra.Command {
	var opts treeOptions
	cmd := &cobra.Command{
		Use:   "tree ID",
		Short: "Print the tree of turns",
		Args:  takes("ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.id = args[0]
			return showTree(cmd.Context(), s, opts)
		},
	}
	cmd.Flags().BoolVar(&opts.json, "json", false, "print JSON")
	return cmd
}

func showTree(ctx context.Context, s *term.Shell, opts treeOptions) error {
	return s.With(ctx, func(db *sqlite.DB) error {
		session, err := find.Session(ctx, db, opts.id)
		if err != nil {
			return err
		}
		tree, err := db.Tree(ctx, session.ID)
		if err != nil {
			return err
		}
		if opts.json {
			tree.Branches, tree.Turns = lists.NonNil(tree.Branches), lists.NonNil(tree.Turns)
			return s.PrintJSON(tree)
		}
		if err := term.NewTranscript(s.Terminal, nil).Head(session); err != nil {
			return err
		}
		if err := printLinks(ctx, s, db, tree.Links); err != nil {
			return err
		}
		return core.Wrap(core.Unavailable, present.DrawTree(s.Out, tree, s.Width, s.Color), "write the result")
	})
}
