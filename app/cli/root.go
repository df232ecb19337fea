// Package cli is the command line: a file for each command, with its flags and its output. The packages below implement
// the commands. Only this package uses cobra.
package cli

import (
	"context"

	"github.com/spf13/cobra"

	"coppice/app/internal/exit"
	"coppice/app/internal/version"
	"coppice/app/term"
	"coppice/backend/config"
)

// OpenWindow opens the window on the library that the flag --db names. It calls warn with errors that do not stop the
// window.
type OpenWindow func(ctx context.Context, library string, warn func(error)) error

// Run runs a command line and returns its exit code.
func Run(ctx context.Context, t term.Terminal, window OpenWindow, args []string) int {
	if t.Keys == nil {
		t.Keys = term.NewKeyboard(t.In)
	}
	s := &term.Shell{Terminal: t, Trust: &config.Answers{}}
	root := newRootCmd(s, func(ctx context.Context) error {
		return window(ctx, s.Library, func(err error) { s.Say("%v", err) })
	})
	root.SetArgs(args)
	root.SetIn(t.In)
	root.SetOut(t.Out)
	root.SetErr(t.Err)
	err := root.ExecuteContext(ctx)
	t.Report(err)
	return exit.Code(err)
}

func newRootCmd(s *term.Shell, openWindow func(context.Context) error) *cobra.Command {
	root := &cobra.Command{
		Use:   "coppice",
		Short: "Keep every conversation with AI agents as a tree, in one file",
		Long: `Coppice keeps every conversation with AI agents as a tree, in one file on your machine.

Without a command it opens its window.

ID is a session's id, the beginning of it, its name, or the id it has in the tool it came from.
NODE is n3 (a turn), m17 (a message), a message's uid, or a label.

Exit codes: 0 success, 1 failed, 2 partial, 3 usage, configuration or unknown id, 4 a key is missing
or wrong, 5 out of time, 130 interrupted.`,
		Version:       version.Full(),
		Args:          usage(cobra.NoArgs),
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE:          func(cmd *cobra.Command, _ []string) error { return openWindow(cmd.Context()) },
	}
	root.SetVersionTemplate("coppice {{.Version}}\n")
	root.CompletionOptions.HiddenDefaultCmd = true
	root.PersistentFlags().StringVar(&s.Library, "db", "", "the library's `FILE` (default COPPICE_DB, else coppice.db in your data folder)")
	root.PersistentFlags().BoolVar(&s.NoEncrypt, "no-encrypt", false, "create a new library without encryption, whatever the configuration says")
	root.PersistentFlags().BoolVar(&s.Plain, "plain", s.Plain, "write text as it is: without layout, colors and progress")
	root.PersistentFlags().Lookup("plain").DefValue = "false"
	root.PersistentPreRun = func(*cobra.Command, []string) { s.ApplyPlain() }
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return usageError(cmd, err) })
	addGroup(root, "Look at sessions", newSessionsCmd(s), newShowCmd(s), newTreeCmd(s), newContextCmd(s), newCompareCmd(s), newSearchCmd(s), newFilesCmd(s), newBlameCmd(s), newStatsCmd(s))
	addGroup(root, "Work with an agent", newRunCmd(s), newResumeCmd(s), newChatCmd(s), newHibernateCmd(s), newWakeCmd(s), newTeamCmd(s), newJobsCmd(s), newModelsCmd(s), newApprovalsCmd(s), newConfigCmd(s))
	addGroup(root, "Shape a session", newBranchCmd(s), newCheckpointsCmd(s), newCheckpointCmd(s), newRestoreCheckpointCmd(s), newLabelCmd(s), newRenameCmd(s), newTitleCmd(s), newTagCmd(s), newTagsCmd(s), newCompactCmd(s), newHideCmd(s), newSplitCmd(s), newGraftCmd(s))
	addGroup(root, "Bring in, take out", newImportCmd(s), newWatchCmd(s), newExportCmd(s), newMirrorCmd(s), newOpenCmd(s), newHandCmd(s), newSecretsCmd(s))
	addGroup(root, "Look after the library", newDeleteCmd(s), newTrashCmd(s), newCleanupCmd(s), newDBCmd(s))
	root.AddCommand(newVersionCmd(s))
	return root
}

// addGroup adds commands that the help lists under a heading.
func addGroup(root *cobra.Command, heading string, commands ...*cobra.Command) {
	root.AddGroup(&cobra.Group{ID: heading, Title: heading + ":"})
	for _, command := range commands {
		command.GroupID = heading
	}
	root.AddCommand(commands...)
}
