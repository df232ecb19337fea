package cli

import (
	"context"
	"os"

	"github.com/spf13/cobra"

	"coppice/app/internal/present"
	"coppice/app/term"
	"coppice/backend/config"
	"coppice/backend/core"
)

func newConfigTrustCmd(s *term.Shell) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:   "trust [yes|no|ask]",
		Short: "Show what this workspace brings, and whether you trust it",
		Long: `Show the settings, agents, commands, skills, MCP servers and instructions that this workspace brings, and whether you
trust it. At a terminal it asks. yes and no answer the question, ask opens it again.

An answer applies until the settings, the agents, the commands, the skills, the servers or the names of the instructions
change.`,
		Args: usage(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return configTrust(cmd.Context(), s, append(args, "")[0], asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON: workspace, answer, listed, brings")
	return cmd
}

func configTrust(ctx context.Context, s *term.Shell, word string, asJSON bool) error {
	here, err := os.Getwd()
	if err != nil {
		return core.Wrap(core.Unavailable, err, "find this folder")
	}
	set, err := config.Read(here, s.Trust)
	if err != nil {
		return err
	}
	switch word {
	case "":
		return showTrust(ctx, s, set, asJSON)
	case "ask":
		return s.Trust.Remember(here, set.Trust.Digest, "")
	case string(config.AnswerYes), string(config.AnswerNo):
		return s.Trust.Remember(here, set.Trust.Digest, config.Answer(word))
	default:
		return core.E(core.Invalid, "unknown answer %q", word).WithHint("one of: yes, no, ask")
	}
}

// showTrust prints what the workspace contributes. If its trust is undecided and a user is at the terminal, it asks.
func showTrust(ctx context.Context, s *term.Shell, set *config.Settings, asJSON bool) error {
	w := &set.Trust
	if asJSON {
		return s.PrintJSON(w)
	}
	if w.IsOpen() && s.Prompter != nil {
		return s.ResolveTrust(ctx, set.Workspace)
	}
	for i := range w.Brings {
		if err := s.Printf("%s\n", present.Safe(term.ContributionLine(&w.Brings[i]))); err != nil {
			return err
		}
	}
	return s.Printf("%s\n", trustLine(w))
}

// trustLine returns a line that describes whether a workspace is trusted.
func trustLine(w *config.WorkspaceTrust) string {
	switch {
	case w.Listed:
		return "trusted by trusted_workspaces in your configuration"
	case len(w.Brings) == 0:
		return "the workspace brings nothing that trust decides about"
	case w.Answer == config.AnswerYes:
		return "trusted"
	case w.Answer == config.AnswerNo:
		return "not trusted"
	default:
		return "not trusted: you have not been asked"
	}
}
