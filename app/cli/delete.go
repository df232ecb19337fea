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

type deleteOptions struct {
	ids   []string
	purge bool
}

func newDeleteCmd(s *term.Shell) *cobra.Command {
	var opts deleteOptions
	cmd := &cobra.Command{
		Use:   "delete ID…",
		Short: "Move sessions to the trash",
		Args:  takes("ID…"),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.ids = args
			return deleteSessions(cmd.Context(), s, opts)
		},
	}
	cmd.Flags().BoolVar(&opts.purge, "purge", false, "remove them for good")
	return cmd
}

func deleteSessions(ctx context.Context, s *term.Shell, opts deleteOptions) error {
	return s.With(ctx, func(db *sqlite.DB) error {
		sessions, err := find.Sessions(ctx, db, opts.ids)
		if err != nil {
			return err
		}
		var fresh []core.Session
		for _, session := range sessions {
			if session.DeletedAtMs == 0 {
				fresh = append(fresh, session)
			}
		}
		if len(fresh) > 0 {
			if err := db.Trash(ctx, find.IDs(fresh)); err != nil {
				return err
			}
		}
		if opts.purge {
			return purge(ctx, s, db, find.IDs(sessions))
		}
		return s.Printf("moved %s to the trash\n", present.Count(int64(len(fresh)), "session"))
	})
}

// purge permanently removes sessions that are in the trash.
func purge(ctx context.Context, s *term.Shell, db *sqlite.DB, ids []string) error {
	removed, err := db.Purge(ctx, ids)
	if err != nil {
		return err
	}
	return s.Printf("removed %s for good\n", present.Count(removed, "session"))
}
