package cli

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"coppice/app/internal/find"
	"coppice/app/internal/present"
	"coppice/app/term"
	"coppice/backend/core"
	"coppice/backend/sqlite"
	"coppice/backend/wake"
)

type hibernateOptions struct {
	until   string
	changed []string
	done    []string
	confirm bool
}

func newHibernateCmd(s *term.Shell) *cobra.Command {
	var opts hibernateOptions
	cmd := &cobra.Command{
		Use:   "hibernate ID",
		Short: "Hibernate a session until something happens",
		Long: `Hibernate a session: it continues as soon as one of the conditions holds, without a condition only when you continue
it. Conditions are checked by coppice wake --due, by coppice watch --wake while it runs, and by the window while it is
open. The session continues with the agent, model, server, mode and limits that it had.

TIME is 2026-12-24 18:00, 18:00 (the next time it is), a duration from now such as 90m, or an RFC 3339 time. A change
of a folder is a change of anything below it.

Sessions that were imported from AgentZero bring conditions of their own. They count only after --confirm.`,
		Example: `  coppice hibernate 019cbd39-c208 --until 18:00
  coppice hibernate build --when-changed go.mod --when-done 01a202b8`,
		Args: takes("ID"),
		RunE: func(cmd *cobra.Command, args []string) error { return hibernate(cmd.Context(), s, args[0], opts) },
	}
	cmd.Flags().StringVar(&opts.until, "until", "", "continue at this `TIME`")
	cmd.Flags().StringArrayVar(&opts.changed, "when-changed", nil, "continue when the file or folder at `PATH` changes; may be repeated")
	cmd.Flags().StringArrayVar(&opts.done, "when-done", nil, "continue when the session of this `ID` has ended; may be repeated")
	cmd.Flags().BoolVar(&opts.confirm, "confirm", false, "let the conditions that were imported count")
	return cmd
}

func hibernate(ctx context.Context, s *term.Shell, id string, opts hibernateOptions) error {
	return s.With(ctx, func(db *sqlite.DB) error {
		session, err := find.Session(ctx, db, id)
		if err != nil {
			return err
		}
		short := find.ShortID(ctx, db, session.ID)
		if opts.confirm {
			n, err := db.ConfirmWakes(ctx, session.ID, wake.Fingerprint)
			if err != nil {
				return err
			}
			return s.Printf("confirmed %s of %s\n", present.Count(n, "condition"), short)
		}
		wakes, err := opts.wakes(ctx, s, db, session)
		if err != nil {
			return err
		}
		if err := db.Hibernate(ctx, session.ID, wakes); err != nil {
			return err
		}
		words := make([]string, 0, len(wakes))
		for _, w := range wakes {
			words = append(words, conditionOf(ctx, db, w))
		}
		if len(words) == 0 {
			words = []string{"you continue it"}
		}
		return s.Printf("hibernated %s until %s\n", short, strings.Join(words, ", or "))
	})
}

// wakes returns the conditions that the flags describe.
func (o hibernateOptions) wakes(ctx context.Context, s *term.Shell, db *sqlite.DB, session core.Session) ([]core.Wake, error) {
	var wakes []core.Wake
	if o.until != "" {
		at, ok := wake.Moment(o.until, s.Now())
		if !ok {
			return nil, core.E(core.Invalid, "invalid --until %q: want a time such as 2026-12-24 18:00, 18:00 or 90m", o.until)
		}
		wakes = append(wakes, wake.AtTime(at))
	}
	for _, path := range o.changed {
		at, err := filepath.Abs(path)
		if err != nil {
			return nil, core.Wrap(core.Invalid, err, "find %s", path)
		}
		w, err := wake.OnChange(at)
		if err != nil {
			return nil, err
		}
		wakes = append(wakes, w)
	}
	for _, ref := range o.done {
		other, err := find.Session(ctx, db, ref)
		if err != nil {
			return nil, err
		}
		w, err := wake.OnEnd(ctx, db, session.ID, other.ID)
		if err != nil {
			return nil, err
		}
		wakes = append(wakes, w)
	}
	return wakes, nil
}

// conditionOf describes a condition after the word until.
func conditionOf(ctx context.Context, db *sqlite.DB, w core.Wake) string {
	switch w.Kind {
	case core.WakeTime:
		return present.Moment(w.AtMs)
	case core.WakeChange:
		return present.OneLine(w.Path) + " changes"
	case core.WakeDone:
		return "session " + find.ShortID(ctx, db, w.AwaitedID) + " ends"
	case core.WakeMessage:
		return "a message arrives from " + present.OneLine(w.Detail) + ", which Coppice cannot receive"
	default:
		return "you continue it"
	}
}
