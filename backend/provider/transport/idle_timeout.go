package transport

import (
	"context"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"coppice/backend/core"
)

// DefaultIdle is how long a server may send nothing before a call ends. A model that reasons sends pings or pieces.
const DefaultIdle = 5 * time.Minute

// mostBytes limits an answer as it is sent; a piece of a few letters is an event of about 300 bytes.
const mostBytes = 2 << 30

// Guard is a round tripper that ends a call whose server is silent for too long or sends without end. Comments in a
// stream of events, such as those that proxies send to keep connections open, count as silence. It may be used by
// several goroutines.
type Guard struct {
	Next http.RoundTripper // nil: http.DefaultTransport
	Idle time.Duration     // 0: DefaultIdle
	Most int64             // bytes of an answer; 0: 2 GiB
	// After calls f when the time is over, unless the returned timer is stopped or reset. nil: time.AfterFunc.
	After func(d time.Duration, f func()) Timer
}

// Timer is the part of time.Timer that Guard needs.
type Timer interface {
	Reset(d time.Duration) bool
	Stop() bool
}

// RoundTrip sends the call and watches its answer until the answer is closed.
func (g *Guard) RoundTrip(request *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(request.Context())
	idle := g.idle()
	silent := core.E(core.Timeout, "the server sent nothing for %v", idle).
		WithHint("Try again, or set a longer idle_timeout in the configuration")
	timer := g.after(idle, func() { cancel(silent) })
	response, err := g.next().RoundTrip(request.WithContext(ctx))
	if err != nil {
		timer.Stop()
		err = reason(ctx, err)
		cancel(nil)
		return nil, err
	}
	timer.Reset(idle)
	response.Body = &watched{
		body: response.Body, ctx: ctx, cancel: cancel, timer: timer, idle: idle, left: g.most(), atStart: true,
		events: strings.HasPrefix(response.Header.Get("Content-Type"), "text/event-stream"),
	}
	return response, nil
}

func (g *Guard) next() http.RoundTripper {
	if g.Next == nil {
		return http.DefaultTransport
	}
	return g.Next
}

func (g *Guard) idle() time.Duration {
	if g.Idle == 0 {
		return DefaultIdle
	}
	return g.Idle
}

func (g *Guard) most() int64 {
	if g.Most == 0 {
		return mostBytes
	}
	return g.Most
}

func (g *Guard) after(d time.Duration, f func()) Timer {
	if g.After == nil {
		return time.AfterFunc(d, f)
	}
	return g.After(d, f)
}

// reason returns why the guard ended a call, or the call's own error.
func reason(ctx context.Context, err error) error {
	if e, ok := context.Cause(ctx).(*core.Error); ok && e.Code == core.Timeout { //nolint:errorlint // it is the guard's own
		return e
	}
	return err
}

// watched is the body of an answer.
type watched struct {
	body   io.ReadCloser
	ctx    context.Context
	cancel context.CancelCauseFunc
	timer  Timer
	idle   time.Duration
	left   int64

	events  bool // whether it is a stream of events, in which lines that begin with a colon are comments
	atStart bool // at the start of a line
	comment bool // within a comment
	closing sync.Once
}

// Read reads from the body, and restarts the timer when content has arrived.
func (w *watched) Read(p []byte) (int, error) {
	if w.left <= 0 {
		return 0, core.E(core.Invalid, "the answer is too long")
	}
	n, err := w.body.Read(p[:min(int64(len(p)), w.left)])
	w.left -= int64(n)
	if w.says(p[:n]) {
		w.timer.Reset(w.idle)
	}
	if err != nil && err != io.EOF { //nolint:errorlint // a reader returns io.EOF itself
		err = reason(w.ctx, err)
	}
	return n, err
}

// says reports whether a piece holds more than comments and white space.
func (w *watched) says(piece []byte) (something bool) {
	for _, c := range piece {
		switch {
		case c == '\n' || c == '\r':
			w.atStart, w.comment = true, false
		case w.atStart && w.events && c == ':':
			w.atStart, w.comment = false, true
		default:
			w.atStart = false
			something = something || !w.comment && c != ' ' && c != '\t'
		}
	}
	return something
}

// Close ends the call.
func (w *watched) Close() error {
	w.closing.Do(func() {
		w.timer.Stop()
		w.cancel(nil)
	})
	return w.body.Close()
}
