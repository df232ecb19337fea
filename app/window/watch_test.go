package window

import (
	"context"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"coppice/app/internal/indexing"

	"coppice/app/internal/apptest"
	"coppice/backend/core"
	"coppice/backend/sqlite"
)

// What another process writes is told because the system says so: nothing here waits as long as until the next regular look.
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
	c := &changes{emit: func(string, ...any) { told.Add(1) }}
	x := indexing.New(func() { c.tell(changedIndex) })
	ctx, cancel := context.WithCancel(t.Context())
	var watching sync.WaitGroup
	watching.Go(func() { watchLibrary(ctx, db, c, x) })
	defer watching.Wait()
	defer cancel()
	for range 2 {
		before := told.Load()
		soon(t, "another process's session is told", func() bool {
			apptest.Must(other.CreateSession(t.Context(), core.Session{Title: "more"}))(t) // the first may come before the first look
			return told.Load() > before
		})
	}
	<-x.Woken
}

// Without a log, as where a library is kept in another way, nothing is promised: the caller looks each second.
func TestWatchLogOfNothing(t *testing.T) {
	t.Parallel()
	if watchLog(t.Context(), filepath.Join(t.TempDir(), "none.db")) != nil {
		t.Error("a file that is not there is watched")
	}
}
