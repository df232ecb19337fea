package app

import (
	"strings"

	"github.com/spf13/cobra"

	"coppice/backend/core"
)

func newRootCmd(s *shell) *cobra.Command {
	root := &cobra.Command{
		Use:   "coppice",
		Short: "Keeps every conversation with AI agents as a tree, in one file",
		Long: `Coppice keeps every conversation with AI agents as a tree, in one file on your machine.

Without a command it opens its window.

ID is a session's id, the beginning of it, its name, or the id it has in the tool it came from.
NODE is n3 (a turn), m17 (a message), a message's uid, or a label.

Exit codes: 0 success, 1 failed, 2 partial, 3 usage, configuration or unknown id, 4 a key is missing
or wrong, 5 out of time, 130 interrupted.`,
		Version:       fullVersion(),
		Args:          usage(cobra.NoArgs),
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE:          func(cmd *cobra.Command, _ []string) error { return openWindow(cmd.Context(), s) },
	}
	root.SetVersionTemplate("coppice {{.Version}}\n")
	root.CompletionOptions.HiddenDefaultCmd = true
	root.PersistentFlags().StringVar(&s.db, "db", "", "the library's file (default COPPICE_DB, else coppice.db in your data folder)")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return usageError(cmd, err) })
	root.AddCommand(
		newImportCmd(s), newSessionsCmd(s), newShowCmd(s), newTreeCmd(s), newBranchCmd(s), newLabelCmd(s),
		newSearchCmd(s), newExportCmd(s), newDeleteCmd(s), newTrashCmd(s), newCleanupCmd(s), newConfigCmd(s),
		newDBCmd(s), newVersionCmd(s), newRunCmd(s), newResumeCmd(s), newModelsCmd(s), newChatCmd(s),
	)
	return root
}

// usage makes a mistake in the arguments an Invalid error with the command's usage as its hint.
func usage(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return usageError(cmd, err)
		}
		return nil
	}
}

func usageError(cmd *cobra.Command, err error) error {
	message, _, _ := strings.Cut(err.Error(), "\n") // cobra adds suggestions on lines of their own
	e := core.E(core.Invalid, "%s", message)
	if !cmd.HasParent() {
		return e.WithHint("coppice --help lists the commands")
	}
	return e.WithHint("usage: %s", cmd.UseLine())
}

// notNegative checks a number given by a flag.
func notNegative(flag string, value int64) error {
	if value < 0 {
		return core.E(core.Invalid, "--%s is %d, it must be 0 or more", flag, value)
	}
	return nil
}
