// Package openai calls models with OpenAI's protocols, chat completions and responses: OpenAI's own models, and those
// of the many servers that implement the same protocols.
package openai

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"iter"
	"maps"
	"net/http"

	"coppice/backend/core"
	"coppice/backend/jsontext"
	"coppice/backend/provider/endpoint"
	"coppice/backend/provider/failure"
	"coppice/backend/provider/wire"
)

const vendorURL = "https://api.openai.com/v1"

// client sends the calls of one endpoint. It reads nothing from the environment.
type client struct {
	endpoint endpoint.Endpoint
	protocol endpoint.Protocol
	quirks   quirks
	server   *wire.Server
}

func newClient(e endpoint.Endpoint, protocol endpoint.Protocol) client {
	header := map[string]string{"Accept": "application/json"}
	if e.Key != "" {
		header["Authorization"] = "Bearer " + e.Key
	}
	server := wire.NewServer(e, cmp.Or(e.BaseURL, vendorURL), header)
	return client{endpoint: e, protocol: protocol, quirks: quirksOf(e), server: server}
}

func (c *client) call(model string) failure.Call {
	return failure.Call{Endpoint: c.endpoint, Model: model}
}

// stream sends a body and yields the answer, see core.StreamEvent. begin creates the answer from its origin.
func (c *client) stream(ctx context.Context, path string, r core.Request, body func() (any, error), begin func(core.Origin) wire.Answer) iter.Seq2[core.StreamEvent, error] {
	return wire.Stream(ctx, c.call(r.Model), func(ctx context.Context) (wire.Answer, *wire.Reader, error) {
		origin := core.Origin{Protocol: string(c.protocol), Provider: c.endpoint.Provider, RequestModel: r.Model}
		content, err := body()
		if err != nil {
			err = &core.Error{Code: core.Invalid, Message: "build the request to " + c.endpoint.Provider, Err: err}
			return begin(origin), nil, err
		}
		events, err := c.post(ctx, path, r.Model, content)
		if err != nil {
			return begin(origin), nil, err
		}
		origin.RequestID = events.Header.Get(requestID)
		return begin(origin), events, nil
	})
}

// requestID is the header with the server's id of a call.
const requestID = "X-Request-Id"

// post sends a body and returns the answer as soon as it begins.
func (c *client) post(ctx context.Context, path, model string, body any) (*wire.Reader, error) {
	events, err := c.server.Open(ctx, c.call(model), wire.Request{
		Method: http.MethodPost, Path: path, Header: map[string]string{"Accept": "text/event-stream"}, Body: body,
	}, wire.Events)
	if err != nil {
		return nil, err
	}
	if err := c.noStream(ctx, model, events); err != nil {
		_ = events.Close() // the error is enough
		return nil, err
	}
	return events, nil
}

// noStream returns the error for an answer that is not a stream, whatever its status: an error as JSON, or the page of
// a server that is not a model server.
func (c *client) noStream(ctx context.Context, model string, events *wire.Reader) error {
	if bytes.IndexByte([]byte("{[<"), events.First()) < 0 {
		return nil
	}
	text, err := events.Rest()
	if err != nil {
		return c.call(model).Cut(ctx, err)
	}
	if text[0] == '<' {
		return c.call(model).Answer(http.StatusNotFound, events.Header, text)
	}
	return c.call(model).Event(text, events.Header.Get(requestID))
}

// body returns a request with more fields, overridden by the fields that the endpoint's configuration adds.
func (c *client) body(request any, more map[string]any) (any, error) {
	data, err := jsontext.Encode(request)
	if err != nil {
		return nil, err
	}
	var encoded map[string]json.RawMessage
	if err := json.Unmarshal(data, &encoded); err != nil {
		return nil, err
	}
	body := map[string]any{}
	for name, value := range encoded {
		body[name] = value
	}
	maps.Copy(body, more)
	for name, value := range c.endpoint.Extra {
		if body[name] = value; value == nil {
			delete(body, name)
		}
	}
	return body, nil
}

// native reports whether the same protocol, provider and model made the message, so that its blocks can be sent back
// unchanged.
func (c *client) native(m *core.Message, model string) bool {
	return m.Origin != nil && m.Origin.Protocol == string(c.protocol) && m.Origin.Provider == c.endpoint.Provider && m.Origin.RequestModel == model
}
