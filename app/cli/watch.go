package cli

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"coppice/app/internal/formats"
	"coppice/app/internal/indexing"
	"coppice/app/internal/library"
	"coppice/app/internal/memory"
	"coppice/app/internal/mirror"
	"coppice/app/internal/present"
	"coppice/app/term"
	"coppice/backend/core"
	"coppice/backend/importer"
	"coppice/backend/sqlite"
	"coppice/backend/wake"
)

type watchOptions struct {
	paths []string
	json  bool
	wake  bool
}

func newWatchCmd(s *term.Shell) *cobra.Command {
	var opts watchOptions
	cmd := &cobra.Command{
		Use:   "watch [PATH…]",
		Short: "Import what other tools write, as they write it",
		Long: `Follow files and folders until you end it, and import what is new there within a second. Nothing
is ever written there, and what is deleted there stays in the library.

Without a PATH it follows the folders chosen in the settings of the window, else every known location
on this machine. It also makes the daily backup, and updates the folder of coppice mirror. Ctrl+C ends it with success.

--wake also continues hibernated sessions whose condition holds, one after the other, see coppice hibernate. Their
answers go to stdout.

--json prints a line of JSON for each import that found something, and for each session that was continued.`,
		Args: func(*cobra.Command, []string) error { return nil },
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.paths = args
			return watchLocations(cmd.Context(), s, opts)
		},
	}
	cmd.Flags().BoolVar(&opts.wake, "wake", false, "continue hibernated sessions whose condition holds")
	cmd.Flags().BoolVar(&opts.json, "json", false, "print JSON")
	return cmd
}

func watchLocations(ctx context.Context, s *term.Shell, opts watchOptions) error {
	if err := formats.CheckPaths(opts.paths); err != nil {
		return err
	}
	return s.With(ctx, func(db *sqlite.DB) error {
		paths, err := foldersToWatch(ctx, db, opts.paths)
		if opts.wake && core.CodeOf(err) == core.Invalid {
			paths, err = nil, nil // it waits for sessions only
		}
		if err != nil {
			return err
		}
		for _, path := range paths {
			s.Say("following %s", path)
		}
		ctx, cancel := context.WithCancel(ctx)
		var background sync.WaitGroup
		defer background.Wait()
		defer cancel()
		background.Go(func() { indexing.New(func() {}).Keep(ctx, db) })
		if db.Refusal() == nil {
			background.Go(func() { library.BackUpDaily(ctx, db, 0, s.SayNoBackup) })
			background.Go(func() { mirror.Keep(ctx, db, func(err error) { s.Say("coppice: %s", present.OneLine(err.Error())) }) })
		}
		if opts.wake {
			background.Go(func() { wakeWhileWatching(ctx, s, db, opts.json) })
		}
		return followPaths(ctx, s, db, paths, opts.json)
	})
}

// wakeWhileWatching continues sessions that are due until ctx ends.
func wakeWhileWatching(ctx context.Context, s *term.Shell, db *sqlite.DB, asJSON bool) {
	alone := *s
	alone.Prompter = nil // a question would wait for a user who only watches
	watcher := wake.Watcher{
		Library: db, Now: s.Now, Sweep: func(ctx context.Context) { library.Sweep(ctx, db) }, Failed: func(err error) { s.Say("coppice: %s", present.OneLine(err.Error())) },
		Start: func(ctx context.Context, call wake.Call) error {
			return alone.WakeAll(ctx, db, []wake.Call{call}, asJSON, nil)
		},
	}
	watcher.Watch(ctx)
}

// foldersToWatch returns the named folders, else the folders that the user chose to follow, else the known locations.
func foldersToWatch(ctx context.Context, db *sqlite.DB, named []string) ([]string, error) {
	if len(named) > 0 {
		return named, nil
	}
	paths, chosen, err := library.FollowedPaths(ctx, db)
	if err != nil {
		return nil, err
	}
	if !chosen {
		facets, err := db.Facets(ctx)
		if err != nil {
			return nil, err
		}
		for _, place := range formats.KnownLocations(formats.Workspaces(facets)) {
			if !slices.Contains(paths, place.Path) { // two tools can share a folder
				paths = append(paths, place.Path)
			}
		}
	}
	if len(paths) == 0 {
		return nil, core.E(core.Invalid, "nothing to follow").
			WithHint("name a folder, or choose what to follow in the settings of the window")
	}
	return paths, nil
}

// followPaths follows paths until ctx ends. It returns an error only if its output can no longer be written.
func followPaths(ctx context.Context, s *term.Shell, db *sqlite.DB, paths []string, asJSON bool) error {
	line := term.NewProgressLine(s.Terminal)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	memory.Spare()
	follower := importer.Follower{
		Importer: importer.Importer{Library: db, Formats: formats.All(), Progress: line.Show},
		Paths:    paths,
		Report: func(report core.Report, err error) {
			line.Clear()
			if err != nil {
				s.Say("coppice: %s", present.OneLine(err.Error()))
			}
			if err := printLook(ctx, s, db, report, asJSON); err != nil {
				cancel(err)
			}
		},
	}
	follower.Follow(ctx)
	line.Clear()
	if err := context.Cause(ctx); core.CodeOf(err) != core.Canceled {
		return err
	}
	return nil
}

// namedSessions is the maximum number of imported sessions that are printed one by one.
const namedSessions = 10

// printLook prints the result of an import while following: a line for each session, or only the numbers if there are
// many.
func printLook(ctx context.Context, s *term.Shell, db *sqlite.DB, report core.Report, asJSON bool) error {
	if asJSON || len(report.Sessions) > namedSessions {
		return printReport(s, report, asJSON)
	}
	sayGone(s, report)
	sayProblems(s, report.Problems)
	for _, id := range report.Sessions {
		session, err := db.Session(ctx, id)
		if err != nil {
			return err
		}
		short, err := db.ShortIDs(ctx, id)
		if err != nil {
			return err
		}
		at := s.Now().Format(time.TimeOnly)
		if err := s.Printf("%s  %s  %s (%s)\n", at, short[0], present.SessionTitle(session), present.Count(session.MessageCount, "message")); err != nil {
			return err
		}
	}
	return nil
}
