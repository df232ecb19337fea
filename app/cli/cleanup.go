package cli

import (
	"context"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"coppice/app/internal/find"
	"coppice/app/internal/library"
	"coppice/app/internal/present"
	"coppice/app/term"
	"coppice/backend/config"
	"coppice/backend/core"
	"coppice/backend/lists"
	"coppice/backend/sqlite"
)

type cleanupOptions struct {
	olderThan int64 // days
	sources   []string
	dryRun    bool
	purge     bool
	force     bool // the user confirms that the clock is right
}

func newCleanupCmd(s *term.Shell) *cobra.Command {
	var opts cleanupOptions
	cmd := &cobra.Command{
		Use:   "cleanup",
		Short: "Move old sessions to the trash; pinned ones stay",
		Long: `Move old sessions of Coppice to the trash. Pinned and running sessions stay.

Sessions that were imported from other tools stay too, however old they are. --source NAME, which may be repeated,
cleans up the sessions of these tools instead, and --source all those of every tool.`,
		Example: `  coppice cleanup --dry-run
  coppice cleanup --older-than 90 --source coppice --source claude_code`,
		Args: usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !cmd.Flags().Changed("older-than") {
				set, err := hereSettings(s)
				if err != nil {
					return err
				}
				opts.olderThan = set.Sessions.CleanupAfterDays
			}
			return cleanUp(cmd.Context(), s, opts)
		},
	}
	cmd.Flags().Int64Var(&opts.olderThan, "older-than", config.DefaultCleanupDays,
		"sessions without a message for so many `DAYS`; sessions.cleanup_after_days of the configuration counts where this is not given")
	cmd.Flags().StringArrayVar(&opts.sources, "source", nil, "the sessions of this `TOOL` (default coppice): all, "+lists.Join(core.Sources()))
	cmd.Flags().BoolVar(&opts.dryRun, "dry-run", false, "only list what would be moved")
	cmd.Flags().BoolVar(&opts.purge, "purge", false, "remove them for good")
	cmd.Flags().BoolVar(&opts.force, "force", false, "also if the clock looks wrong")
	return cmd
}

func cleanUp(ctx context.Context, s *term.Shell, opts cleanupOptions) error {
	if err := term.NotNegative("older-than", opts.olderThan); err != nil {
		return err
	}
	sources, err := cleanedSources(opts.sources)
	if err != nil {
		return err
	}
	used := lastUse(s)
	return s.With(ctx, func(db *sqlite.DB) error {
		if !opts.force {
			if err := checkClock(ctx, s, db, used); err != nil {
				return err
			}
		}
		before := s.Now().AddDate(0, 0, -int(min(opts.olderThan, maxDays))).UnixMilli()
		old, err := db.Cleanup(ctx, core.Cleanup{BeforeMs: before, Sources: sources, DryRun: opts.dryRun})
		switch {
		case err != nil:
			return err
		case opts.dryRun:
			return printOld(ctx, s, db, old)
		case opts.purge && len(old) > 0:
			return purge(ctx, s, db, find.IDs(old))
		}
		return s.Printf("moved %s to the trash\n", present.Count(int64(len(old)), "session"))
	})
}

// cleanedSources returns the sources that a cleanup is limited to; none: all.
func cleanedSources(names []string) ([]core.Source, error) {
	if len(names) == 0 {
		return []core.Source{core.SourceCoppice}, nil
	}
	if slices.Contains(names, "all") {
		return nil, nil
	}
	return sourcesOf(names)
}

// printOld lists the sessions that a cleanup would move.
func printOld(ctx context.Context, s *term.Shell, db *sqlite.DB, old []core.Session) error {
	s.Say("would move %s to the trash", present.Count(int64(len(old)), "session"))
	if len(old) == 0 {
		return nil
	}
	return s.PrintSessions(ctx, db, old)
}

// maxDays keeps the date in range. No session is that old.
const maxDays = 1000 * 366

// The clock is wrong if it is this much before the newest message, or after the last use of the library.
const (
	clockMayLag = 24 * time.Hour
	maxPause    = 90 * 24 * time.Hour
)

// lastUse returns when the library's files were last written; the zero time for a new one.
func lastUse(s *term.Shell) time.Time {
	var used time.Time
	path, err := library.Path(s.Library)
	if err != nil {
		return used // opening the library reports the error
	}
	for _, name := range []string{path, path + "-wal"} {
		if info, err := os.Stat(name); err == nil && info.ModTime().After(used) {
			used = info.ModTime()
		}
	}
	return used
}

// checkClock returns an error if the clock looks wrong. A clock that is years ahead would make every session old.
func checkClock(ctx context.Context, s *term.Shell, db *sqlite.DB, used time.Time) error {
	newest, err := db.Sessions(ctx, core.SessionFilter{Children: true, Limit: 1})
	if err != nil || len(newest) == 0 {
		return err
	}
	return clockError(s.Now(), time.UnixMilli(newest[0].UpdatedAtMs), used)
}

func clockError(now, newest, used time.Time) error {
	const hint = "check the date of this computer. If it is right, repeat the command with --force"
	if now.Before(newest.Add(-clockMayLag)) {
		return core.E(core.Conflict, "the clock looks wrong: it is %s, and the newest message is of %s", dateOf(now), dateOf(newest)).WithHint(hint)
	}
	if newest.After(used) {
		used = newest
	}
	if now.After(used.Add(maxPause)) {
		return core.E(core.Conflict, "the clock looks wrong: it is %s, and the library was last used on %s", dateOf(now), dateOf(used)).WithHint(hint)
	}
	return nil
}

func dateOf(t time.Time) string { return t.Format(time.DateOnly) }
