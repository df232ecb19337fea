// Package ollama calls models by the native protocol of Ollama, which alone lets a call set the size of the context.
package ollama

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"strings"
	"sync"

	"coppice/backend/core"
	"coppice/backend/provider/endpoint"
	"coppice/backend/provider/failure"
	"coppice/backend/provider/transport"
)

// local is where Ollama listens.
const local = "http://127.0.0.1:11434"

const (
	longestLine  = 64 << 20 // of an answer; one with an image may be long
	longestError = 1 << 20
)

// Client calls the models of one endpoint. It may be used by several goroutines.
type Client struct {
	endpoint endpoint.Endpoint
	client   *http.Client

	mu    sync.Mutex
	facts map[string]facts // by model, of those that were asked for
}

// New returns a client of the endpoint.
func New(e endpoint.Endpoint) *Client {
	client := e.Client
	if client == nil {
		client = transport.NewClient(0)
	}
	e.BaseURL = cmp.Or(e.BaseURL, local)
	e.BaseURL = strings.TrimSuffix(strings.TrimSuffix(e.BaseURL, "/v1"), "/api") // what people copy from elsewhere
	return &Client{endpoint: e, client: client, facts: map[string]facts{}}
}

// Stream calls a model, as engine.Model says. The first call of a model asks the server about it.
func (c *Client) Stream(ctx context.Context, r core.Request) iter.Seq2[core.StreamEvent, error] {
	return func(yield func(core.StreamEvent, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		a := newAnswer(c.endpoint, r.Model)
		err := c.read(ctx, r, a, func(e core.StreamEvent) bool { return yield(e, nil) })
		switch {
		case errors.Is(err, errStopped):
		case err != nil:
			yield(core.StreamEvent{Type: core.StreamAborted, Message: a.partial()}, err)
		default:
			yield(core.StreamEvent{Type: core.StreamDone, Message: a.whole()}, nil)
		}
	}
}

var (
	errStopped = errors.New("the caller stopped") // wants no more events
	errTold    = errors.New("the server sent an error")
)

// read reads the answer into a and passes its pieces on. It returns nil only where the answer is whole.
func (c *Client) read(ctx context.Context, r core.Request, a *answer, yield func(core.StreamEvent) bool) error {
	call := failure.Call{Endpoint: c.endpoint, Model: r.Model}
	known, err := c.about(ctx, r.Model)
	if err != nil {
		return err
	}
	body, err := c.body(r, known)
	if err != nil {
		return err
	}
	response, err := c.send(ctx, call, http.MethodPost, "/api/chat", body)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }() // all that is wanted of it has been read
	lines := bufio.NewScanner(response.Body)
	lines.Buffer(nil, longestLine)
	for lines.Scan() {
		line := bytes.TrimSpace(lines.Bytes())
		if len(line) == 0 {
			continue
		}
		pieces, err := a.take(line)
		switch {
		case errors.Is(err, errTold):
			return hinted(call.Event(line, ""), r.Model)
		case err != nil:
			return call.Cut(ctx, err)
		}
		for _, piece := range pieces {
			if !yield(piece) {
				return errStopped
			}
		}
		if a.last != nil {
			return nil
		}
	}
	return call.Cut(ctx, lines.Err())
}

// send sends a call; an answer of 400 or more is an error. The caller closes the body.
func (c *Client) send(ctx context.Context, call failure.Call, method, path string, body []byte) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, method, c.endpoint.BaseURL+path, bytes.NewReader(body))
	if err != nil {
		return nil, core.Wrap(core.Invalid, err, "make a call of %s", c.endpoint.Provider)
	}
	request.Header.Set("Content-Type", "application/json")
	if c.endpoint.Key != "" {
		request.Header.Set("Authorization", "Bearer "+c.endpoint.Key)
	}
	for name, value := range c.endpoint.Headers {
		request.Header.Set(name, value)
	}
	response, err := c.client.Do(request)
	if err != nil {
		return nil, call.Network(ctx, err)
	}
	if response.StatusCode < 300 {
		return response, nil
	}
	defer func() { _ = response.Body.Close() }() // the error says enough
	text, err := io.ReadAll(io.LimitReader(response.Body, longestError))
	if err != nil {
		return nil, call.Network(ctx, err)
	}
	return nil, hinted(call.Answer(response.StatusCode, response.Header, text), call.Model)
}

// get makes a call that has one answer, and reads it.
func (c *Client) get(ctx context.Context, call failure.Call, method, path string, body []byte, answer any) error {
	response, err := c.send(ctx, call, method, path, body)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }() // the answer has been read
	data, err := io.ReadAll(io.LimitReader(response.Body, longestLine))
	if err == nil {
		err = json.Unmarshal(data, answer)
	}
	if err != nil {
		return call.Cut(ctx, fmt.Errorf("decode %s: %w", path, err))
	}
	return nil
}

// hinted adds what to do about an error that only Ollama has.
func hinted(e *core.Error, model string) *core.Error {
	switch text := e.Error(); {
	case strings.Contains(text, "does not support tools"):
		e.Code = core.Invalid
		return e.WithHint("choose a model that calls tools, or an agent without tools; coppice models tells which can")
	case strings.Contains(text, "does not support thinking"):
		e.Code = core.Invalid
		return e.WithHint("choose a model that reasons, or leave out the effort")
	case e.Code == core.NotFound && model != "":
		return e.WithHint("get it with: ollama pull %s", model)
	}
	return e
}
