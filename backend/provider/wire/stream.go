package wire

import (
	"context"
	"errors"
	"io"
	"iter"
	"time"

	"coppice/backend/core"
	"coppice/backend/provider/failure"
)

const (
	drainBytes = 1 << 14                // what is read after the end of an answer, so that its connection can be used again
	drainTime  = 100 * time.Millisecond // and for how long
)

// Answer builds a message from the events of a stream.
type Answer interface {
	// Take adds an event and returns the pieces that it adds to the answer. An error that is not a core.Error ends the
	// answer as one that broke off.
	Take(e Event) ([]core.StreamEvent, error)
	// Ended reports whether nothing can follow.
	Ended() bool
	// Whole reports whether the protocol's own end of an answer has arrived.
	Whole() bool
	// Message returns the whole message.
	Message() *core.Message
	// Partial returns the text and the reasoning of an answer that broke off.
	Partial() *core.Message
}

// Stream calls a model and yields its answer, see core.StreamEvent. open sends the call; the answer that it returns is
// never nil.
func Stream(ctx context.Context, call failure.Call, open func(context.Context) (Answer, *Reader, error)) iter.Seq2[core.StreamEvent, error] {
	return func(yield func(core.StreamEvent, error) bool) {
		own, cancel := context.WithCancel(ctx)
		defer cancel()
		a, events, err := open(own)
		if err != nil {
			yield(aborted(ctx, call, a, err))
			return
		}
		defer events.Close() //nolint:errcheck // it is read to its end, or given up
		err = follow(ctx, call, a, events, yield)
		switch {
		case errors.Is(err, errStopped):
		case err != nil:
			yield(aborted(ctx, call, a, err))
		default:
			yield(core.StreamEvent{Type: core.StreamDone, Message: a.Message()}, nil)
			events.drain(cancel)
		}
	}
}

// errStopped is the error of a call whose caller wants no more events.
var errStopped = errors.New("the caller stopped")

// follow yields the pieces of an answer until its end. It returns nil only if the answer is complete.
func follow(ctx context.Context, call failure.Call, a Answer, events *Reader, yield func(core.StreamEvent, error) bool) error {
	for !a.Ended() {
		e, err := events.Next()
		switch {
		case err != nil && a.Whole():
			return nil // only what follows the answer is missing, such as its usage
		case errors.Is(err, io.EOF):
			return call.Cut(ctx, nil)
		case err != nil:
			return call.Cut(ctx, err)
		}
		pieces, err := a.Take(e)
		for _, piece := range pieces {
			if !yield(piece, nil) {
				return errStopped
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// aborted returns the last event of an answer that broke off.
func aborted(ctx context.Context, call failure.Call, a Answer, err error) (core.StreamEvent, error) {
	failed, ok := errors.AsType[*core.Error](err)
	if !ok {
		failed = call.Cut(ctx, err)
	}
	m := a.Partial()
	m.FinishReason, m.Error = core.FinishError, failed.Error()
	if failed.Code == core.Canceled {
		m.FinishReason = core.FinishAborted
	}
	return core.StreamEvent{Type: core.StreamAborted, Message: m}, failed
}

// drain reads the rest after the end of an answer, usually only the end marker.
func (r *Reader) drain(cancel context.CancelFunc) {
	timer := time.AfterFunc(drainTime, cancel)
	defer timer.Stop()
	_, _ = io.CopyN(io.Discard, r.source, drainBytes) // a failure only costs the connection
}
