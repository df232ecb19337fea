package window

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"coppice/app/internal/formats"
	"coppice/app/internal/guard"
	"coppice/app/internal/library"
	"coppice/app/window/internal/change"
	"coppice/backend/core"
	"coppice/backend/importer"
	"coppice/backend/sqlite"
)

// following imports sessions from the folders that the user chose as they change. It is safe for concurrent use.
type following struct {
	changes *change.Notifier
	running sync.WaitGroup

	mu      sync.Mutex
	cancel  context.CancelFunc
	trouble string    // error of the last import; empty if it succeeded
	began   time.Time // first progress of the import that is active; zero if none is active
	at      core.Progress
}

// worthWatching is the duration after which the window shows the progress of an import. Most imports after a change are
// shorter.
const worthWatching = time.Second

// start follows paths instead of the previous ones until ctx ends.
func (f *following) start(ctx context.Context, db *sqlite.DB, paths []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.cancel != nil {
		f.cancel()
	}
	f.cancel, f.trouble, f.began, f.at = nil, "", time.Time{}, core.Progress{}
	if len(paths) == 0 || ctx.Err() != nil {
		return
	}
	ctx, f.cancel = context.WithCancel(ctx)
	follower := importer.Follower{
		Importer: importer.Importer{Library: db, Formats: formats.All(), Progress: func(p core.Progress) { f.advance(ctx, p) }},
		Paths:    paths,
		Report:   f.imported,
	}
	f.running.Go(func() {
		err := guard.Run(func() error {
			follower.Follow(ctx)
			return nil
		})
		if err != nil {
			f.fail(err)
		}
	})
}

// resume follows the folders that the user chose in an earlier session of the window.
func (f *following) resume(ctx context.Context, db *sqlite.DB) {
	paths, _, err := library.FollowedPaths(ctx, db)
	if err != nil {
		f.fail(err)
	}
	f.start(ctx, db, paths)
}

// imported is called after each import. It logs the problems and reports the changes to the window.
func (f *following) imported(report core.Report, err error) {
	for _, p := range report.Problems {
		slog.Warn("following", slog.String("path", p.Path), slog.Int64("line", p.Line), slog.String("problem", p.Message))
	}
	f.fail(err)
	if report.Gone+report.Back > 0 {
		f.changes.All() // the page marks sessions whose file is missing
	} else {
		f.changes.Library(change.List)
	}
	for _, id := range report.Sessions {
		f.changes.Session(id, change.Messages, change.Labels)
	}
}

// advance stores the progress of an import that ends with ctx, and shows it if the import takes long, as the first one may.
func (f *following) advance(ctx context.Context, p core.Progress) {
	f.mu.Lock()
	if ctx.Err() != nil {
		f.mu.Unlock()
		return // the paths were replaced
	}
	before := f.at
	switch {
	case p.Done == p.Total:
		f.began, f.at = time.Time{}, core.Progress{}
	case f.began.IsZero():
		f.began = time.Now()
	case time.Since(f.began) >= worthWatching:
		f.at = p
	}
	shown := before != f.at
	f.mu.Unlock()
	if shown {
		f.changes.Library(change.Following, change.List)
	}
}

// fail stores the error of an import, or nil if it succeeded. In both cases the import has ended.
func (f *following) fail(err error) {
	f.mu.Lock()
	before, far := f.trouble, f.at
	f.trouble, f.began, f.at = "", time.Time{}, core.Progress{}
	if err != nil {
		f.trouble = err.Error()
		slog.Warn("following", slog.Any("error", err))
	}
	changed := before != f.trouble || far != f.at
	f.mu.Unlock()
	if changed {
		f.changes.Library(change.Following)
	}
}

// state returns the progress of a long import, and the error of the last one; empty if it succeeded.
func (f *following) state() (core.Progress, string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.at, f.trouble
}

// wait waits until no import is active. The context must have ended.
func (f *following) wait() { f.running.Wait() }
