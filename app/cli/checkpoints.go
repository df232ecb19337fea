package cli

import (
	"context"

	"github.com/spf13/cobra"

	"coppice/app/internal/find"
	"coppice/app/internal/present"
	"coppice/app/term"
	"coppice/backend/core"
	"coppice/backend/lists"
	"coppice/backend/sqlite"
)

func newCheckpointsCmd(s *term.Shell) *cobra.Command {
	asJSON := false
	var filter core.CheckpointFilter
	cmd := &cobra.Command{
		Use:   "checkpoints ID",
		Short: "List the checkpoints of a session, oldest first",
		Long: `List the checkpoints of a session, oldest first.

A checkpoint is a message with the run state at that point: agent, model, server, effort, mode and limits. Each answer of a model
is one, c17 for the message m17. "coppice checkpoint" names further ones; c17.1 is the first that was named at m17. Like the numbers
of messages, the ids change only when the trash of the session is emptied; names do not.`,
		Args: takes("ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return listCheckpoints(cmd.Context(), s, args[0], filter, asJSON)
		},
	}
	cmd.Flags().BoolVar(&filter.Named, "named", false, "only those with a name")
	cmd.Flags().IntVar(&filter.Limit, "limit", 0, "the newest `N` (0: all)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON: id, name, node, uid, stateHash and createdAtMs of each")
	return cmd
}

func listCheckpoints(ctx context.Context, s *term.Shell, ref string, filter core.CheckpointFilter, asJSON bool) error {
	if filter.Limit < 0 {
		return core.E(core.Invalid, "invalid --limit %d: want a number from 0", filter.Limit)
	}
	return s.With(ctx, func(db *sqlite.DB) error {
		session, err := find.Session(ctx, db, ref)
		if err != nil {
			return err
		}
		found, err := db.Checkpoints(ctx, session.ID, filter)
		if err != nil {
			return err
		}
		if asJSON {
			return s.PrintJSON(lists.NonNil(found))
		}
		if len(found) == 0 {
			s.Say("%s has no checkpoints", present.SessionName(session))
			return nil
		}
		return s.PrintCheckpoints(found)
	})
}

type checkpointOptions struct {
	id     string
	node   string
	name   string
	remove string
	json   bool
}

func newCheckpointCmd(s *term.Shell) *cobra.Command {
	var opts checkpointOptions
	cmd := &cobra.Command{
		Use:   "checkpoint ID [NODE] NAME",
		Short: "Name a point of a session to restore later",
		Long: `Name a point of a session to restore later: the head with the settings that the session would continue with, or NODE with
those that it had there. checkpoint ID --remove CHECKPOINT removes one.`,
		Example: `  coppice checkpoint 019cbd39-c208 "before the change"
  coppice checkpoint 019cbd39-c208 m17 tests-pass`,
		Args: func(cmd *cobra.Command, args []string) error {
			switch {
			case opts.remove != "":
				return takes("ID")(cmd, args)
			case len(args) == 3:
				return nil
			default:
				return takes("ID", "NAME")(cmd, args)
			}
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.id, opts.name = args[0], args[len(args)-1]
			if len(args) == 3 {
				opts.node = args[1]
			}
			return nameCheckpoint(cmd.Context(), s, opts)
		},
	}
	cmd.Flags().StringVar(&opts.remove, "remove", "", "remove the named `CHECKPOINT`, an id or a name")
	cmd.Flags().BoolVar(&opts.json, "json", false, "print the checkpoint as JSON")
	return cmd
}

func nameCheckpoint(ctx context.Context, s *term.Shell, opts checkpointOptions) error {
	if opts.remove == "" {
		if err := core.CheckCheckpointName(opts.name); err != nil {
			return err
		}
	}
	return s.With(ctx, func(db *sqlite.DB) error {
		session, err := find.Session(ctx, db, opts.id)
		if err != nil {
			return err
		}
		if opts.remove != "" {
			if err := db.RemoveCheckpoint(ctx, session.ID, opts.remove); err != nil {
				return err
			}
			return s.Printf("removed checkpoint %s of %s\n", present.OneLine(opts.remove), present.SessionName(session))
		}
		uid, err := find.NodeUID(ctx, db, session, opts.node)
		if err != nil {
			return err
		}
		c, err := db.NameCheckpoint(ctx, session.ID, uid, opts.name)
		if err != nil {
			return err
		}
		if opts.json {
			return s.PrintJSON(c)
		}
		return s.PrintNamed(&c)
	})
}

type restoreOptions struct {
	id         string
	checkpoint string
	undo       bool
	json       bool
}

func newRestoreCheckpointCmd(s *term.Shell) *cobra.Command {
	var opts restoreOptions
	cmd := &cobra.Command{
		Use:   "restore ID CHECKPOINT",
		Short: "Go back to a checkpoint; restore ID --undo returns",
		Long: `Go back to a checkpoint: the head moves to its message, and the session continues with its agent, model, server, effort, mode
and limits. Nothing is removed: what followed stays in the tree. Files of the workspace stay as they are.

restore ID --undo returns to the position and the settings before the last restore; repeat it to undo earlier ones.
CHECKPOINT is an id or a name that "coppice checkpoints" lists. "coppice trash restore" restores a session from the trash.`,
		Example: `  coppice restore 019cbd39-c208 c17
  coppice restore 019cbd39-c208 "before the change"
  coppice restore 019cbd39-c208 --undo`,
		Args: func(cmd *cobra.Command, args []string) error {
			if opts.undo {
				return takes("ID")(cmd, args)
			}
			return takes("ID", "CHECKPOINT")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.id = args[0]
			if !opts.undo {
				opts.checkpoint = args[1]
			}
			return restoreCheckpoint(cmd.Context(), s, opts)
		},
	}
	cmd.Flags().BoolVar(&opts.undo, "undo", false, "return to the position before the last restore")
	cmd.Flags().BoolVar(&opts.json, "json", false, "print the session as JSON")
	return cmd
}

func restoreCheckpoint(ctx context.Context, s *term.Shell, opts restoreOptions) error {
	return s.With(ctx, func(db *sqlite.DB) error {
		session, err := find.Session(ctx, db, opts.id)
		if err != nil {
			return err
		}
		var done core.Restored
		if opts.undo {
			done, err = db.UndoRestore(ctx, session.ID)
		} else {
			done, err = db.RestoreCheckpoint(ctx, session.ID, opts.checkpoint)
		}
		if err != nil {
			return err
		}
		if opts.json {
			return s.PrintJSON(done.Session)
		}
		var node core.Message
		if done.Session.HeadUID != "" {
			if node, err = find.Node(ctx, db, done.Session, done.Session.HeadUID); err != nil {
				return err
			}
		}
		return s.Printf("%s\n", term.RestoredLine(&done, node))
	})
}
