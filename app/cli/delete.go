package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"coppice/app/internal/find"
	"coppice/app/internal/present"
	"coppice/app/term"
	"coppice/backend/core"
	"coppice/backend/lists"
	"coppice/backend/sqlite"
)

type deleteOptions struct {
	ids     []string
	status  string
	sources []string
	yes     bool
	purge   bool
}

func newDeleteCmd(s *term.Shell) *cobra.Command {
	var opts deleteOptions
	cmd := &cobra.Command{
		Use:   "delete [ID…]",
		Short: "Move sessions to the trash",
		Long: `Move sessions to the trash: those named, or with --status all of that status, of every tool or those of --source.
Pinned sessions are left out then. It asks before it moves sessions by their status; without a terminal it needs --yes.`,
		Example: `  coppice delete 019cbd39-c208
  coppice delete --status success --source fuseraft --yes --purge`,
		Args: func(cmd *cobra.Command, args []string) error {
			if opts.status != "" {
				return takes()(cmd, args)
			}
			if len(opts.sources) > 0 {
				return usageError(cmd, core.E(core.Invalid, "--source needs --status"))
			}
			return takes("ID…")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.ids = args
			return deleteSessions(cmd.Context(), s, opts)
		},
	}
	cmd.Flags().StringVar(&opts.status, "status", "", "all sessions of this `STATUS`: "+lists.Join(core.Statuses()))
	cmd.Flags().StringArrayVar(&opts.sources, "source", nil, "with --status, only those of this `TOOL`; may be repeated")
	cmd.Flags().BoolVar(&opts.yes, "yes", false, "with --status, do not ask")
	cmd.Flags().BoolVar(&opts.purge, "purge", false, "remove them for good")
	return cmd
}

func deleteSessions(ctx context.Context, s *term.Shell, opts deleteOptions) error {
	filter, err := opts.filter()
	if err != nil {
		return err
	}
	return s.With(ctx, func(db *sqlite.DB) error {
		sessions, err := find.Sessions(ctx, db, opts.ids)
		if opts.status != "" {
			sessions, err = sessionsToDelete(ctx, s, db, filter, opts)
		}
		if err != nil {
			return err
		}
		var fresh []core.Session
		for _, session := range sessions {
			if session.DeletedAtMs == 0 {
				fresh = append(fresh, session)
			}
		}
		if len(fresh) > 0 {
			if err := db.Trash(ctx, find.IDs(fresh)); err != nil {
				return err
			}
		}
		if opts.purge && len(sessions) > 0 {
			return purge(ctx, s, db, find.IDs(sessions))
		}
		return s.Printf("moved %s to the trash\n", present.Count(int64(len(fresh)), "session"))
	})
}

// filter returns what --status and --source select.
func (o deleteOptions) filter() (core.SessionFilter, error) {
	if o.status == "" {
		return core.SessionFilter{}, nil
	}
	filter, err := sessionsOptions{status: o.status}.filter()
	if err == nil {
		filter.Sources, err = sourcesOf(o.sources)
	}
	return filter, err
}

// sessionsToDelete returns the sessions that a filter selects, if the user agrees.
func sessionsToDelete(ctx context.Context, s *term.Shell, db *sqlite.DB, filter core.SessionFilter, opts deleteOptions) ([]core.Session, error) {
	sessions, err := db.Sessions(ctx, filter)
	if err != nil {
		return nil, err
	}
	sessions = slices.DeleteFunc(sessions, func(one core.Session) bool { return one.PinnedAtMs != 0 })
	if len(sessions) == 0 || opts.yes {
		return sessions, nil
	}
	action := "Move " + present.Count(int64(len(sessions)), "session") + " to the trash"
	if opts.purge {
		action = "Remove " + present.Count(int64(len(sessions)), "session") + " for good"
	}
	if s.Prompter == nil {
		return nil, core.E(core.Unconfirmed, "delete %s: not confirmed", present.Count(int64(len(sessions)), "session")).WithHint("add --yes")
	}
	word, err := s.Prompter.Ask(ctx, action+"?  [y] yes  [n] no: ")
	if word = strings.ToLower(strings.TrimSpace(word)); err != nil || word != "y" && word != "yes" {
		return nil, core.E(core.Canceled, "nothing was deleted")
	}
	return sessions, nil
}

// purge permanently removes sessions that are in the trash.
func purge(ctx context.Context, s *term.Shell, db *sqlite.DB, ids []string) error {
	removed, err := db.Purge(ctx, ids)
	if err != nil {
		return err
	}
	return s.Printf("removed %s for good\n", present.Count(removed, "session"))
}
