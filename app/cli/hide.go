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

type hideOptions struct {
	id       string
	nodes    []string
	siblings bool
	others   bool
	undo     bool
	json     bool
}

func newHideCmd(s *term.Shell) *cobra.Command {
	var opts hideOptions
	cmd := &cobra.Command{
		Use:   "hide ID NODE…",
		Short: "Move branches to the trash of their session; hide ID --undo restores all of them",
		Long: `Move turns, with all below them, to the trash of their session. Nothing is removed: hidden turns are left out of the tree
and of Markdown and HTML exports. --undo restores them, and so does a session that continues there.`,
		Args: func(cmd *cobra.Command, args []string) error {
			if opts.undo && len(args) == 1 {
				return nil
			}
			return takes("ID", "NODE…")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.id, opts.nodes = args[0], args[1:]
			return hideBranches(cmd.Context(), s, opts)
		},
	}
	cmd.Flags().BoolVar(&opts.siblings, "siblings", false, "hide the alternatives to NODE instead")
	cmd.Flags().BoolVar(&opts.others, "others", false, "hide all that is neither on the path to NODE nor below it instead")
	cmd.Flags().BoolVar(&opts.undo, "undo", false, "restore them from the trash; without NODE, all")
	cmd.Flags().BoolVar(&opts.json, "json", false, "print JSON")
	cmd.MarkFlagsMutuallyExclusive("siblings", "others", "undo")
	return cmd
}

func hideBranches(ctx context.Context, s *term.Shell, opts hideOptions) error {
	return s.With(ctx, func(db *sqlite.DB) error {
		session, err := find.Session(ctx, db, opts.id)
		if err != nil {
			return err
		}
		tops := []string{}
		for _, name := range opts.nodes {
			turn, err := find.Turn(ctx, db, session, name)
			if err != nil {
				return err
			}
			tops = append(tops, turn.FirstUID)
		}
		if opts.undo {
			if err := db.Unhide(ctx, session.ID, tops); err != nil {
				return err
			}
			return s.Printf("%s has its branches back\n", present.SessionName(session))
		}
		hiding, err := hideTops(ctx, db, session.ID, tops, opts)
		if err != nil {
			return err
		}
		if opts.json {
			return s.PrintJSON(hiding)
		}
		return s.Printf("%s hidden in %s of %s\n", present.Count(hiding.Messages, "message"), present.Count(hiding.Turns, "turn"), present.SessionName(session))
	})
}

func hideTops(ctx context.Context, db *sqlite.DB, sessionID string, tops []string, opts hideOptions) (core.Hiding, error) {
	var hide func(context.Context, string, string) (core.Hiding, error)
	switch {
	case opts.siblings:
		hide = db.HideSiblings
	case opts.others:
		hide = db.HideOthers
	default:
		return db.Hide(ctx, sessionID, tops)
	}
	if len(tops) != 1 {
		return core.Hiding{}, core.E(core.Invalid, "give one node to keep")
	}
	return hide(ctx, sessionID, tops[0])
}
