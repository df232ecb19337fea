package app

import (
	"context"

	"github.com/spf13/cobra"

	"coppice/backend/sqlite"
)

// cleanupDays is how old sessions are that a cleanup takes, as in the tools that Coppice follows.
const cleanupDays = 7

type cleanupOptions struct {
	olderThan int64 // days
	purge     bool
}

func newCleanupCmd(s *shell) *cobra.Command {
	var opts cleanupOptions
	cmd := &cobra.Command{
		Use:   "cleanup",
		Short: "Moves old sessions to the trash; pinned ones stay",
		Args:  usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !cmd.Flags().Changed("older-than") {
				set, err := s.hereSettings()
				if err != nil {
					return err
				}
				opts.olderThan = set.Sessions.CleanupAfterDays
			}
			return cleanUp(cmd.Context(), s, opts)
		},
	}
	cmd.Flags().Int64Var(&opts.olderThan, "older-than", cleanupDays,
		"sessions without a message for so many `DAYS`; sessions.cleanup_after_days of the configuration counts where this is not given")
	cmd.Flags().BoolVar(&opts.purge, "purge", false, "remove them for good")
	return cmd
}

func cleanUp(ctx context.Context, s *shell, opts cleanupOptions) error {
	if err := notNegative("older-than", opts.olderThan); err != nil {
		return err
	}
	return s.with(ctx, func(db *sqlite.DB) error {
		before := s.now().AddDate(0, 0, -int(min(opts.olderThan, maxDays))).UnixMilli()
		old, err := db.Cleanup(ctx, before)
		if err != nil {
			return err
		}
		if opts.purge && len(old) > 0 {
			return s.purge(ctx, db, old)
		}
		return s.printf("moved %s to the trash\n", count(int64(len(old)), "session"))
	})
}

// maxDays keeps the date in range: nothing is that old.
const maxDays = 1000 * 366
