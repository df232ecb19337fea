package cli

import (
	"context"
	"os"
	"strings"
	"time"

	"github.com/adrg/xdg"
	"github.com/spf13/cobra"

	"coppice/app/internal/find"
	"coppice/app/internal/hand"
	"coppice/app/term"
	"coppice/backend/core"
	"coppice/backend/sqlite"
)

func newHandCmd(s *term.Shell) *cobra.Command {
	var plan hand.Plan
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "hand ID [NODE]",
		Short: "Continue a session in another tool, from any node",
		Long: `Write the path to NODE (default the head) as a new session of another tool, and print the command that
continues it there. Files that exist are never touched.

A session of the same tool keeps its tool calls and results. For any other tool they become short texts.
--to opencode writes a file for "opencode import"; the other tools find the session by themselves.`,
		Args: usage(cobra.RangeArgs(1, 2)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if plan.To == "" {
				return usageError(cmd, core.E(core.Invalid, "--to is missing"))
			}
			plan.Home, plan.Env, plan.NowMs = xdg.Home, os.Getenv, time.Now().UnixMilli()
			return handSession(cmd.Context(), s, plan, append(args, "")[:2], asJSON)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&plan.To, "to", "", "the `TOOL`: "+strings.Join(hand.Targets(), ", "))
	flags.StringVar(&plan.Workspace, "workspace", "", "the `FOLDER` to work in (default: that of the session)")
	flags.StringVar(&plan.Output, "output", "", "the `FILE` or folder to write (default: where the tool looks for its sessions)")
	flags.BoolVar(&plan.Worktree, "worktree", false, "continue in a new Git worktree beside the workspace, on a branch of its own")
	flags.BoolVar(&plan.Redact, "redact", false, "replace keys, passwords, e-mail addresses and home folders that are recognised")
	flags.BoolVar(&asJSON, "json", false, "print JSON: path, id, command, folder, tool, reason")
	return cmd
}

// handSession hands over the session that the first argument names, from the node that the second one names.
func handSession(ctx context.Context, s *term.Shell, plan hand.Plan, args []string, asJSON bool) error {
	return s.With(ctx, func(db *sqlite.DB) (err error) {
		if plan.Session, err = find.Session(ctx, db, args[0]); err != nil {
			return err
		}
		if plan.LeafUID, err = find.NodeUID(ctx, db, plan.Session, args[1]); err != nil {
			return err
		}
		handed, err := plan.Write(ctx, db)
		switch {
		case err != nil:
			return err
		case asJSON:
			return s.PrintJSON(handed)
		}
		s.Say("wrote %s", handed.Path)
		if handed.Reason != "" {
			s.Say("warning: %s", handed.Reason)
		}
		return s.Printf("%s\n", handed.Command)
	})
}
