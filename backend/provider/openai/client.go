// Package openai calls models that speak one of OpenAI's protocols, chat completions and responses: those of OpenAI itself, and
// those of the many servers that took the protocols over.
package openai

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"net/http"
	"time"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"coppice/backend/core"
	"coppice/backend/provider/endpoint"
	"coppice/backend/provider/failure"
	"coppice/backend/provider/transport"
)

const (
	vendorURL    = "https://api.openai.com/v1"
	longestError = 1 << 16                // what is read of the body of an error, in bytes
	drainBytes   = 1 << 14                // what is read behind the end of an answer, so that its connection can be used again
	drainTime    = 100 * time.Millisecond // and for how long
)

// client sends the calls of one endpoint.
type client struct {
	endpoint endpoint.Endpoint
	protocol endpoint.Protocol
	quirks   quirks
	api      sdk.Client
}

// newClient does not use the SDK's constructor, because that takes OpenAI's key and address from the environment: the key would go to
// any server without one of its own.
func newClient(e endpoint.Endpoint, protocol endpoint.Protocol) client {
	address, sender := e.BaseURL, e.Client
	if address == "" {
		address = vendorURL
	}
	if sender == nil {
		sender = transport.NewClient(0)
	}
	options := []option.RequestOption{
		option.WithBaseURL(address),
		option.WithHTTPClient(sender),
		option.WithMaxRetries(0), // the transport tries again, the same way for all providers
	}
	if e.Key != "" {
		options = append(options, option.WithAPIKey(e.Key))
	}
	for name, value := range e.Headers {
		options = append(options, option.WithHeader(name, value))
	}
	return client{endpoint: e, protocol: protocol, quirks: quirksOf(e), api: sdk.Client{Options: options}}
}

func (c *client) call(model string) failure.Call {
	return failure.Call{Endpoint: c.endpoint, Model: model}
}

// refuse makes errors of ours of what the SDK would read without a bound and tell without the server's words.
func (c *client) refuse(model string) option.RequestOption {
	return option.WithMiddleware(func(request *http.Request, next option.MiddlewareNext) (*http.Response, error) {
		response, err := next(request)
		if err != nil {
			return response, c.call(model).Network(request.Context(), err)
		}
		if response.StatusCode < http.StatusBadRequest {
			return response, nil
		}
		body, err := io.ReadAll(io.LimitReader(response.Body, longestError))
		err = errors.Join(err, response.Body.Close())
		if err != nil && len(body) == 0 {
			return nil, c.call(model).Network(request.Context(), err)
		}
		return nil, c.call(model).Answer(response.StatusCode, response.Header, body)
	})
}

// failed returns the error of the SDK as one of ours.
func (c *client) failed(ctx context.Context, model string, err error) *core.Error {
	if e, ok := errors.AsType[*core.Error](err); ok {
		return e
	}
	if ctx.Err() != nil {
		return c.call(model).Network(ctx, err)
	}
	return &core.Error{Code: core.Invalid, Message: "build the request to " + c.endpoint.Provider, Err: err}
}

// answer puts an answer together from the events of a stream.
type answer interface {
	// take takes an event. What it returns goes to whoever waits for the answer.
	take(e event) ([]core.StreamEvent, error)
	// ended says that nothing can follow.
	ended() bool
	// whole says that the protocol's own end of an answer has come.
	whole() bool
	// message returns the whole message.
	message() core.Message
	// partial returns what there is of one that broke off.
	partial() core.Message
}

// stream sends the body and yields the answer, see core.StreamEvent.
func (c *client) stream(ctx context.Context, path string, r core.Request, body func() (any, error), begin func(*http.Response) answer) iter.Seq2[core.StreamEvent, error] {
	return func(yield func(core.StreamEvent, error) bool) {
		own, cancel := context.WithCancel(ctx)
		defer cancel()
		a := begin(nil)
		abort := func(err *core.Error) {
			m := a.partial()
			m.FinishReason, m.Error = core.FinishError, err.Error()
			if err.Code == core.Canceled {
				m.FinishReason = core.FinishAborted
			}
			yield(core.StreamEvent{Type: core.StreamAborted, Message: &m}, err)
		}
		content, err := body()
		if err != nil {
			abort(c.failed(ctx, r.Model, err))
			return
		}
		response, failed := c.post(own, path, r.Model, content)
		if failed != nil {
			abort(failed)
			return
		}
		defer response.Body.Close() //nolint:errcheck // it is read to its end, or given up
		a = begin(response)
		left, failed := c.follow(ctx, r.Model, response, a, yield)
		if left {
			return
		}
		if failed != nil {
			abort(failed)
			return
		}
		m := a.message()
		yield(core.StreamEvent{Type: core.StreamDone, Message: &m}, nil)
		drain(response.Body, cancel)
	}
}

// post sends a body and returns the answer as soon as it begins.
func (c *client) post(ctx context.Context, path, model string, body any) (*http.Response, *core.Error) {
	var response *http.Response
	err := c.api.Post(ctx, path, body, &response, option.WithHeader("Accept", "text/event-stream"), c.refuse(model))
	if err != nil {
		return nil, c.failed(ctx, model, err)
	}
	return response, nil
}

// follow yields the pieces of an answer until its end; left says that nobody wants more.
func (c *client) follow(ctx context.Context, model string, response *http.Response, a answer, yield func(core.StreamEvent, error) bool) (left bool, failed *core.Error) {
	body := bufio.NewReaderSize(response.Body, 1<<15)
	if failed := c.noStream(ctx, model, response, body); failed != nil {
		return false, failed
	}
	events := events{source: body}
	for !a.ended() {
		e, err := events.next()
		if err != nil {
			if a.whole() {
				return false, nil // only what is told behind the answer is missing, such as its usage
			}
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return false, c.call(model).Cut(ctx, err)
		}
		pieces, err := a.take(e)
		for _, piece := range pieces {
			if !yield(piece, nil) {
				return true, nil
			}
		}
		if err != nil {
			if e, ok := errors.AsType[*core.Error](err); ok {
				return false, e
			}
			return false, c.call(model).Cut(ctx, err)
		}
	}
	return false, nil
}

// noStream returns the error of an answer that is no stream, whatever its status: the JSON of an error, or the page of
// a server that is no model server.
func (c *client) noStream(ctx context.Context, model string, response *http.Response, body *bufio.Reader) *core.Error {
	for {
		first, err := body.Peek(1)
		if err != nil {
			return nil // the reader of events says what is wrong
		}
		if bytes.IndexByte([]byte(" \t\r\n"), first[0]) < 0 {
			if bytes.IndexByte([]byte("{[<"), first[0]) < 0 {
				return nil
			}
			break
		}
		if _, err := body.Discard(1); err != nil {
			return nil
		}
	}
	text, err := io.ReadAll(io.LimitReader(body, longestError))
	if err != nil {
		return c.call(model).Cut(ctx, err)
	}
	if text[0] == '<' {
		return c.call(model).Answer(http.StatusNotFound, response.Header, text)
	}
	return c.call(model).Event(text, requestID(response))
}

// drain reads what is left behind the end of an answer, mostly nothing but the mark of its end.
func drain(body io.Reader, cancel context.CancelFunc) {
	timer := time.AfterFunc(drainTime, cancel)
	defer timer.Stop()
	_, _ = io.CopyN(io.Discard, body, drainBytes) // a failure only costs the connection
}

// origin returns where the messages of a call come from. The response is nil where there is none yet.
func (c *client) origin(model string, response *http.Response) core.Origin {
	return core.Origin{Protocol: string(c.protocol), Provider: c.endpoint.Provider, RequestModel: model, RequestID: requestID(response)}
}

func requestID(response *http.Response) string {
	if response == nil {
		return ""
	}
	return response.Header.Get("X-Request-Id")
}

// native says whether a message was made by the same protocol, provider and model, so that its blocks may go back as they came.
func (c *client) native(m *core.Message, model string) bool {
	return m.Origin != nil && m.Origin.Protocol == string(c.protocol) && m.Origin.Provider == c.endpoint.Provider && m.Origin.RequestModel == model
}
