package cli

import (
	"context"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"coppice/app/internal/export"
	"coppice/app/internal/find"
	"coppice/app/internal/present"
	"coppice/app/term"
	"coppice/backend/core"
	"coppice/backend/exporter/picture"
	"coppice/backend/render"
	"coppice/backend/render/plain"
	"coppice/backend/sqlite"
)

type exportOptions struct {
	ids      []string
	all      bool
	format   string
	scope    string
	detail   string
	branch   []string
	from     string
	output   string
	redact   string
	words    []string
	keep     []string
	theme    string
	withJSON bool
	encrypt  bool
}

func newExportCmd(s *term.Shell) *cobra.Command {
	var opts exportOptions
	cmd := &cobra.Command{
		Use:   "export ID…",
		Short: "Export sessions as Markdown, a web page, text or Coppice's own JSON",
		Long: `Export to stdout, or with --output to a file.

--scope selects the path to the head or to --branch NODE (path), the path with the branches that
fork off it (alternatives), the paths to several nodes (branches, with --branch for each), the turn
of a node (turn), the turns from --from NODE on (turns), or everything (tree).

json and jsonl cannot hold turn and turns; csv and otlp hold path or tree; dot, svg and png the tree.

Several sessions as json, jsonl, csv or otlp become one file; as md, html, txt, dot, svg or png
they need --output FOLDER and become a file each. A FOLDER that exists or ends in / gets a file for
each session in any format. A page of html above 25 MB becomes a folder of pages.
coppice import reads json, jsonl and md again, and html --with-json.`,
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
	flags.StringVar(&opts.format, "format", export.Markdown, "the `FORMAT`: md, html, txt, json, jsonl, csv (usage), otlp (OpenTelemetry spans), or the tree as dot (for Graphviz), svg or png")
	flags.StringVar(&opts.scope, "scope", "", "the `SCOPE`: path, alternatives, branches, turn, turns or tree (default path as md, html and txt, else tree)")
	flags.StringVar(&opts.detail, "detail", "", "the `DETAIL` of md, html and txt: full, compact (a line for each call of a tool) or prompts (prompts and answers)")
	flags.StringArrayVar(&opts.branch, "branch", nil, "the `NODE` the path ends at (default the head); several with --scope branches")
	flags.StringVar(&opts.from, "from", "", "the `NODE` that the first turn is, for --scope turns")
	flags.StringVar(&opts.output, "output", "", "the `FILE` or folder to write")
	flags.StringVar(&opts.redact, "redact", "off", "replace keys, passwords, e-mail addresses and home folders that are recognised; --redact=preview lists them instead of exporting")
	flags.Lookup("redact").NoOptDefVal = "on"
	flags.StringArrayVar(&opts.words, "redact-word", nil, "a `WORD` to replace, too; can be repeated")
	flags.StringArrayVar(&opts.keep, "keep", nil, "the `ID` of a value of the preview that is not replaced; can be repeated")
	flags.StringVar(&opts.theme, "theme", "", "the `THEME` of svg and png: light or dark (default for svg that of its viewer, for png light)")
	flags.BoolVar(&opts.withJSON, "with-json", false, "let a page of html carry its JSON, so that coppice import reads the page")
	flags.BoolVar(&opts.encrypt, "encrypt", false, "encrypt a page of html with a passphrase that is asked for, or read from a pipe")
	return cmd
}

func exportSessions(ctx context.Context, s *term.Shell, opts exportOptions) error {
	e := export.Plan{Format: opts.format, Scope: opts.scope, Detail: opts.detail, WithJSON: opts.withJSON, Words: opts.words, Keep: opts.keep}
	if len(opts.branch) > 1 && e.Scope == "" {
		e.Scope = string(render.ScopeBranches)
	}
	if opts.from != "" && e.Scope == "" {
		e.Scope = string(render.ScopeTurns)
	}
	e.Leaves, e.From = opts.branch, opts.from // nodes, until the session is found
	theme, err := picture.ParseTheme(opts.theme)
	if err != nil {
		return err
	}
	e.Theme = theme
	preview, err := redaction(&e, opts)
	if err != nil {
		return err
	}
	if opts.encrypt && !preview {
		passphrase, err := newPassphrase(s)
		if err != nil {
			return err
		}
		e.Passphrase = passphrase
	}
	if err := e.Check(); err != nil {
		return err
	}
	return s.With(ctx, func(db *sqlite.DB) (err error) {
		if e.Sessions, err = exported(ctx, db, opts); err != nil {
			return err
		}
		if err := findNodes(ctx, db, &e); err != nil {
			return err
		}
		if preview {
			return printPreview(ctx, s, db, e)
		}
		if opts.output != "" {
			return s.ExportTo(ctx, db, e, opts.output)
		}
		if e.Single() && len(e.Sessions) != 1 {
			return core.E(core.Invalid, "%s cannot go into one %s file", present.Count(int64(len(e.Sessions)), "session"), e.Format).
				WithHint("--output FOLDER writes a file each; --format json makes one archive")
		}
		return s.Buffered(func(s *term.Shell) error { return e.Print(ctx, db, s.Out) })
	})
}

// redaction sets what is redacted, and reports whether that is only listed.
func redaction(e *export.Plan, opts exportOptions) (preview bool, err error) {
	switch opts.redact {
	case "on", "true":
		e.Redact = true
	case "preview":
		return true, nil
	case "off", "false":
	default:
		return false, core.E(core.Invalid, "invalid --redact %q: want on, off or preview", opts.redact)
	}
	if !e.Redact && len(opts.words)+len(opts.keep) > 0 {
		return false, core.E(core.Invalid, "--redact-word and --keep need --redact").WithHint("add --redact")
	}
	return false, nil
}

// printPreview lists what a redacted export would replace, each value with its first place.
func printPreview(ctx context.Context, s *term.Shell, db *sqlite.DB, e export.Plan) error {
	findings, err := e.Preview(ctx, db)
	if err != nil {
		return err
	}
	table := present.Table{Columns: []present.Column{{Title: "ID"}, {Title: "KIND"}, {Title: "TIMES", Right: true}, {Title: "FIRST PLACE", Flex: true}}}
	for _, f := range findings {
		kind := string(f.Kind)
		if f.Kept {
			kind += ", kept"
		}
		table.Add(f.ID, kind, strconv.FormatInt(f.Count, 10), f.Places[0].Before+"«"+plain.Line(f.Value, 80)+"»"+f.Places[0].After)
	}
	if len(findings) == 0 {
		s.Say("nothing to replace was recognised")
		return nil
	}
	return table.Write(s.Out, s.Width)
}

// newPassphrase asks for a passphrase, twice on a terminal.
func newPassphrase(s *term.Shell) (string, error) {
	passphrase, err := s.AskSecret("Passphrase")
	if err != nil {
		return "", err
	}
	if passphrase == "" {
		return "", core.E(core.Invalid, "the passphrase is empty")
	}
	if !s.TypesSecrets() {
		return passphrase, nil
	}
	again, err := s.AskSecret("The same passphrase again")
	if err == nil && again != passphrase {
		err = core.E(core.Invalid, "the passphrases differ")
	}
	return passphrase, err
}

// exported returns the sessions to export, with subagents after their parents.
func exported(ctx context.Context, db *sqlite.DB, opts exportOptions) ([]core.Session, error) {
	if !opts.all {
		sessions, err := find.Sessions(ctx, db, opts.ids)
		if last := opts.ids[len(opts.ids)-1]; core.CodeOf(err) == core.NotFound && opts.redact == "on" && (last == "preview" || last == "off") {
			return nil, core.E(core.Invalid, "no session %q: --redact takes its value after =", last).WithHint("write --redact=%s", last)
		}
		return sessions, err
	}
	return export.Everything(ctx, db)
}

// findNodes replaces the nodes that the user named by their messages.
func findNodes(ctx context.Context, db *sqlite.DB, e *export.Plan) error {
	nodes := slices.Clone(e.Leaves)
	if e.From != "" {
		nodes = append(nodes, e.From)
	}
	if len(nodes) > 0 && len(e.Sessions) != 1 {
		return core.E(core.Invalid, "--branch and --from are nodes of one session, there are %d", len(e.Sessions))
	}
	for i, node := range nodes {
		message, err := find.Node(ctx, db, e.Sessions[0], node)
		if err != nil {
			return err
		}
		nodes[i] = message.UID
	}
	if e.From != "" {
		e.From = nodes[len(nodes)-1]
	}
	e.Leaves = nodes[:len(e.Leaves)]
	return nil
}
