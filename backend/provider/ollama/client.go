// Package ollama calls models with Ollama's native protocol, the only one in which a call can set the context length.
package ollama

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"net/http"
	"strings"
	"sync"

	"coppice/backend/core"
	"coppice/backend/provider/endpoint"
	"coppice/backend/provider/failure"
	"coppice/backend/provider/wire"
)

// local is Ollama's default address.
const local = "http://127.0.0.1:11434"

// Client calls the models of one endpoint. It may be used by several goroutines.
type Client struct {
	endpoint endpoint.Endpoint
	server   *wire.Server

	mu    sync.Mutex
	facts map[string]facts // by model, of those that were queried
}

// New returns a client of the endpoint.
func New(e endpoint.Endpoint) *Client {
	e.BaseURL = cmp.Or(e.BaseURL, local)
	e.BaseURL = strings.TrimSuffix(strings.TrimSuffix(e.BaseURL, "/v1"), "/api") // users copy such endings from elsewhere
	header := map[string]string{"Content-Type": "application/json"}
	if e.Key != "" {
		header["Authorization"] = "Bearer " + e.Key
	}
	return &Client{endpoint: e, server: wire.NewServer(e, e.BaseURL, header), facts: map[string]facts{}}
}

// Stream calls a model, see engine.Model. Before the first call of a model it queries the server about it.
func (c *Client) Stream(ctx context.Context, r core.Request) iter.Seq2[core.StreamEvent, error] {
	call := failure.Call{Endpoint: c.endpoint, Model: r.Model}
	return wire.Stream(ctx, call, func(ctx context.Context) (wire.Answer, *wire.Reader, error) {
		lines, err := c.post(ctx, call, r)
		return newAnswer(call), lines, hinted(err, r.Model)
	})
}

func (c *Client) post(ctx context.Context, call failure.Call, r core.Request) (*wire.Reader, error) {
	known, err := c.about(ctx, r.Model)
	if err != nil {
		return nil, err
	}
	body, err := c.endpoint.Body(newRequest(c.endpoint, r, known))
	if err != nil {
		return nil, core.Wrap(core.Invalid, err, "encode a call of %s", r.Model)
	}
	return c.server.Open(ctx, call, wire.Request{Method: http.MethodPost, Path: "api/chat", Body: body}, wire.Lines)
}

// hinted adds a hint to errors that only Ollama has.
func hinted(err error, model string) error {
	e, ok := errors.AsType[*core.Error](err)
	if !ok {
		return err
	}
	switch text := e.Error(); {
	case strings.Contains(text, "does not support tools"):
		e.Code = core.Invalid
		return e.WithHint("Choose a model that calls tools, or an agent without tools").WithRemedy(core.ListModels)
	case strings.Contains(text, "does not support thinking"):
		e.Code = core.Invalid
		return e.WithHint("Choose a model that reasons, or remove the effort")
	case e.Code == core.NotFound && model != "":
		return e.WithHint("Download it with: ollama pull %s", model)
	}
	return e
}
