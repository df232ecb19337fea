package window

import (
	"context"
	"sync"
)

// latest runs only the newest of several calls to the end.
type latest struct {
	mu     sync.Mutex
	cancel context.CancelFunc
}

// begin cancels the previous call. The caller must call done at its end.
func (l *latest) begin(ctx context.Context) (_ context.Context, done func()) {
	ctx, cancel := context.WithCancel(ctx)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cancel != nil {
		l.cancel()
	}
	l.cancel = cancel
	return ctx, cancel
}
