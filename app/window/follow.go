package window

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"coppice/app/internal/formats"
	"coppice/app/internal/library"

	"coppice/app/internal/guard"

	"coppice/backend/core"
	"coppice/backend/importer"
	"coppice/backend/sqlite"
)

// following keeps the window's library in step with the places that the person chose. It is safe for concurrent use.
type following struct {
	changes *changes
	running sync.WaitGroup

	mu      sync.Mutex
	cancel  context.CancelFunc
	trouble string    // what the last look failed with
	began   time.Time // when the look that is under way told of itself first; zero: there is none
	at      core.Progress
}

// worthWatching is how long a look takes before the window shows how far it is: those that follow a change are over before.
const worthWatching = time.Second

// start follows places in place of those before, until ctx ends.
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
		Places:   paths,
		Told:     f.told,
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

// resume follows what was chosen before.
func (f *following) resume(ctx context.Context, db *sqlite.DB) {
	paths, _, err := library.FollowedPaths(ctx, db)
	if err != nil {
		f.fail(err)
	}
	f.start(ctx, db, paths)
}

// told passes on what a look brought.
func (f *following) told(report core.Report, err error) {
	for _, p := range report.Problems {
		slog.Warn("following", slog.String("path", p.Path), slog.Int64("line", p.Line), slog.String("problem", p.Message))
	}
	f.fail(err)
	if report.Gone+report.Back > 0 {
		f.changes.tellAll() // one on screen may be marked
	} else {
		f.changes.tell(changedLibrary)
	}
	for _, id := range report.Sessions {
		f.changes.tell(id)
	}
}

// advance takes in how far a look is that ends with ctx, and shows it where the look is long, as the first one may be.
func (f *following) advance(ctx context.Context, p core.Progress) {
	f.mu.Lock()
	if ctx.Err() != nil {
		f.mu.Unlock()
		return // another one has begun
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
		f.changes.tell(changedFollowing)
		f.changes.tell(changedLibrary)
	}
}

// fail remembers why nothing is followed just now; nil: all is well. Either way the look is over.
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
		f.changes.tell(changedFollowing)
	}
}

// state says how far a long look is, and why nothing comes in just now; empty: all is well.
func (f *following) state() (core.Progress, string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.at, f.trouble
}

// wait returns when nothing is read any more; the context must have ended.
func (f *following) wait() { f.running.Wait() }
