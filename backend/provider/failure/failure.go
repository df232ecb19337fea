// Package failure turns the failure of a provider's call, an error answer or no answer, into a core.Error with the code
// that callers act on.
package failure

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"time"

	"coppice/backend/core"
	"coppice/backend/provider/endpoint"
	"coppice/backend/provider/transport"
)

// Call is the call that failed.
type Call struct {
	Endpoint endpoint.Endpoint
	Model    string // empty if the call was not for a model
}

// Answer returns the error for an answer with a status of 400 or more. The header may be nil.
func (c Call) Answer(status int, header http.Header, body []byte) *core.Error {
	r := read(body)
	wait := transport.RetryAfter(header, time.Now())
	if wait == 0 {
		wait = r.wait
	}
	for _, name := range []string{"X-Request-Id", "Request-Id", "X-Generation-Id"} {
		if r.request == "" {
			r.request = header.Get(name)
		}
	}
	return c.failure(status, wait, r)
}

// Event returns the error for an error event within a stream that had begun with status 200. requestID may be empty.
func (c Call) Event(body []byte, requestID string) *core.Error {
	r := read(body)
	if r.request == "" {
		r.request = requestID
	}
	return c.failure(r.status, r.wait, r)
}

// Network returns the error for a call that got no answer.
func (c Call) Network(ctx context.Context, err error) *core.Error {
	if stopped := c.stopped(ctx); stopped != nil {
		return stopped
	}
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		err = wrapped.Err // the text of err contains the URL, which holds the key for some servers
	}
	if own := c.own(err); own != nil {
		return own
	}
	e := &core.Error{Code: core.Unavailable, Err: errors.New(c.clean(err.Error()))}
	var unknown *net.DNSError
	switch {
	case errors.Is(err, syscall.ECONNREFUSED) || strings.Contains(err.Error(), "refused"): // Windows has its own texts
		e.Message = c.name() + " is not running"
		return e.WithHint("Start the server at %s, or set the address of %s", c.address(), c.name())
	case errors.As(err, &unknown):
		e.Message = "cannot resolve the address of " + c.name()
		return e.WithHint("Check the network, and the address %s", c.address())
	default:
		e.Message = c.name() + " does not respond"
		return e.WithHint("Check the network, and the address %s", c.address())
	}
}

// own returns an error of the transport, which has a code, with the provider's name; nil for any other error.
func (c Call) own(err error) *core.Error {
	e, ok := errors.AsType[*core.Error](err)
	if !ok {
		return nil
	}
	return (&core.Error{Code: e.Code, Message: "call " + c.name() + ": " + c.clean(e.Message)}).WithHint("%s", e.Hint).WithRemedy(e.Remedy.Kind, e.Remedy.Args...)
}

// stopped returns the error for a call that its caller ended; nil if ctx has not ended.
func (c Call) stopped(ctx context.Context) *core.Error {
	if ctx.Err() == nil {
		return nil
	}
	return &core.Error{Code: core.CodeOf(ctx.Err()), Message: "call of " + c.name() + " stopped", Err: context.Cause(ctx)}
}

func (c Call) name() string {
	if c.Endpoint.Provider == "" {
		return "the provider"
	}
	return c.Endpoint.Provider
}

func (c Call) address() string {
	if c.Endpoint.BaseURL == "" {
		return "of " + c.name()
	}
	u, err := url.Parse(c.Endpoint.BaseURL)
	if err != nil {
		return c.clean(c.Endpoint.BaseURL)
	}
	return c.clean(u.Redacted())
}
