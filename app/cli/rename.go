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
	return &cobra.Command{
		Use:   "rename ID TITLE…",
		Short: "Change the title of a session",
		Args:  takes("ID", "TITLE…"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return rename(cmd.Context(), s, args[0], strings.Join(args[1:], " "))
		},
	}
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
