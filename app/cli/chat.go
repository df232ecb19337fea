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
		Short: "Talks with an agent, in a new session or a given one",
		Long: `Talks with an agent, in a new session or a given one. Every step is kept as it is done. What
you type while the model works is said to it before its next step.

/help lists the commands. A line that ends with \ goes on in the next one; """ begins and ends a text of several lines. Ctrl+C
stops the answer that is being given; at an empty prompt, twice, it ends the chat, as Ctrl+D does.

Where stdin is no terminal its lines are what is said: there are no prompts, and answers alone go to stdout.`,
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
