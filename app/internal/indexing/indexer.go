// Package indexing keeps the index of words up to date in the background.
package indexing

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

// Indexer keeps the index of words up to date while the window is open. It is safe for concurrent use.
type Indexer struct {
	changed func()
	Woken   chan struct{} // holds one where somebody else has written

	mu sync.Mutex
	at core.Progress
}

// New returns an indexer that calls changed after each batch of messages.
func New(changed func()) *Indexer {
	return &Indexer{changed: changed, Woken: make(chan struct{}, 1)}
}

// Wake says that another process has written.
func (x *Indexer) Wake() {
	select {
	case x.Woken <- struct{}{}:
	default:
	}
}

// Keep indexes what is written until ctx ends. It sleeps while nothing is.
func (x *Indexer) Keep(ctx context.Context, db *sqlite.DB) {
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
		case <-x.Woken:
		}
	}
}

func (x *Indexer) tell(p core.Progress) {
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

// Progress returns how far the index is; nothing to do, no total.
func (x *Indexer) Progress() core.Progress {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.at
}
