package wake

import (
	"context"
	"time"
)

// The times of watching. A session that could not be started is tried again later: the reason may pass.
const (
	checkEvery = 5 * time.Second
	retryAfter = 10 * time.Minute
)

// Watcher starts sessions as soon as their conditions hold.
type Watcher struct {
	Library Library
	Now     func() time.Time
	// Sweep marks the runs whose process has ended, before each check. Until then their sessions count as running.
	Sweep func(context.Context)
	// Start continues a session. The next session waits until it returns.
	Start func(ctx context.Context, call Call) error
	// Failed is called with the error of a check.
	Failed func(error)

	every time.Duration        // between two checks; 0: checkEvery
	tried map[string]time.Time // when to try again a condition whose session could not be started
}

// Watch checks the conditions until ctx ends.
func (w *Watcher) Watch(ctx context.Context) {
	every := w.every
	if every == 0 {
		every = checkEvery
	}
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	w.tried = map[string]time.Time{}
	for {
		w.check(ctx)
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// check starts the sessions that are due.
func (w *Watcher) check(ctx context.Context) {
	w.Sweep(ctx)
	calls, err := Due(ctx, w.Library, w.Now())
	if err != nil && ctx.Err() == nil {
		w.Failed(err)
	}
	for _, call := range calls {
		if ctx.Err() != nil {
			return
		}
		if again, failed := w.tried[call.WakeID]; failed && w.Now().Before(again) {
			continue
		}
		if err := w.Start(ctx, call); err != nil {
			w.tried[call.WakeID] = w.Now().Add(retryAfter)
		}
	}
}
