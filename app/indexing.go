package app

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"coppice/app/internal/guard"

	"coppice/backend/core"
	"coppice/backend/sqlite"
)

// indexRest is how long the window leaves the index alone after an error, such as a library that others keep busy.
const indexRest = 5 * time.Second

// worthTelling is from how many messages on the window says that it indexes: fewer are done before it could.
const worthTelling = 1000

// indexing keeps the index of words up to date while the window is open. It is safe for concurrent use.
type indexing struct {
	changed func()
	woken   chan struct{} // holds one where somebody else has written

	mu sync.Mutex
	at core.Progress
}

func newIndexing(changed func()) *indexing {
	return &indexing{changed: changed, woken: make(chan struct{}, 1)}
}

// wake says that another process has written.
func (x *indexing) wake() {
	select {
	case x.woken <- struct{}{}:
	default:
	}
}

// keep indexes what is written until ctx ends. It sleeps while nothing is.
func (x *indexing) keep(ctx context.Context, db *sqlite.DB) {
	for ctx.Err() == nil {
		err := guard.Run(func() error { return db.Index(ctx, x.tell) })
		x.tell(core.Progress{})
		rest := make(<-chan time.Time)
		if err != nil && ctx.Err() == nil {
			slog.Warn("indexing for search", slog.Any("error", err)) // the next try may succeed
			rest = time.After(indexRest)
		}
		select {
		case <-ctx.Done():
		case <-rest:
		case <-db.Written():
		case <-x.woken:
		}
	}
}

func (x *indexing) tell(p core.Progress) {
	x.mu.Lock()
	before := x.at
	if p.Total < worthTelling {
		p = core.Progress{}
	}
	x.at = p
	x.mu.Unlock()
	if before != p {
		x.changed()
	}
}

// progress returns how far the index is; nothing to do, no total.
func (x *indexing) progress() core.Progress {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.at
}
