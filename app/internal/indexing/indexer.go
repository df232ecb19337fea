// Package indexing keeps the full-text index up to date in the background.
package indexing

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"coppice/app/internal/guard"
	"coppice/backend/core"
	"coppice/backend/sqlite"
)

// indexRest is how long indexing waits after an error, for example after another program kept the library busy.
const indexRest = 5 * time.Second

// derivedStep is after how many sessions of an older version lists are read again.
const derivedStep = 50

// worthTelling is the number of messages from which the window shows the progress of indexing. Fewer are indexed before
// the user could read it.
const worthTelling = 1000

// Indexer keeps the full-text index up to date while the window is open. It is safe for concurrent use.
type Indexer struct {
	changed func()
	Derived func()        // called after lists show more of sessions that an older version has stored; nil: no one asks
	Woken   chan struct{} // receives a value after another process has written to the library

	mu sync.Mutex
	at core.Progress
}

// New returns an indexer that calls changed after each batch of messages.
func New(changed func()) *Indexer {
	return &Indexer{changed: changed, Woken: make(chan struct{}, 1)}
}

// Wake notifies the indexer that another process has written to the library.
func (x *Indexer) Wake() {
	select {
	case x.Woken <- struct{}{}:
	default:
	}
}

// Keep indexes new messages until ctx ends. It sleeps between writes.
func (x *Indexer) Keep(ctx context.Context, db *sqlite.DB) {
	for ctx.Err() == nil {
		err := guard.Run(func() error { return errors.Join(x.derive(ctx, db), db.Index(ctx, x.report)) })
		x.report(core.Progress{})
		rest := make(<-chan time.Time)
		if err != nil && ctx.Err() == nil {
			slog.Warn("indexing for search", slog.Any("error", err)) // the next attempt may succeed
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

// derive fills in what lists show of sessions that an older version has stored.
func (x *Indexer) derive(ctx context.Context, db *sqlite.DB) error {
	return db.Derive(ctx, func(p core.Progress) {
		if x.Derived != nil && (p.Done%derivedStep == 0 || p.Done == p.Total) {
			x.Derived()
		}
	})
}

func (x *Indexer) report(p core.Progress) {
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

// Progress returns the progress of indexing. The total is 0 if nothing is being indexed.
func (x *Indexer) Progress() core.Progress {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.at
}
