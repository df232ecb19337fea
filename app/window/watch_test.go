package window

import (
	"context"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"coppice/app/internal/apptest"
	"coppice/app/internal/indexing"
	"coppice/app/window/internal/change"
	"coppice/backend/core"
	"coppice/backend/sqlite"
)

// TestWatchLibrary requires that the system reports writes of another process: no step waits until the next regular check.
func TestWatchLibrary(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "coppice.db")
	db := apptest.Must(sqlite.Open(t.Context(), path, sqlite.Options{}))(t)
	defer db.Close()
	other := apptest.Must(sqlite.Open(t.Context(), path, sqlite.Options{}))(t)
	defer other.Close()

	written := watchLog(t.Context(), path)
	if written == nil {
		t.Fatal("the log of an open library is not watched")
	}
	apptest.Must(other.CreateSession(t.Context(), core.Session{Title: "one"}))(t)
	<-written

	var told atomic.Int64
	c := &change.Notifier{Emit: func(string, ...any) { told.Add(1) }}
	x := indexing.New(func() { c.Library(change.Index) })
	ctx, cancel := context.WithCancel(t.Context())
	var watching sync.WaitGroup
	watching.Go(func() { watchLibrary(ctx, db, c, x) })
	defer watching.Wait()
	defer cancel()
	for range 2 {
		before := told.Load()
		soon(t, "another process's session is told", func() bool {
			apptest.Must(other.CreateSession(t.Context(), core.Session{Title: "more"}))(t) // the first write may precede the first check
			return told.Load() > before
		})
	}
	<-x.Woken
}

// TestWatchLogOfNothing requires that watchLog returns nil without a log, so that the caller checks each second.
func TestWatchLogOfNothing(t *testing.T) {
	t.Parallel()
	if watchLog(t.Context(), filepath.Join(t.TempDir(), "none.db")) != nil {
		t.Error("a missing file is watched")
	}
}
