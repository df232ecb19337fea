// Package transport sends the calls of all providers, and retries those that fail before the first byte of an answer.
package transport

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"time"

	"coppice/backend/core"
)

// LongestWait is how long a server may ask to wait before a retry without the user's consent.
const LongestWait = time.Minute

const (
	quietWait    = 2 * time.Second // if a server asks to wait longer, its answer is returned, so that the caller can show it
	defaultTries = 4
	firstWait    = 500 * time.Millisecond
	longestOwn   = 8 * time.Second
	jitter       = 0.25    // the share of a wait that is subtracted at random, so that callers do not retry at the same time
	drainBytes   = 1 << 16 // what is read of a discarded answer, so that its connection can be used again
)

// Retry is a round tripper that retries a call if the server cannot be reached, or answers with 408, 409, 429 or 5xx.
// It waits as long as the server asks, if that is two seconds at most, else half a second, then twice as long each
// time. After the last attempt, or the last that core.LimitAttempts permits, it returns that attempt's result. It never retries an answer that it has returned,
// however that answer ends. It may be used by several goroutines.
type Retry struct {
	Next  http.RoundTripper // nil: http.DefaultTransport
	Tries int               // attempts in all; 0: four
	// Sleep waits, and returns the error of ctx if that ends first; nil: a timer.
	Sleep func(ctx context.Context, wait time.Duration) error
}

// maxHeaderBytes limits the headers of an answer.
const maxHeaderBytes = 1 << 20

// NewClient returns a client with retries and without a timeout for the whole call, because an answer may stream for
// hours. A call ends when the server sends nothing for idle; 0: DefaultIdle. Answers are not compressed, because a
// stream must not wait for a compressor to fill. Redirects to another server are not followed.
func NewClient(idle time.Duration) *http.Client {
	retry := &Retry{}
	if next, ok := http.DefaultTransport.(*http.Transport); ok {
		next = next.Clone()
		next.DisableCompression = true
		next.MaxResponseHeaderBytes = maxHeaderBytes
		retry.Next = next
	}
	return &http.Client{Transport: &Guard{Next: retry, Idle: idle}, CheckRedirect: SameServer}
}

// RoundTrip sends the call, and retries it if that may help. If the request has no GetBody, it reads the body into
// memory once.
func (r *Retry) RoundTrip(request *http.Request) (*http.Response, error) {
	body, err := replay(request)
	if err != nil {
		return nil, err
	}
	for try := 1; ; try++ {
		attempt := request.Clone(request.Context())
		if attempt.Body, err = body(); err != nil {
			return nil, fmt.Errorf("replay the request: %w", err)
		}
		core.CountAttempt(request.Context()) // a caller without attempts left makes no call
		response, err := r.next().RoundTrip(attempt)
		if try >= r.tries() || !core.HasAttempts(request.Context()) || !again(request.Context(), response, err) {
			return response, err
		}
		wait, ok := pause(response, try)
		if !ok {
			return response, err
		}
		discard(response)
		if err := r.sleep(request.Context(), wait); err != nil {
			return nil, err
		}
	}
}

func (r *Retry) next() http.RoundTripper {
	if r.Next == nil {
		return http.DefaultTransport
	}
	return r.Next
}

func (r *Retry) tries() int {
	if r.Tries == 0 {
		return defaultTries
	}
	return r.Tries
}

func (r *Retry) sleep(ctx context.Context, wait time.Duration) error {
	if r.Sleep != nil {
		return r.Sleep(ctx, wait)
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// replay returns a function that returns the request's body from the start each time. It closes the given body, as a
// round tripper must.
func replay(request *http.Request) (func() (io.ReadCloser, error), error) {
	if request.Body == nil || request.Body == http.NoBody {
		return func() (io.ReadCloser, error) { return request.Body, nil }, nil
	}
	if request.GetBody != nil {
		return request.GetBody, request.Body.Close()
	}
	data, err := io.ReadAll(request.Body)
	if err := errors.Join(err, request.Body.Close()); err != nil {
		return nil, fmt.Errorf("read the request: %w", err)
	}
	return func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }, nil
}

// again reports whether a retry may succeed.
func again(ctx context.Context, response *http.Response, err error) bool {
	if ctx.Err() != nil {
		return false
	}
	if err != nil {
		_, distrust := errors.AsType[*tls.CertificateVerificationError](err)
		return !distrust
	}
	switch response.Header.Get("X-Should-Retry") { // OpenAI and Anthropic report it more precisely than the status does
	case "true":
		return true
	case "false":
		return false
	}
	switch response.StatusCode {
	case http.StatusRequestTimeout, http.StatusConflict, http.StatusTooManyRequests:
		return true
	}
	return response.StatusCode >= 500
}

// pause returns how long to wait after an attempt, counted from one; false if the server asks for too long.
func pause(response *http.Response, try int) (time.Duration, bool) {
	if response != nil {
		if told := RetryAfter(response.Header, time.Now()); told > 0 {
			return told, told <= quietWait
		}
	}
	wait := firstWait
	for range try - 1 {
		wait = min(2*wait, longestOwn)
	}
	return wait - time.Duration(rand.Float64()*jitter*float64(wait)), true //nolint:gosec // no secret depends on it
}

// discard frees the connection of an answer that is not read.
func discard(response *http.Response) {
	if response == nil {
		return
	}
	_, _ = io.CopyN(io.Discard, response.Body, drainBytes) // a failure only costs the connection
	_ = response.Body.Close()
}
