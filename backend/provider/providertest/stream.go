package providertest

import (
	"context"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"coppice/backend/core"
	"coppice/backend/provider/transport"
)

// Model is the client of a provider.
type Model interface {
	Stream(ctx context.Context, r core.Request) iter.Seq2[core.StreamEvent, error]
}

// Serve starts a server for the duration of a test, and returns its address and a client that retries without waiting.
// Recorded compares its requests.
func Serve(t testing.TB, h http.Handler) (baseURL string, client *http.Client) {
	t.Helper()
	server := httptest.NewServer(Recorded(t, h))
	t.Cleanup(server.Close)
	return server.URL, &http.Client{Transport: &transport.Retry{
		Sleep: func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
	}}
}

// Says is a transport that answers every call with the same stream.
type Says string

// RoundTrip implements http.RoundTripper.
func (s Says) RoundTrip(r *http.Request) (*http.Response, error) {
	header := http.Header{"Content-Type": {"text/event-stream"}}
	return &http.Response{StatusCode: http.StatusOK, Header: header, Body: io.NopCloser(strings.NewReader(string(s))), Request: r}, nil
}

// User returns a message of the user.
func User(text string) core.Message {
	return core.Message{Role: core.RoleUser, Parts: []core.Part{{Type: core.PartText, Text: text}}}
}

// Run reads an answer to its end, and checks that it ends as core.StreamEvent requires.
func Run(t testing.TB, m Model, r core.Request) ([]core.StreamEvent, *core.Message, error) {
	t.Helper()
	var events []core.StreamEvent
	var last *core.Message
	var failure error
	for e, err := range m.Stream(t.Context(), r) {
		if last != nil {
			t.Fatalf("event %+v after the last", e)
		}
		if (e.Type == core.StreamAborted) != (err != nil) {
			t.Fatalf("event %+v with error %v", e, err)
		}
		if last, failure = e.Message, err; last == nil {
			events = append(events, e)
		}
	}
	if last == nil {
		t.Fatal("the stream ended without a last event")
	}
	return events, last, failure
}

// Must calls Run for an answer that must be complete.
func Must(t testing.TB, m Model, r core.Request) *core.Message {
	t.Helper()
	_, answer, err := Run(t, m, r)
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

// CheckPartial checks that an answer that broke off has only text and reasoning, and nothing that a provider signed.
func CheckPartial(t testing.TB, m *core.Message) {
	t.Helper()
	for _, p := range m.Parts {
		if p.Text == "" || p.Native != nil || p.Type != core.PartText && p.Type != core.PartReasoning {
			t.Fatalf("part of an answer that broke off: %+v", p)
		}
	}
}

// CheckWhatever checks that any stream ends in a message with complete calls or in an error.
func CheckWhatever(t testing.TB, m Model, r core.Request) {
	t.Helper()
	events, answer, err := Run(t, m, r)
	if err != nil {
		CheckPartial(t, answer)
		return
	}
	for i, p := range answer.Parts {
		if p.Type == core.PartToolCall && p.Arguments != nil && (p.Arguments[0] != '{' || p.Text != "") {
			t.Errorf("part %d: %+v", i, p)
		}
	}
	for _, e := range events {
		if e.Index >= len(answer.Parts) {
			t.Errorf("event %+v is of no part", e)
		}
	}
}

// CheckLeave checks that a call ends, and its connection with it, if its caller cancels, runs out of time or stops
// reading. The server hangs in each of three answers, after a piece of reasoning; path is the end of the call's
// address, because the client may make other calls.
func CheckLeave(t *testing.T, hanging http.Handler, path string, connect func(http.Handler) Model, r core.Request) {
	t.Helper()
	left := make(chan bool, 1)
	m := connect(http.HandlerFunc(func(w http.ResponseWriter, call *http.Request) {
		hanging.ServeHTTP(w, call)
		if strings.HasSuffix(call.URL.Path, path) {
			left <- true
		}
	}))
	for name, code := range map[string]core.Code{"cancel": core.Canceled, "timeout": core.Timeout, "break": ""} {
		ctx, cancel := context.WithCancel(t.Context())
		leave := cancel
		if name == "timeout" {
			late := expiring{Context: ctx, over: make(chan struct{})}
			ctx, leave = late, sync.OnceFunc(func() { close(late.over) })
		}
		var last error
		for e, err := range m.Stream(ctx, r) {
			if last = err; e.Type != core.StreamReasoning {
				continue
			}
			if name == "break" {
				break
			}
			leave()
		}
		if core.CodeOf(last) != code {
			t.Errorf("%s: %v", name, last)
		}
		<-left
		cancel()
	}
}

// expiring is a context whose deadline passes when over is closed. A real deadline could pass before the call has
// reached the server.
type expiring struct {
	context.Context //nolint:containedctx // it is a context itself
	over            chan struct{}
}

// Done implements context.Context.
func (e expiring) Done() <-chan struct{} { return e.over }

// Err implements context.Context.
func (e expiring) Err() error {
	select {
	case <-e.over:
		return context.DeadlineExceeded
	default:
		return nil
	}
}
