package cli

import (
	"context"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"coppice/app/internal/library"
	"coppice/app/internal/present"
	"coppice/app/term"
	"coppice/backend/core"
	"coppice/backend/sqlite"
)

func newBackupsCmd(s *term.Shell) *cobra.Command {
	asJSON, daily := false, ""
	cmd := &cobra.Command{
		Use:   "backups",
		Short: "List the backups of the library, and turn the daily ones on or off",
		Args:  takes(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if daily != "" {
				return setDailyBackups(cmd.Context(), s, daily)
			}
			return listBackups(s, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().StringVar(&daily, "daily", "", "`on` or off: make a backup each day")
	return cmd
}

func newRestoreCmd(s *term.Shell) *cobra.Command {
	return &cobra.Command{
		Use:   "restore FILE",
		Short: "Replace the library by a backup, and keep the replaced file",
		Args:  takes("FILE"),
		RunE:  func(cmd *cobra.Command, args []string) error { return restoreBackup(cmd.Context(), s, args[0]) },
	}
}

func setDailyBackups(ctx context.Context, s *term.Shell, daily string) error {
	if daily != "on" && daily != "off" {
		return core.E(core.Invalid, "invalid --daily %q: want on or off", daily)
	}
	return s.With(ctx, func(db *sqlite.DB) error { return db.SetDailyBackups(ctx, daily == "on") })
}

// listBackups lists the backups. It works with a damaged library.
func listBackups(s *term.Shell, asJSON bool) error {
	return listUnopened(s, asJSON, sqlite.Backups, func(path string, list []core.Backup) error {
		if len(list) == 0 {
			s.Say("no backups in %s", sqlite.BackupsFolder(path))
			return nil
		}
		t := present.Table{Columns: []present.Column{{Title: "MADE"}, {Title: "KIND"}, {Title: "SIZE", Right: true}, {Title: "VERIFIED"}, {Title: "FILE"}}}
		for _, b := range list {
			verified := "no"
			if b.Verified {
				verified = "yes"
			}
			t.Add(time.UnixMilli(b.CreatedAtMs).Format("2006-01-02 15:04"), string(b.Kind), present.Size(b.SizeBytes), verified, present.OneLine(b.Path))
		}
		return t.Write(s.Out, s.Width)
	})
}

// listUnopened prints what is read of the library's files without opening the library: as JSON or by the function.
func listUnopened[T any](s *term.Shell, asJSON bool, read func(path string) ([]T, error), show func(path string, list []T) error) error {
	path, err := library.Path(s.Library)
	if err != nil {
		return err
	}
	list, err := read(path)
	if err != nil {
		return err
	}
	if asJSON {
		return s.PrintJSON(list)
	}
	return show(path, list)
}

func restoreBackup(ctx context.Context, s *term.Shell, backup string) error {
	path, err := library.Path(s.Library)
	if err != nil {
		return err
	}
	release, err := library.ClaimWindow(path)
	if err != nil {
		return err
	}
	defer release()
	for _, locked := range []string{path, backup} {
		if err := s.Unlock(ctx, locked); err != nil {
			return err
		}
	}
	aside, err := sqlite.Restore(ctx, path, backup)
	if err != nil {
		return err
	}
	if aside != "" {
		s.Say("the replaced library is now %s", aside)
	}
	return s.Printf("restored %s\n", path)
}

// backupWords describes the backups for coppice db stats.
func backupWords(list []core.Backup, now time.Time) string {
	if len(list) == 0 {
		return "no backups"
	}
	bytes := int64(0)
	for _, b := range list {
		bytes += b.SizeBytes
	}
	newest := humanize.RelTime(time.UnixMilli(list[0].CreatedAtMs), now, "ago", "from now")
	return present.Count(int64(len(list)), "backup") + " (" + present.Size(bytes) + "), the newest " + newest
}
