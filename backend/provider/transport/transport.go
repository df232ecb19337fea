// Package transport sends the calls of all providers, and tries those again that failed before the
// first byte of an answer came.
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
)

// LongestWait is how long a server may ask to wait before a call is made again without a person's word.
const LongestWait = time.Minute

const (
	quietWait    = 2 * time.Second // a server that asks to wait for longer has its answer returned: somebody may want to know
	defaultTries = 4
	firstWait    = 500 * time.Millisecond
	longestOwn   = 8 * time.Second
	jitter       = 0.25    // the share of a wait that is taken off at random, so that callers part
	drainBytes   = 1 << 16 // what is read of an answer that is thrown away, so that its connection can be used again
)

// Retry is a round tripper that tries a call again where the server could not be reached, or answered with
// 408, 409, 429 or 5xx. It waits as long as the server asks for, if that is two seconds at most, else half a second, then twice as long each time. After the
// last try it returns what that gave. An answer that is returned is never tried again, however
// it ends. It may be used by several goroutines.
type Retry struct {
	Next  http.RoundTripper // nil: http.DefaultTransport
	Tries int               // in all; 0: four
	// Sleep waits, and returns the context's error where that ends first; nil: by the clock.
	Sleep func(ctx context.Context, wait time.Duration) error
}

// maxHeaderBytes bounds the headers of an answer.
const maxHeaderBytes = 1 << 20

// NewClient returns a client with the retries and without a timeout of the whole call: an answer may stream for hours. A
// call ends when the server sends nothing for idle; 0: DefaultIdle. Answers are not compressed, because a stream must not
// wait for a compressor to fill. Redirects to another server are not followed.
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

// RoundTrip sends the call, and again where that may help. The body is read once into memory
// where the request cannot give it again.
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
		response, err := r.next().RoundTrip(attempt)
		if try >= r.tries() || !again(request.Context(), response, err) {
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

// replay returns a function that gives the request's body anew each time. It closes the body it
// was given, as a round tripper must.
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

// again says whether another try may go better.
func again(ctx context.Context, response *http.Response, err error) bool {
	if ctx.Err() != nil {
		return false
	}
	if err != nil {
		_, distrust := errors.AsType[*tls.CertificateVerificationError](err)
		return !distrust
	}
	switch response.Header.Get("X-Should-Retry") { // OpenAI and Anthropic know it better than the status tells
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

// pause returns how long to wait after a try, counted from one; false where the server asks for too long.
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

// discard frees the connection of an answer that nobody reads.
func discard(response *http.Response) {
	if response == nil {
		return
	}
	_, _ = io.CopyN(io.Discard, response.Body, drainBytes) // a failure only costs the connection
	_ = response.Body.Close()
}
