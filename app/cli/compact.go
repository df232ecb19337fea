package cli

import (
	"context"

	"github.com/spf13/cobra"

	"coppice/app/internal/find"
	"coppice/app/term"
	"coppice/backend/core"
	"coppice/backend/lists"
	"coppice/backend/sqlite"
)

func newCompactCmd(s *term.Shell) *cobra.Command {
	var flags term.RunOptions
	focus := ""
	cmd := &cobra.Command{
		Use:   "compact ID",
		Short: "Replace the old part of a session's context by a summary",
		Long: `Replace the old part of a session's context by a summary. The messages stay in the session: only what a model is sent
becomes shorter. Other branches are not affected.`,
		Example: `  coppice compact 019cbd39-c208
  coppice compact 019cbd39-c208 --strategy llm --focus "the decisions about the parser"`,
		Args: takes("ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			flags.Session = args[0]
			if err := flags.Check(s.Terminal); err != nil {
				return err
			}
			return compact(cmd.Context(), s, &flags, focus)
		},
	}
	set := cmd.Flags()
	flags.Given = set.Changed
	set.StringVar(&flags.Compaction, "strategy", "", "the `STRATEGY`: "+lists.Join(core.CompactionStrategies()))
	set.StringVar(&focus, "focus", "", "the `TEXT` that a summary by a model should keep in particular")
	set.StringArrayVar(&flags.Models, "model", nil, "`PROVIDER/MODEL` of the session, which writes the summary with strategy llm")
	set.StringVar(&flags.BaseURL, "base-url", "", "the `URL` of a server, in place of the provider's")
	set.BoolVar(&flags.JSON, "json", false, "print one JSON value: strategy, messagesBefore, messagesAfter, tokensBefore, …")
	return cmd
}

func compact(ctx context.Context, s *term.Shell, flags *term.RunOptions, focus string) error {
	if flags.Compaction == string(core.CompactNone) {
		return core.E(core.Invalid, "--strategy none compacts nothing").WithHint("Choose another strategy")
	}
	if err := flags.CheckOneModel(); err != nil {
		return err
	}
	return s.ForRuns(ctx, flags, func(db *sqlite.DB) error {
		session, err := find.Session(ctx, db, flags.Session)
		if err != nil {
			return err
		}
		return s.CompactSession(ctx, db, session, flags, focus)
	})
}
