// Package anthropic calls models with Anthropic's messages protocol.
package anthropic

import (
	"cmp"
	"context"
	"iter"
	"net/http"
	"strings"

	"coppice/backend/core"
	"coppice/backend/provider/endpoint"
	"coppice/backend/provider/failure"
	"coppice/backend/provider/wire"
)

const (
	vendor  = "https://api.anthropic.com" // Anthropic's own server
	version = "2023-06-01"                // of the protocol
)

// Client calls the models of one endpoint. It may be used by several goroutines.
type Client struct {
	endpoint endpoint.Endpoint
	server   *wire.Server
}

// New returns a client of the endpoint. It reads nothing from the environment.
func New(e endpoint.Endpoint) *Client {
	header := map[string]string{"Accept": "application/json", "Anthropic-Version": version}
	if e.Key != "" {
		header["X-Api-Key"] = e.Key
	}
	base := strings.TrimSuffix(cmp.Or(e.BaseURL, vendor), "/v1")
	return &Client{endpoint: e, server: wire.NewServer(e, base, header)}
}

// Stream calls a model, see engine.Model. If the server rejects the reasoning in the conversation, as after an edit of
// an earlier message, Stream repeats the call once without it.
func (c *Client) Stream(ctx context.Context, r core.Request) iter.Seq2[core.StreamEvent, error] {
	call := failure.Call{Endpoint: c.endpoint, Model: r.Model}
	return wire.Stream(ctx, call, func(ctx context.Context) (wire.Answer, *wire.Reader, error) {
		a := newAnswer(call)
		conversation := encode(c.endpoint, r, true)
		events, err := c.post(ctx, call, newRequest(r, conversation))
		if conversation.reasons && refusesReasoning(err) {
			events, err = c.post(ctx, call, newRequest(r, encode(c.endpoint, r, false)))
		}
		if err == nil {
			a.requestID = events.Header.Get("Request-Id")
		}
		return a, events, err
	})
}

func (c *Client) post(ctx context.Context, call failure.Call, r request) (*wire.Reader, error) {
	body, err := c.endpoint.Body(r)
	if err != nil {
		return nil, core.Wrap(core.Invalid, err, "encode a call of %s", r.Model)
	}
	return c.server.Open(ctx, call, wire.Request{Method: http.MethodPost, Path: "v1/messages", Body: body}, wire.Events)
}

// refusesReasoning reports whether a server rejected a call because of the reasoning in its conversation: another model
// signed it, or something before it has changed since.
func refusesReasoning(err error) bool {
	if core.CodeOf(err) != core.Invalid {
		return false
	}
	text := err.Error()
	return strings.Contains(text, "thinking") &&
		(strings.Contains(text, "signature") || strings.Contains(text, "bound to") || strings.Contains(text, "cannot be modified"))
}
