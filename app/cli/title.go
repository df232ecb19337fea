package cli

import (
	"cmp"
	"context"
	"slices"

	"github.com/spf13/cobra"

	"coppice/app/internal/find"
	"coppice/app/term"
	"coppice/backend/core"
	"coppice/backend/launch"
	"coppice/backend/sqlite"
)

type titleOptions struct {
	ids     []string
	model   string
	baseURL string
	yes     bool
	json    bool
}

func newTitleCmd(s *term.Shell) *cobra.Command {
	var opts titleOptions
	cmd := &cobra.Command{
		Use:   "title --model PROVIDER/MODEL [ID…]",
		Short: "Let a model write the titles of sessions",
		Long: `Let a model write the titles of sessions: of those named, else of all whose title Coppice has derived. The model is sent the
beginnings of the first prompts and of the last answer, and the names of changed files. The estimated cost is printed first, and you are
asked; without a terminal add --yes. A title of your own is never replaced, and a later import keeps what a model wrote.

Conversations of a server that you named with --base-url are left out unless you name the session or that server.`,
		Example: `  coppice title --model anthropic/claude-haiku-4-5
  coppice title --model ollama/llama3.2 --yes 019cbd39-c208`,
		Args: func(cmd *cobra.Command, args []string) error {
			if opts.model == "" {
				return usageError(cmd, core.E(core.Invalid, "title needs --model").WithHint(`Choose one, see "coppice models"`))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.ids = args
			return writeTitles(cmd.Context(), s, opts)
		},
	}
	cmd.Flags().StringVar(&opts.model, "model", "", "`PROVIDER/MODEL` that writes them")
	cmd.Flags().StringVar(&opts.baseURL, "base-url", "", "the `URL` of a server, in place of the provider's")
	cmd.Flags().BoolVar(&opts.yes, "yes", false, "do not ask")
	cmd.Flags().BoolVar(&opts.json, "json", false, "print JSON: id, title, former and costNanoUsd of each")
	return cmd
}

func writeTitles(ctx context.Context, s *term.Shell, opts titleOptions) error {
	return s.With(ctx, func(db *sqlite.DB) error {
		request := launch.TitleRequest{Model: opts.model, BaseURL: opts.baseURL, Named: len(opts.ids) > 0}
		var err error
		if request.Sessions, err = sessionsToTitle(ctx, s, db, opts.ids); err != nil {
			return err
		}
		return s.WriteTitles(ctx, db, request, opts.yes, opts.json)
	})
}

// sessionsToTitle returns the sessions that are named, else those with a derived title.
func sessionsToTitle(ctx context.Context, s *term.Shell, db *sqlite.DB, ids []string) ([]core.Session, error) {
	if len(ids) > 0 {
		return find.Sessions(ctx, db, ids)
	}
	if err := s.Derive(ctx, db); err != nil {
		return nil, err
	}
	sessions, err := db.Sessions(ctx, core.SessionFilter{})
	return slices.DeleteFunc(sessions, func(one core.Session) bool {
		return cmp.Or(one.TitleOrigin, core.TitleDerived) != core.TitleDerived
	}), err
}
