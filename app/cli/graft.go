package cli

import (
	"context"

	"github.com/spf13/cobra"

	"coppice/app/internal/find"
	"coppice/app/internal/present"
	"coppice/app/term"
	"coppice/backend/core"
	"coppice/backend/sqlite"
)

type graftOptions struct {
	id     string
	node   string
	target string
	below  string
	path   bool
	json   bool
}

func newGraftCmd(s *term.Shell) *cobra.Command {
	var opts graftOptions
	cmd := &cobra.Command{
		Use:   "graft ID NODE TARGET [BELOW]",
		Short: "Copy a branch into another session, below a turn of it",
		Long: `Copy NODE of the session ID, with all below it, into the session TARGET: below its turn BELOW, else as a tree beside those it has.
The original stays, and each copy records its origin. TARGET may be the same session. The copies can be hidden again as coppice hide TARGET NODE.`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 3 {
				return takes("ID", "NODE", "TARGET", "BELOW")(cmd, args)
			}
			return takes("ID", "NODE", "TARGET")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.id, opts.node, opts.target = args[0], args[1], args[2]
			if len(args) == 4 {
				opts.below = args[3]
			}
			return graftBranch(cmd.Context(), s, opts)
		},
	}
	cmd.Flags().BoolVar(&opts.path, "path", false, "copy the path to NODE instead, without what is below it")
	cmd.Flags().BoolVar(&opts.json, "json", false, "print JSON")
	return cmd
}

func graftBranch(ctx context.Context, s *term.Shell, opts graftOptions) error {
	return s.With(ctx, func(db *sqlite.DB) error {
		from, err := find.Session(ctx, db, opts.id)
		if err != nil {
			return err
		}
		turn, err := find.Turn(ctx, db, from, opts.node)
		if err != nil {
			return err
		}
		target, err := find.Session(ctx, db, opts.target)
		if err != nil {
			return err
		}
		parent := ""
		if opts.below != "" {
			below, err := find.Turn(ctx, db, target, opts.below)
			if err != nil {
				return err
			}
			parent = below.LastUID
		}
		source := core.GraftSource{SessionID: from.ID, UID: turn.FirstUID, Below: true}
		if opts.path {
			source = core.GraftSource{SessionID: from.ID, UID: turn.LastUID, Path: true}
		}
		grafted, err := db.Graft(ctx, source, target.ID, parent)
		if err != nil {
			return err
		}
		if opts.json {
			return s.PrintJSON(grafted)
		}
		top, err := find.Node(ctx, db, target, grafted.UID)
		if err != nil {
			return err
		}
		return s.Printf("%s copied into %s as n%d\n", present.Count(grafted.Messages, "message"), present.SessionName(target), top.Turn)
	})
}
