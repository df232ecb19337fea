package cli

import (
	"context"

	"github.com/spf13/cobra"

	"coppice/app/internal/export"
	"coppice/app/internal/find"
	"coppice/app/internal/present"
	"coppice/app/term"
	"coppice/backend/core"
	"coppice/backend/sqlite"
)

type exportOptions struct {
	ids    []string
	all    bool
	format string
	scope  string
	detail string
	branch string
	output string
	redact bool
}

func newExportCmd(s *term.Shell) *cobra.Command {
	var opts exportOptions
	cmd := &cobra.Command{
		Use:   "export ID…",
		Short: "Export sessions as Markdown, a web page or Coppice's own JSON",
		Long: `Export to stdout, or with --output to a file.

Several sessions as json or jsonl become one archive; as md or html they need --output FOLDER and
become a file each. A FOLDER that exists or ends in / gets a file for each session in any format.
coppice import reads json and jsonl again.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.ids = args
			if len(args) == 0 && !opts.all {
				return usageError(cmd, core.E(core.Invalid, "no session to export"))
			}
			if len(args) > 0 && opts.all {
				return usageError(cmd, core.E(core.Invalid, "--all takes no ids"))
			}
			return exportSessions(cmd.Context(), s, opts)
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&opts.all, "all", false, "every session outside the trash")
	flags.StringVar(&opts.format, "format", export.Markdown, "the `FORMAT`: md, html, json or jsonl")
	flags.StringVar(&opts.scope, "scope", "", "the `SCOPE`: path, alternatives or tree (default path as md and html, else tree)")
	flags.StringVar(&opts.detail, "detail", "", "the `DETAIL` of md and html: full, compact (a line for each call of a tool) or prompts (prompts and answers)")
	flags.StringVar(&opts.branch, "branch", "", "the `NODE` the path ends at (default the head)")
	flags.StringVar(&opts.output, "output", "", "the `FILE` or folder to write")
	flags.BoolVar(&opts.redact, "redact", false, "replace keys, passwords, e-mail addresses and home folders that are recognised")
	return cmd
}

func exportSessions(ctx context.Context, s *term.Shell, opts exportOptions) error {
	e := export.Plan{Format: opts.format, Scope: opts.scope, Detail: opts.detail, Redact: opts.redact}
	if err := e.Check(); err != nil {
		return err
	}
	return s.With(ctx, func(db *sqlite.DB) (err error) {
		if e.Sessions, err = exported(ctx, db, opts); err != nil {
			return err
		}
		if e.Leaf, err = leafOf(ctx, e, db, opts.branch); err != nil {
			return err
		}
		if opts.output != "" {
			return s.ExportTo(ctx, db, e, opts.output)
		}
		if e.Single() && len(e.Sessions) != 1 {
			return core.E(core.Invalid, "%s cannot go into one %s file", present.Count(int64(len(e.Sessions)), "session"), e.Format).
				WithHint("--output FOLDER writes a file each; --format json makes one archive")
		}
		return s.Buffered(func(s *term.Shell) error { return e.To(ctx, db, s.Out) })
	})
}

// exported returns the sessions to export, with subagents after their parents.
func exported(ctx context.Context, db *sqlite.DB, opts exportOptions) ([]core.Session, error) {
	if !opts.all {
		return find.Sessions(ctx, db, opts.ids)
	}
	return export.Everything(ctx, db)
}

// leafOf returns the message at which a path ends.
func leafOf(ctx context.Context, e export.Plan, db *sqlite.DB, node string) (string, error) {
	if node == "" {
		return "", nil
	}
	if len(e.Sessions) != 1 {
		return "", core.E(core.Invalid, "--branch is a node of one session, there are %d", len(e.Sessions))
	}
	message, err := find.Node(ctx, db, e.Sessions[0], node)
	return message.UID, err
}
