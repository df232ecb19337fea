package engine

import (
	"context"
	"errors"
	"time"

	"coppice/backend/core"
)

const (
	maxRequests = 5 // of one step, with those that the transport repeats
	retries     = 3 // of an answer that broke off
	firstWait   = time.Second
	longestWait = time.Minute // the user decides about a longer one
)

func retryable(err error) bool {
	switch core.CodeOf(err) {
	case core.RateLimit, core.Overloaded, core.Unavailable, core.TruncatedStream:
		return true
	default:
		return false
	}
}

// wait waits before the next retry: as long as the provider asks, or longer each time.
func (r *run) wait(ctx context.Context, cause error, attempt int) error {
	pause := firstWait << attempt
	if e, ok := errors.AsType[*core.Error](cause); ok && e.RetryAfterMs > 0 {
		pause = time.Duration(e.RetryAfterMs) * time.Millisecond
	}
	if pause > longestWait {
		return cause
	}
	r.emit(Event{Type: EventRetry, Err: cause, Text: "trying again in " + pause.String()})
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
