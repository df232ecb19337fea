package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"coppice/app/internal/find"
	"coppice/app/internal/present"
	"coppice/app/term"
	"coppice/backend/sqlite"
)

func newTagCmd(s *term.Shell) *cobra.Command {
	remove := false
	cmd := &cobra.Command{
		Use:   "tag ID TAG…",
		Short: "Add tags to a session, or remove them",
		Args:  takes("ID", "TAG…"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return tagSession(cmd.Context(), s, args[0], args[1:], remove)
		},
	}
	cmd.Flags().BoolVar(&remove, "remove", false, "remove the tags")
	return cmd
}

func tagSession(ctx context.Context, s *term.Shell, id string, tags []string, remove bool) error {
	return s.With(ctx, func(db *sqlite.DB) error {
		session, err := find.Session(ctx, db, id)
		if err != nil {
			return err
		}
		all, err := db.Tag(ctx, session.ID, tags, remove)
		if err != nil {
			return err
		}
		if len(all) == 0 {
			return s.Printf("%s has no tags\n", find.ShortID(ctx, db, session.ID))
		}
		return s.Printf("%s is tagged %s\n", find.ShortID(ctx, db, session.ID), present.OneLine(strings.Join(all, ", ")))
	})
}
