package cli

import (
	"context"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"coppice/app/internal/library"
	"coppice/app/internal/present"
	"coppice/app/term"
	"coppice/backend/core"
	"coppice/backend/sqlite"
)

func newDBCmd(s *term.Shell) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "db",
		Short: "Check, copy, encrypt and describe the library's file",
		Args:  usage(cobra.NoArgs),
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	asJSON := false
	stats := &cobra.Command{
		Use:   "stats",
		Short: "Describe the library and its file",
		Args:  takes(),
		RunE:  func(cmd *cobra.Command, _ []string) error { return showStats(cmd.Context(), s, asJSON) },
	}
	stats.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.AddCommand(newRecoverCmd(s), newBackupsCmd(s), newRestoreCmd(s))
	cmd.AddCommand(newEncryptCmd(s), newDecryptCmd(s), newDBKeyCmd(s), newLockCmd(s))
	cmd.AddCommand(stats, newCheckCmd(s), &cobra.Command{
		Use:   "backup FILE",
		Short: "Copy the library to a new file, also while it is in use",
		Args:  takes("FILE"),
		RunE:  func(cmd *cobra.Command, args []string) error { return backUp(cmd.Context(), s, args[0]) },
	})
	return cmd
}

func newCheckCmd(s *term.Shell) *cobra.Command {
	deep := false
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Check for damage, and repair the index for search",
		Long: `Check for damage, and repair the index for search.

Some of the requests that were sent to models are rebuilt and compared with the hash that was stored when they were sent; with
--deep all of them are, which takes long in a library with long sessions.`,
		Args: takes(),
		RunE: func(cmd *cobra.Command, _ []string) error { return checkLibrary(cmd.Context(), s, deep) },
	}
	cmd.Flags().BoolVar(&deep, "deep", false, "rebuild every request that was sent to a model")
	return cmd
}

func checkLibrary(ctx context.Context, s *term.Shell, deep bool) error {
	db, err := s.Open(ctx)
	if core.CodeOf(err) == core.Corrupt {
		return inspectLibrary(ctx, s, err)
	} else if err != nil {
		return err
	}
	return s.Use(ctx, db, func(db *sqlite.DB) error {
		line := term.NewProgressLine(s.Terminal)
		problems, notes, err := library.Check(ctx, db, deep, line.Show)
		line.Clear()
		if err != nil {
			return err
		}
		for _, note := range notes {
			s.Say("%s", note)
		}
		if len(problems) == 0 {
			if err := repairIndex(ctx, s, db); err != nil {
				return err
			}
		}
		for _, problem := range problems {
			if err := s.Printf("%s\n", present.OneLine(problem)); err != nil {
				return err
			}
		}
		if len(problems) > 0 {
			return core.E(core.Corrupt, "%s in %s", present.Count(int64(len(problems)), "problem"), db.FilePath()).
				WithHint("coppice db recover saves what can be read to a new library; coppice db backups lists the backups")
		}
		return s.Printf("%s is sound\n", db.FilePath())
	})
}

// repairIndex repairs the full-text index and brings it up to date.
func repairIndex(ctx context.Context, s *term.Shell, db *sqlite.DB) error {
	if db.Refusal() != nil {
		return nil // the library cannot be written now
	}
	line := term.NewProgressLine(s.Terminal)
	problems, err := library.RepairIndex(ctx, db, line.Show)
	line.Clear()
	if err != nil {
		return err
	}
	for _, problem := range problems {
		if err := s.Printf("%s\n", present.OneLine(problem)); err != nil {
			return err
		}
	}
	if err := indexNow(ctx, s, db); err != nil || len(problems) == 0 {
		return err
	}
	return s.Printf("the full-text index was rebuilt\n")
}

func backUp(ctx context.Context, s *term.Shell, path string) error {
	return s.With(ctx, func(db *sqlite.DB) error {
		if err := db.Backup(ctx, path); err != nil {
			return err
		}
		return s.Printf("copied to %s\n", path)
	})
}

func showStats(ctx context.Context, s *term.Shell, asJSON bool) error {
	return s.With(ctx, func(db *sqlite.DB) error {
		stats, err := db.Stats(ctx)
		if err != nil {
			return err
		}
		backups, err := sqlite.Backups(stats.Path)
		if err != nil {
			return err
		}
		if asJSON {
			return s.PrintJSON(struct {
				core.Stats
				Backups []core.Backup `json:"backups"`
			}{stats, backups})
		}
		return s.Printf("%s\n%s, schema %d\n%s (%s in the trash), %s, %s\n%s, %s\n%s\n",
			stats.Path, present.Size(stats.SizeBytes), stats.SchemaVersion,
			present.Count(stats.Sessions, "session"), humanize.Comma(stats.TrashSessions), present.Count(stats.Messages, "message"),
			present.Count(stats.Branches, "branch"), present.Count(stats.Blobs, "large content"), present.Size(stats.BlobBytes), backupWords(backups, s.Now()))
	})
}
