package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"coppice/app/internal/find"
	"coppice/app/term"
	"coppice/backend/core"
	"coppice/backend/sqlite"
)

func newRenameCmd(s *term.Shell) *cobra.Command {
	name := ""
	cmd := &cobra.Command{
		Use:   "rename ID [TITLE…]",
		Short: "Change the title or the name of a session",
		Args: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("name") && len(args) == 1 {
				return nil
			}
			return takes("ID", "TITLE…")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("name") {
				if err := setName(cmd.Context(), s, args[0], name); err != nil || len(args) == 1 {
					return err
				}
			}
			return rename(cmd.Context(), s, args[0], strings.Join(args[1:], " "))
		},
	}
	cmd.Flags().StringVar(&name, "name", "", "set the `NAME` to find the session by; empty: remove it")
	return cmd
}

func setName(ctx context.Context, s *term.Shell, id, name string) error {
	return s.With(ctx, func(db *sqlite.DB) error {
		session, err := find.Session(ctx, db, id)
		if err != nil {
			return err
		}
		if err := db.SetName(ctx, session.ID, name); err != nil {
			return err
		}
		if name == "" {
			return s.Printf("removed the name of %s\n", find.ShortID(ctx, db, session.ID))
		}
		return s.Printf("named %s %s\n", find.ShortID(ctx, db, session.ID), name)
	})
}

func rename(ctx context.Context, s *term.Shell, id, title string) error {
	title = strings.TrimSpace(title)
	if title == "" {
		return core.E(core.Invalid, "the title is empty")
	}
	return s.With(ctx, func(db *sqlite.DB) error {
		session, err := find.Session(ctx, db, id)
		if err != nil {
			return err
		}
		if err := db.Rename(ctx, session.ID, title); err != nil {
			return err
		}
		return s.Printf("renamed %s to %s\n", find.ShortID(ctx, db, session.ID), title)
	})
}
