package app

import (
	"context"
	"os"

	"github.com/spf13/cobra"

	"coppice/backend/core"
)

func newConfigTrustCmd(s *shell) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:   "trust [yes|no|ask]",
		Short: "Shows what this workspace brings, and whether you trust it",
		Long: `Shows the settings, agents, MCP servers and instructions that this workspace brings, and whether you trust it. At a
terminal it asks. yes and no answer the question, ask opens it again.

An answer holds until the settings, the agents, the servers or the names of the instructions change.`,
		Args: usage(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return configTrust(cmd.Context(), s, append(args, "")[0], asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON: workspace, answer, listed, brings")
	return cmd
}

func configTrust(ctx context.Context, s *shell, word string, asJSON bool) error {
	here, err := os.Getwd()
	if err != nil {
		return core.Wrap(core.Unavailable, err, "find this folder")
	}
	set, err := readSettings(here, s.trust)
	if err != nil {
		return err
	}
	switch word {
	case "":
		return s.showTrust(ctx, set, asJSON)
	case "ask":
		return s.trust.remember(here, set.trust.Digest, "")
	case string(trustYes), string(trustNo):
		return s.trust.remember(here, set.trust.Digest, trustAnswer(word))
	default:
		return core.E(core.Invalid, "unknown answer %q", word).WithHint("one of: yes, no, ask")
	}
}

// showTrust prints what the workspace brings, and asks where that is open and somebody is at the terminal.
func (s *shell) showTrust(ctx context.Context, set *settings, asJSON bool) error {
	w := &set.trust
	if asJSON {
		return s.printJSON(w)
	}
	if w.isOpen() && s.person != nil {
		return s.resolveTrust(ctx, set.Workspace)
	}
	for i := range w.Brings {
		if err := s.printf("%s\n", safe(w.Brings[i].words())); err != nil {
			return err
		}
	}
	return s.printf("%s\n", w.standing())
}

// standing returns whether the workspace is trusted, as a line.
func (w *WorkspaceTrust) standing() string {
	switch {
	case w.Listed:
		return "trusted by trusted_workspaces in your configuration"
	case len(w.Brings) == 0:
		return "the workspace brings nothing that trust decides about"
	case w.Answer == trustYes:
		return "trusted"
	case w.Answer == trustNo:
		return "not trusted"
	default:
		return "not trusted: you have not been asked"
	}
}
