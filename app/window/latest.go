package window

import (
	"context"
	"sync"
)

// latest lets only the newest of several calls go on.
type latest struct {
	mu     sync.Mutex
	cancel context.CancelFunc
}

// begin ends the call before. done must be called at the end.
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
