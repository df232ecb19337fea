package cli

import (
	"github.com/spf13/cobra"

	"coppice/app/term"
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
  coppice chat --resume 019cbd39-c208 --branch n1`,
		Args: usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
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
	cmd.Flags().StringVar(&flags.Session, "resume", "", "continue the session of this `ID`")
	return cmd
}
