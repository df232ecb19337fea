package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"coppice/app/term"
	"coppice/backend/core"
	"coppice/backend/sqlite"
)

func newChatCmd(s *term.Shell) *cobra.Command {
	var flags term.RunOptions
	cmd := &cobra.Command{
		Use:   "chat",
		Short: "Chat with an agent, in a new session or a given one",
		Long: `Chat with an agent, in a new session or a given one. Every step is stored when it is done. What
you type while the model works is sent to it before its next step.

/help lists the commands. A line that ends with \ continues on the next one; """ begins and ends a text of several lines. Ctrl+C
stops the answer that is being written; at an empty prompt, twice, it ends the chat, as Ctrl+D does.

If stdin is not a terminal, each of its lines is a message: there are no prompts, and only answers go to stdout.`,
		Example: `  coppice chat --model ollama/llama3.2
  coppice chat --resume
  coppice chat --resume 019cbd39-c208 --branch n1`,
		Args: usage(func(cmd *cobra.Command, args []string) error {
			if flags.Session == pickOne { // --resume takes its ID from the next argument, or lets the user choose
				return cobra.MaximumNArgs(1)(cmd, args)
			}
			return cobra.NoArgs(cmd, args)
		}),
		RunE: func(cmd *cobra.Command, args []string) error {
			if flags.Session == pickOne {
				flags.Picks = len(args) == 0
				flags.Session = strings.Join(args, "")
			}
			if flags.Picks && s.Prompter == nil {
				return usageError(cmd, core.E(core.Invalid, "which session is to be continued? Nobody is at a terminal to choose one"))
			}
			if err := flags.Check(s.Terminal); err != nil {
				return err
			}
			if err := flags.CheckOneModel(); err != nil {
				return err
			}
			return s.ForRuns(cmd.Context(), &flags, func(db *sqlite.DB) error { return term.NewChat(s, db, &flags).Run(cmd.Context()) })
		},
	}
	registerRunFlags(&flags, cmd)
	registerName(&flags, cmd.Flags())
	registerNewest(&flags, cmd.Flags())
	cmd.Flags().StringVar(&flags.Session, "resume", "", "continue the session of this `ID`; without ID, choose one")
	cmd.Flags().Lookup("resume").NoOptDefVal = pickOne
	return cmd
}

// pickOne is the value of --resume without ID. No session has it as its id.
const pickOne = "?"
