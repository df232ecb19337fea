package cli

import (
	"context"
	"path/filepath"

	"github.com/spf13/cobra"

	"coppice/app/internal/export"
	"coppice/app/internal/mirror"
	"coppice/app/internal/present"
	"coppice/app/term"
	"coppice/backend/core"
	"coppice/backend/sqlite"
)

type mirrorOptions struct {
	folder string
	format string
	redact bool
	once   bool
	off    bool
	json   bool
}

func newMirrorCmd(s *term.Shell) *cobra.Command {
	var opts mirrorOptions
	cmd := &cobra.Command{
		Use:   "mirror [FOLDER]",
		Short: "Keep a folder of readable files up to date with the library",
		Long: `Write one file for each session to FOLDER, by workspace, with an index, and from then on only what has changed.
coppice watch and the window keep it up to date while they run. Without FOLDER it updates the mirror
that was chosen before.

A file that you or another program have changed is left alone and reported, and so is one that Coppice did
not write. Sessions in the trash have no file.`,
		Args: usage(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				opts.folder = args[0]
			}
			if opts.off && (opts.folder != "" || opts.once) {
				return usageError(cmd, core.E(core.Invalid, "--off takes no FOLDER and no --once"))
			}
			if opts.folder == "" && (cmd.Flags().Changed("format") || opts.redact || opts.once) {
				return usageError(cmd, core.E(core.Invalid, "--format, --redact and --once need a FOLDER"))
			}
			return mirrorLibrary(cmd.Context(), s, opts)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&opts.format, "format", export.Markdown, "the `FORMAT`: md, html or json")
	flags.BoolVar(&opts.redact, "redact", false, "replace keys, passwords, e-mail addresses and home folders that are recognised")
	flags.BoolVar(&opts.once, "once", false, "do not keep it up to date")
	flags.BoolVar(&opts.off, "off", false, "stop keeping the mirror up to date; its files stay")
	flags.BoolVar(&opts.json, "json", false, "print JSON")
	return cmd
}

func mirrorLibrary(ctx context.Context, s *term.Shell, opts mirrorOptions) error {
	return s.With(ctx, func(db *sqlite.DB) error {
		if opts.off {
			return mirror.Choose(ctx, db, nil)
		}
		o, err := chosenMirror(ctx, db, opts)
		if err != nil {
			return err
		}
		line := term.NewProgressLine(s.Terminal)
		report, err := mirror.Update(ctx, db, o, line.Show)
		line.Clear()
		if err != nil {
			return err
		}
		if opts.folder != "" && !opts.once {
			if err := mirror.Choose(ctx, db, &o); err != nil {
				return err
			}
		}
		return printMirror(s, report, opts.json)
	})
}

// chosenMirror returns the mirror that the arguments name, else the one that was chosen before.
func chosenMirror(ctx context.Context, db *sqlite.DB, opts mirrorOptions) (mirror.Options, error) {
	if opts.folder != "" {
		folder, err := filepath.Abs(opts.folder)
		return mirror.Options{Folder: folder, Format: opts.format, Redact: opts.redact}, core.Wrap(core.Invalid, err, "find %s", opts.folder)
	}
	o, ok, err := mirror.Chosen(ctx, db)
	if err == nil && !ok {
		err = core.E(core.NotFound, "no mirror was chosen").WithHint("coppice mirror FOLDER")
	}
	return o, err
}

func printMirror(s *term.Shell, report mirror.Report, asJSON bool) error {
	if asJSON {
		return s.PrintJSON(report)
	}
	for _, skip := range report.Skipped {
		s.Say("%s left alone: %s", present.OneLine(skip.Path), skip.Reason)
	}
	return s.Printf("%s: %s written, %d unchanged, %d removed\n", report.Folder, present.Count(report.Written, "session"), report.Unchanged, report.Removed)
}
