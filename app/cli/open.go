package cli

import (
	"context"
	"errors"
	"os"
	"os/exec"

	"github.com/spf13/cobra"

	"coppice/app/internal/exit"
	"coppice/app/internal/find"
	"coppice/app/internal/original"
	"coppice/app/term"
	"coppice/backend/core"
	"coppice/backend/sqlite"
)

func newOpenCmd(s *term.Shell) *cobra.Command {
	var printOnly, asJSON bool
	cmd := &cobra.Command{
		Use:   "open ID",
		Short: "Continue a session in the tool it came from",
		Long: `Continue a session in the tool it came from: Claude Code, Codex, Gemini CLI, OpenCode or pi. The tool starts in the
folder of the session and keeps its own rules and permissions.

With --print, only print the command, for example to run it in another terminal.`,
		Args: takes("ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			command, err := originalCommand(cmd.Context(), s, args[0])
			switch {
			case err != nil:
				return err
			case asJSON:
				return s.PrintJSON(command)
			case len(command.Args) == 0:
				return core.E(core.Invalid, "open the session: %s", command.Reason)
			case printOnly:
				if command.Reason != "" {
					s.Say("warning: %s", command.Reason)
				}
				return s.Printf("%s\n", command.Text)
			case command.Reason != "":
				return core.E(core.Unavailable, "open the session: %s", command.Reason).WithHint("--print prints the command")
			}
			return runOriginal(cmd.Context(), command)
		},
	}
	cmd.Flags().BoolVar(&printOnly, "print", false, "print the command instead of running it")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON: tool, args, folder, text, reason")
	return cmd
}

// originalCommand reads the library and closes it, so that the tool does not run beside an open one.
func originalCommand(ctx context.Context, s *term.Shell, id string) (command original.Command, err error) {
	err = s.With(ctx, func(db *sqlite.DB) error {
		session, err := find.Session(ctx, db, id)
		if err == nil {
			command = original.Of(&session, exec.LookPath)
		}
		return err
	})
	return command, err
}

// runOriginal runs the tool at this terminal. Its exit code is that of the command.
func runOriginal(ctx context.Context, command original.Command) error {
	cmd := exec.CommandContext(ctx, command.Args[0], command.Args[1:]...) //nolint:gosec // a known program, and an id as an argument
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = command.Folder, os.Stdin, os.Stdout, os.Stderr
	err := cmd.Run()
	if ended, ok := errors.AsType[*exec.ExitError](err); ok && ended.ExitCode() > 0 {
		return exit.Outcome(ended.ExitCode())
	}
	return core.Wrap(core.Unavailable, err, "run %s", command.Tool)
}
