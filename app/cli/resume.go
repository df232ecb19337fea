package cli

import (
	"context"

	"github.com/spf13/cobra"

	"coppice/app/term"
	"coppice/backend/core"
	"coppice/backend/sqlite"
)

func newResumeCmd(s *term.Shell) *cobra.Command {
	var flags term.RunOptions
	cmd := &cobra.Command{
		Use:   "resume [ID] [TASK]",
		Short: "Continue a session where it stopped, or with a further task",
		Long: `Continue a session where it stopped, or with a further task. Without ID it lists what is unfinished and asks.

The model is sent the exact messages, and nothing that was done is done again. You may give another model, agent, mode or budget;
the differences are printed. Cost and tokens count for the whole session, so a larger --budget continues
where a smaller one stopped.`,
		Example: `  coppice resume
  coppice resume 019cbd39-c208 --budget 2.00
  coppice resume 019cbd39-c208 "now write the tests" --model ollama/llama3.2`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 && s.Prompter == nil {
				return usageError(cmd, core.E(core.Invalid, "no session to continue: without a terminal, give its ID"))
			}
			flags.Picks = len(args) == 0
			if !flags.Picks {
				flags.Session = args[0]
				args = args[1:]
			}
			if err := checkResume(&flags, s.Terminal); err != nil {
				return err
			}
			return resume(cmd.Context(), s, &flags, args)
		},
	}
	registerRunFlags(&flags, cmd)
	registerJSONStream(&flags, cmd.Flags())
	registerOutputSchema(&flags, cmd.Flags())
	cmd.Flags().BoolVar(&flags.JSON, "json", false, "print one JSON value: sessionId, status, stopReason, steps, costNanoUsd, …, answer")
	return cmd
}

// checkResume checks the flags of a resume whose session is not chosen yet.
func checkResume(f *term.RunOptions, t term.Terminal) error {
	if f.Picks && f.Branch != "" {
		return core.E(core.Invalid, "--branch is a node of a session: name that too").WithHint("usage: coppice resume ID --branch NODE")
	}
	if err := f.CheckOneModel(); err != nil {
		return err
	}
	return f.Check(t)
}

func resume(ctx context.Context, s *term.Shell, flags *term.RunOptions, words []string) error {
	text, err := taskOf(ctx, s, words)
	if err != nil {
		return err
	}
	return s.ForRuns(ctx, flags, func(db *sqlite.DB) error {
		var session core.Session
		if flags.Picks {
			session, err = s.PickSession(ctx, db, core.SessionFilter{Incomplete: true})
		} else {
			session, err = flags.Find(ctx, db)
		}
		if err != nil {
			return err
		}
		return s.RunSession(ctx, db, session, flags, text)
	})
}
