package term

import (
	"context"
	"os"
	"os/signal"
	"slices"
	"sync"
	"syscall"

	"coppice/app/internal/exit"
	"coppice/backend/core"
	"coppice/backend/engine"
)

// signals ends work when the user or the system requests it. The first signal ends a context, so that work in progress
// is finished and written. The second signal ends the program at once. A nil *signals receives nothing.
type signals struct {
	heard chan os.Signal

	mu    sync.Mutex
	all   context.CancelCauseFunc
	part  context.CancelCauseFunc // what an interrupt ends instead of everything; nil: it ends everything
	asked bool                    // a signal was received before
	last  []*func()               // called even if the program ends at once
}

// Listen starts to receive signals. The first signal ends the context: with context.Canceled for an interrupt by the
// user, and with engine.Interrupt if the system ends the program.
func Listen(ctx context.Context) (context.Context, *signals) {
	ctx, cancel := context.WithCancelCause(ctx)
	s := &signals{heard: make(chan os.Signal, 2), all: cancel}
	signal.Notify(s.heard, os.Interrupt, syscall.SIGTERM)
	go func() {
		for one := range s.heard {
			s.take(one)
		}
	}()
	return ctx, s
}

// take handles a signal.
func (s *signals) take(one os.Signal) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.asked {
		for _, f := range slices.Backward(s.last) {
			(*f)()
		}
		os.Exit(exit.Interrupted)
	}
	s.asked = true
	switch {
	case one != os.Interrupt:
		s.all(engine.Interrupt{Reason: core.StopTerminated})
	case s.part != nil:
		s.part(context.Canceled)
	default:
		s.all(context.Canceled)
	}
}

// within returns a context that the first interrupt ends in place of the whole work, until done is called.
func (s *signals) within(ctx context.Context) (within context.Context, done func()) {
	within, cancel := context.WithCancelCause(ctx)
	if s == nil {
		return within, func() { cancel(nil) }
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.part = cancel
	return within, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.part = nil
		if ctx.Err() == nil {
			s.asked = false
		}
		cancel(nil)
	}
}

// finally returns a function that calls f. If the program ends at once before that, f is called then.
func (s *signals) finally(f func()) (done func()) {
	if s == nil {
		return f
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last = append(s.last, &f)
	return func() {
		s.mu.Lock()
		s.last = slices.DeleteFunc(s.last, func(other *func()) bool { return other == &f })
		s.mu.Unlock()
		f()
	}
}

// Stop stops receiving signals.
func (s *signals) Stop() { signal.Stop(s.heard) }
