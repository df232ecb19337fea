package cli

import (
	"context"

	"github.com/spf13/cobra"

	"coppice/app/term"
	"coppice/backend/core"
	"coppice/backend/sqlite"
)

func newRunCmd(s *term.Shell) *cobra.Command {
	var flags term.RunOptions
	cmd := &cobra.Command{
		Use:   "run TASK",
		Short: "Run a task with an agent, in a new session or a given one",
		Long: `Run a task with an agent, in a new session or a given one. TASK may be several words; - means the standard input, and
/NAME at its beginning one of your own commands.

The answer goes to stdout, all else to stderr. Each step is stored when it is done: coppice resume continues what was
stopped by Ctrl+C, a limit or a crash. Without a terminal nothing waits: what would need your permission is
refused, unless --mode yolo or a stored permission allows it.

Several --model answer the same task side by side, each in a branch of its own. The first one leads: it may do what the mode permits,
the others only read.

Exit codes: 0 done, 1 failed, 2 stopped by a limit, 3 usage or configuration, 4 a key is missing or wrong, 5 out of
time, 130 interrupted.`,
		Example: `  coppice run "add tests to user.py" --budget 1.00
  git diff | coppice run --agent review "what is wrong here?" -
  coppice run "and now the docs" --continue
  coppice run "which of the two is faster?" --model openai/gpt-5.2 --model ollama/llama3.2
  coppice run "hello" --model script/demo`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 && flags.Session == "" && !flags.Newest && len(flags.Images) == 0 {
				return usageError(cmd, core.E(core.Invalid, "no task"))
			}
			if err := flags.Check(s.Terminal); err != nil {
				return err
			}
			return runTask(cmd.Context(), s, &flags, args)
		},
	}
	registerRunFlags(&flags, cmd)
	registerName(&flags, cmd.Flags())
	registerNewest(&flags, cmd.Flags())
	cmd.Flags().StringVar(&flags.Session, "session", "", "continue the session of this `ID`")
	registerJSONStream(&flags, cmd.Flags())
	registerOutputSchema(&flags, cmd.Flags())
	cmd.Flags().BoolVar(&flags.JSON, "json", false, "print one JSON value: sessionId, status, stopReason, steps, costNanoUsd, …, answer")
	return cmd
}

func runTask(ctx context.Context, s *term.Shell, flags *term.RunOptions, words []string) error {
	text, err := taskOf(ctx, s, words)
	if err != nil {
		return err
	}
	if text == "" && len(words) > 0 {
		return core.E(core.Invalid, "the task is empty")
	}
	return s.ForRuns(ctx, flags, func(db *sqlite.DB) error {
		session, err := flags.Find(ctx, db)
		if err != nil {
			return err
		}
		if len(flags.Models) > 1 {
			return s.RunModels(ctx, db, session, flags, text)
		}
		return s.RunSession(ctx, db, session, flags, text)
	})
}
