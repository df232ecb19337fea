package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"coppice/app/internal/find"
	"coppice/app/internal/present"
	"coppice/app/term"
	"coppice/backend/core"
	"coppice/backend/sqlite"
)

type labelOptions struct {
	id     string
	node   string
	text   string
	color  string
	remove bool
}

func newLabelCmd(s *term.Shell) *cobra.Command {
	var opts labelOptions
	cmd := &cobra.Command{
		Use:   "label ID NODE TEXT…",
		Short: "Label a turn; label ID NODE --remove removes the label",
		Args: func(cmd *cobra.Command, args []string) error {
			if opts.remove {
				return takes("ID", "NODE")(cmd, args)
			}
			return takes("ID", "NODE", "TEXT…")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.id, opts.node, opts.text = args[0], args[1], strings.Join(args[2:], " ")
			return setLabel(cmd.Context(), s, opts)
		},
	}
	cmd.Flags().StringVar(&opts.color, "color", "", "the `COLOR` of the label: green blue amber violet pink teal red grey")
	cmd.Flags().BoolVar(&opts.remove, "remove", false, "remove the label")
	return cmd
}

func setLabel(ctx context.Context, s *term.Shell, opts labelOptions) error {
	text := strings.TrimSpace(opts.text)
	if !opts.remove && text == "" {
		return core.E(core.Invalid, "the label is empty").WithHint("coppice label ID NODE --remove removes a label")
	}
	if color := core.Color(opts.color); color != "" && !slices.Contains(core.Colors(), color) {
		return core.E(core.Invalid, "unknown color %q", color).WithHint("one of: %s", strings.Trim(fmt.Sprint(core.Colors()), "[]"))
	}
	return s.With(ctx, func(db *sqlite.DB) error {
		session, err := find.Session(ctx, db, opts.id)
		if err != nil {
			return err
		}
		node, err := find.Node(ctx, db, session, opts.node)
		if err != nil {
			return err
		}
		if err := db.SetLabel(ctx, session.ID, node.UID, text); err != nil {
			return err
		}
		if opts.color != "" {
			if err := db.ColorLabel(ctx, session.ID, node.UID, core.Color(opts.color)); err != nil {
				return err
			}
		}
		if opts.remove {
			return s.Printf("n%d of %s has no label\n", node.Turn, present.SessionName(session))
		}
		return s.Printf("n%d of %s is labelled [%s]\n", node.Turn, present.SessionName(session), present.OneLine(text))
	})
}
