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

func newTrashCmd(s *term.Shell) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:   "trash",
		Short: "List the trash",
		Args:  usage(cobra.NoArgs),
		RunE:  func(cmd *cobra.Command, _ []string) error { return listTrash(cmd.Context(), s, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.AddCommand(&cobra.Command{
		Use:   "restore ID…",
		Short: "Restore sessions from the trash",
		Args:  takes("ID…"),
		RunE:  func(cmd *cobra.Command, args []string) error { return restoreSessions(cmd.Context(), s, args) },
	}, &cobra.Command{
		Use:   "empty",
		Short: "Remove all sessions in the trash for good",
		Args:  takes(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return s.With(cmd.Context(), func(db *sqlite.DB) error { return purge(cmd.Context(), s, db, nil) })
		},
	})
	return cmd
}

func listTrash(ctx context.Context, s *term.Shell, asJSON bool) error {
	return s.With(ctx, func(db *sqlite.DB) error {
		sessions, err := db.Sessions(ctx, core.SessionFilter{Trash: true})
		if err != nil {
			return err
		}
		if asJSON {
			return s.PrintJSON(lists.NonNil(sessions))
		}
		if len(sessions) == 0 {
			s.Say("the trash is empty")
			return nil
		}
		return s.PrintSessions(ctx, db, sessions)
	})
}

func restoreSessions(ctx context.Context, s *term.Shell, refs []string) error {
	return s.With(ctx, func(db *sqlite.DB) error {
		sessions, err := find.Sessions(ctx, db, refs)
		if err != nil {
			return err
		}
		var trashed []core.Session
		for _, session := range sessions {
			if session.DeletedAtMs != 0 {
				trashed = append(trashed, session)
			}
		}
		if len(trashed) > 0 {
			if err := db.Restore(ctx, find.IDs(trashed)); err != nil {
				return err
			}
		}
		return s.Printf("took %s out of the trash\n", present.Count(int64(len(trashed)), "session"))
	})
}
