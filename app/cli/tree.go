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

// nameAuthors sets the authors of the turns that begin with an answer, in a session of several agents.
func nameAuthors(ctx context.Context, db *sqlite.DB, tree *core.Tree) error {
	authors, err := db.Authors(ctx, tree.Session.ID)
	if err != nil || len(authors) < 2 {
		return err
	}
	var numbers []int64
	at := map[int64]int{}
	for i := range tree.Turns {
		if t := &tree.Turns[i]; t.Role == core.RoleAssistant {
			numbers, at[t.Number] = append(numbers, t.Number), i
		}
	}
	turns, err := db.Turns(ctx, tree.Session.ID, numbers)
	for i := range turns {
		tree.Turns[at[turns[i].Number]].Authors = turns[i].Authors
	}
	return err
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
		if err := nameAuthors(ctx, db, &tree); err != nil {
			return err
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
