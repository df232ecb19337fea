package cli

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"coppice/app/internal/find"
	"coppice/app/internal/present"
	"coppice/app/term"
	"coppice/backend/core"
	"coppice/backend/lists"
	"coppice/backend/sqlite"
	"coppice/backend/wake"
)

type wakeOptions struct {
	due  bool
	json bool
}

func newWakeCmd(s *term.Shell) *cobra.Command {
	var opts wakeOptions
	cmd := &cobra.Command{
		Use:   "wake [ID]",
		Short: "Continue hibernated sessions",
		Long: `Continue a hibernated session, or with --due every session whose condition holds, one after the other. Without either,
list the hibernated sessions and what they wait for.

A session continues with the agent, model, server, mode and limits that it had. Two processes that wake it at once run it
once. coppice wake --due is made for cron: it does nothing if no session is due, and its exit code is that of the first
run that did not succeed.`,
		Example: `  coppice wake
  */5 * * * * coppice wake --due`,
		Args: func(cmd *cobra.Command, args []string) error {
			if opts.due || len(args) == 0 {
				return takes()(cmd, args)
			}
			return takes("ID")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case opts.due:
				return wakeDue(cmd.Context(), s, opts)
			case len(args) == 1:
				return wakeSession(cmd.Context(), s, args[0], opts)
			default:
				return listHibernated(cmd.Context(), s, opts)
			}
		},
	}
	cmd.Flags().BoolVar(&opts.due, "due", false, "continue the sessions whose condition holds")
	cmd.Flags().BoolVar(&opts.json, "json", false, "print JSON: the conditions, the outcome of a run as coppice run does, or with --due a list of those")
	return cmd
}

// wakeSession continues a session at the user's wish, whatever it waits for.
func wakeSession(ctx context.Context, s *term.Shell, id string, opts wakeOptions) error {
	return s.With(ctx, func(db *sqlite.DB) error {
		session, err := find.Session(ctx, db, id)
		if err != nil {
			return err
		}
		wakes, err := db.Wakes(ctx, session.ID)
		if err != nil {
			return err
		}
		if session.Status != core.StatusHibernated {
			return core.E(core.Conflict, "session %s is not hibernated", find.ShortID(ctx, db, session.ID)).WithHint("coppice resume continues any session")
		}
		call := wake.Call{SessionID: session.ID, Reason: "the user continues it"}
		if len(wakes) > 0 {
			call.WakeID = wakes[0].ID
		}
		return s.Wake(ctx, db, call, opts.json, nil)
	})
}

// wakeDue continues the sessions whose condition holds.
func wakeDue(ctx context.Context, s *term.Shell, opts wakeOptions) error {
	return s.With(ctx, func(db *sqlite.DB) error {
		calls, err := wake.Due(ctx, db, s.Now())
		if err != nil {
			return err
		}
		if len(calls) == 0 && s.ErrIsTerminal { // cron mails what a command prints
			s.Say("no session is due")
		}
		outcomes := []term.RunOutcome{}
		first := s.WakeAll(ctx, db, calls, opts.json, func(o term.RunOutcome) { outcomes = append(outcomes, o) })
		if opts.json {
			if err := s.PrintJSON(outcomes); err != nil {
				return err
			}
		}
		return first
	})
}

func listHibernated(ctx context.Context, s *term.Shell, opts wakeOptions) error {
	return s.With(ctx, func(db *sqlite.DB) error {
		wakes, err := db.Wakes(ctx, "")
		switch {
		case err != nil:
			return err
		case opts.json:
			return s.PrintJSON(lists.NonNil(wakes))
		case len(wakes) == 0:
			s.Say("no session is hibernated")
			return nil
		}
		due, err := wake.Due(ctx, db, s.Now())
		if err != nil {
			return err
		}
		t := present.Table{Columns: []present.Column{{Title: "ID"}, {Title: "NAME", Spare: true}, {Title: "TITLE", Flex: true}, {Title: "UNTIL", Flex: true}, {Title: "STATE"}}}
		for _, w := range wakes {
			session, err := db.Session(ctx, w.SessionID)
			if err != nil {
				return err
			}
			state := ""
			switch {
			case !w.Active:
				state = "not confirmed"
			case slices.ContainsFunc(due, func(c wake.Call) bool { return c.WakeID == w.ID }):
				state = "due"
			}
			t.Add(find.ShortID(ctx, db, session.ID), session.Name, present.SessionTitle(session), conditionOf(ctx, db, w), state)
		}
		return t.Write(s.Out, s.Width)
	})
}
