package window

import (
	"context"
	"log/slog"
	"time"

	"coppice/app/internal/indexing"

	"github.com/fsnotify/fsnotify"

	"coppice/backend/sqlite"
)

// The times at which the window looks whether another process has written, which costs one pragma. The system wakes it when the
// file is written to, and several commits are one look; once a minute it looks anyway, and where the system tells nothing, each second.
const (
	watchSettle = 200 * time.Millisecond
	watchEvery  = time.Minute
	watchAlone  = time.Second
)

// watchLibrary tells the window when another process has written, such as the command line, until ctx ends.
func watchLibrary(ctx context.Context, db *sqlite.DB, c *changes, x *indexing.Indexer) {
	last := int64(-1)
	written, every := watchLog(ctx, db.FilePath()), watchEvery
	if written == nil {
		every = watchAlone
	}
	for ticker := time.NewTicker(every); ; {
		version, err := db.DataVersion(ctx)
		switch {
		case ctx.Err() != nil:
			ticker.Stop()
			return
		case err != nil:
			slog.Warn("looking for changes of others", slog.Any("error", err)) // the next look may succeed
		case last >= 0 && version != last:
			c.tellAll()
			x.Wake()
			fallthrough
		default:
			last = version
		}
		select {
		case <-ctx.Done():
		case <-ticker.C:
		case <-written:
			select {
			case <-ctx.Done():
			case <-time.After(watchSettle):
			}
		}
	}
}

// watchLog returns a channel that holds one after anybody has written to a library, until ctx ends; nil where the system cannot tell.
//
// Only the write-ahead log is watched: all that is written stands there first. Where watching a file means opening it, as on
// macOS, closing it again would take away this process's locks on the library itself, https://sqlite.org/howtocorrupt.html 2.2.
func watchLog(ctx context.Context, library string) <-chan struct{} {
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		return nil
	}
	if watcher.Add(library+"-wal") != nil {
		watcher.Close() //nolint:errcheck // it watched nothing
		return nil
	}
	written := make(chan struct{}, 1)
	go func() {
		defer watcher.Close() //nolint:errcheck // nothing is lost
		for ctx.Err() == nil {
			select {
			case <-ctx.Done():
				continue
			case <-watcher.Events:
			case <-watcher.Errors: // more came than it could keep
			}
			select {
			case written <- struct{}{}:
			default:
			}
		}
	}()
	return written
}
