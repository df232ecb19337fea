package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"coppice/app/internal/exit"
	"coppice/app/internal/formats"
	"coppice/app/internal/library"
	"coppice/app/internal/memory"
	"coppice/app/internal/present"
	"coppice/app/term"
	"coppice/backend/core"
	"coppice/backend/importer"
	"coppice/backend/lists"
	"coppice/backend/sqlite"
)

type importOptions struct {
	paths   []string
	format  string
	samples bool
	again   bool
	json    bool
}

func newImportCmd(s *term.Shell) *cobra.Command {
	var opts importOptions
	cmd := &cobra.Command{
		Use:   "import PATH…",
		Short: "Import session files and folders of them",
		Long: `Import files, and the session files in folders. The format is recognised by content.

Unchanged files are skipped; what was added to a file is appended. Sessions that you have removed for
good are left out; --again imports them too.

Encrypted sessions of AgentZero are opened with the passphrase in AZ_PASSPHRASE, else with
the key that AgentZero derives from this machine. The passphrase is not stored.`,
		Args: func(cmd *cobra.Command, args []string) error {
			if opts.samples {
				return takes()(cmd, args)
			}
			return takes("PATH…")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if opts.samples {
				return importSamples(cmd.Context(), s, opts)
			}
			opts.paths = args
			return importPaths(cmd.Context(), s, opts)
		},
	}
	cmd.Flags().StringVar(&opts.format, "format", "", "only read files of this `FORMAT`")
	cmd.Flags().BoolVar(&opts.again, "again", false, "also import sessions that were removed for good")
	cmd.Flags().BoolVar(&opts.samples, "samples", false, "import the sample sessions that come with Coppice")
	cmd.Flags().BoolVar(&opts.json, "json", false, "print JSON")
	return cmd
}

func importPaths(ctx context.Context, s *term.Shell, opts importOptions) error {
	if err := formats.CheckPaths(opts.paths); err != nil {
		return err
	}
	defer memory.Bound()()
	return s.With(ctx, func(db *sqlite.DB) error {
		line := term.NewProgressLine(s.Terminal)
		im := importer.Importer{Library: db, Formats: formats.All(), Progress: line.Show, Again: opts.again}
		report, err := im.Import(ctx, opts.paths, core.Source(opts.format))
		line.Clear()
		if core.CodeOf(err) == core.Invalid {
			return err // nothing was imported
		}
		if err == nil {
			err = errors.Join(library.StoreLastImport(ctx, db, report, s.Now()), indexNow(ctx, s, db), s.Derive(ctx, db))
		}
		return errors.Join(printReport(s, report, opts.json), err, importOutcome(report, err))
	})
}

func importSamples(ctx context.Context, s *term.Shell, opts importOptions) error {
	return s.With(ctx, func(db *sqlite.DB) error {
		report, err := library.LoadSamples(ctx, db, s.Now())
		if err != nil {
			return err
		}
		return printReport(s, report, opts.json)
	})
}

func printReport(s *term.Shell, report core.Report, asJSON bool) error {
	if asJSON {
		report.Sessions, report.Problems = lists.NonNil(report.Sessions), lists.NonNil(report.Problems)
		return s.PrintJSON(report)
	}
	sayProblems(s, report.Problems)
	sayGone(s, report)
	sayUnknown(s, report.UnknownRecords)
	if report.Removed > 0 {
		s.Say("%d skipped: removed for good", report.Removed)
		s.Say("hint: --again imports them too")
	}
	return s.Printf("%d imported, %d updated, %d unchanged, %d skipped, %s\n",
		report.Imported, report.Updated, report.Unchanged, report.Skipped, present.Count(int64(len(report.Problems)), "problem"))
}

// sayGone prints how many sessions their tools have deleted, and how many are available again.
func sayGone(s *term.Shell, report core.Report) {
	if report.Gone > 0 {
		s.Say("%s deleted elsewhere: their sessions stay", present.Count(report.Gone, "file"))
	}
	if report.Back > 0 {
		s.Say("%s found again", present.Count(report.Back, "file"))
	}
}

// sayUnknown prints the types of records that this version does not know.
func sayUnknown(s *term.Shell, records []core.UnknownRecords) {
	if len(records) == 0 {
		return
	}
	total, kinds := int64(0), []string{}
	for _, r := range records {
		total += r.Count
		kinds = append(kinds, fmt.Sprintf("%s %s (%d)", r.Source, present.OneLine(cmp.Or(r.Type, "without a type")), r.Count))
	}
	s.Say("%s of unknown types, stored as they are: %s", present.Count(total, "record"), strings.Join(kinds, ", "))
}

// sayProblems prints a line for each problem, and one hint for problems that share it.
func sayProblems(s *term.Shell, problems []core.Problem) {
	for i, p := range problems {
		if p.Line > 0 {
			s.Say("%s:%d: %s", p.Path, p.Line, present.OneLine(p.Message))
		} else {
			s.Say("%s: %s", p.Path, present.OneLine(p.Message))
		}
		if p.Hint != "" && (i+1 == len(problems) || problems[i+1].Hint != p.Hint) {
			s.Say("hint: %s", present.OneLine(p.Hint))
		}
	}
}

// importOutcome returns the exit code of an import with problems as an error: exit.Partial if the library has any of
// the sessions, else exit.Failed.
func importOutcome(report core.Report, err error) error {
	switch {
	case err != nil || len(report.Problems) == 0:
		return nil
	case report.Imported+report.Updated+report.Unchanged > 0:
		return exit.Outcome(exit.Partial)
	default:
		return exit.Outcome(exit.Failed)
	}
}
