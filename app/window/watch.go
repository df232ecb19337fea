package window

import (
	"context"
	"log/slog"
	"time"

	"github.com/fsnotify/fsnotify"

	"coppice/app/internal/indexing"
	"coppice/app/window/internal/change"
	"coppice/backend/sqlite"
)

// Intervals at which the window checks for writes of other processes. A check costs one pragma. The system reports writes to
// the file; the window then waits watchSettle, so that one check covers several commits. It also checks each minute, or each
// second if the system cannot report writes.
const (
	watchSettle = 200 * time.Millisecond
	watchEvery  = time.Minute
	watchAlone  = time.Second
)

// watchLibrary notifies the window of writes by other processes, such as the command line, until ctx ends.
func watchLibrary(ctx context.Context, db *sqlite.DB, c *change.Notifier, x *indexing.Indexer) {
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
			slog.Warn("looking for changes of others", slog.Any("error", err)) // the next check may succeed
		case last >= 0 && version != last:
			c.All()
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

// watchLog returns a channel that receives a value after a write to the library by any process, until ctx ends. It returns
// nil if the system cannot report writes.
//
// It watches only the write-ahead log, which receives all writes first. On systems that open a file to watch it, such as
// macOS, watching the library itself would release this process's locks when the file is closed:
// https://sqlite.org/howtocorrupt.html 2.2.
func watchLog(ctx context.Context, library string) <-chan struct{} {
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		return nil
	}
	if watcher.Add(library+"-wal") != nil {
		watcher.Close() //nolint:errcheck // no file is watched
		return nil
	}
	written := make(chan struct{}, 1)
	go func() {
		defer watcher.Close() //nolint:errcheck // only events would be lost
		for ctx.Err() == nil {
			select {
			case <-ctx.Done():
				continue
			case <-watcher.Events:
			case <-watcher.Errors: // too many events: there was a write
			}
			select {
			case written <- struct{}{}:
			default:
			}
		}
	}()
	return written
}
