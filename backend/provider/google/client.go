// Package google calls Gemini models with the vendor's API.
package google

import (
	"cmp"
	"context"
	"iter"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"coppice/backend/core"
	"coppice/backend/lazyregexp"
	"coppice/backend/provider/endpoint"
	"coppice/backend/provider/failure"
	"coppice/backend/provider/wire"
)

const (
	vendor     = "https://generativelanguage.googleapis.com" // Google's own server
	apiVersion = "v1beta"
)

// Client calls the models of one endpoint. It may be used by several goroutines.
type Client struct {
	endpoint endpoint.Endpoint
	server   *wire.Server
}

// version is the first part of every path.
var version = lazyregexp.New(`/v1(beta|alpha)?$`)

// New returns a client of the endpoint. It reads nothing from the environment.
func New(e endpoint.Endpoint) *Client {
	header := map[string]string{"Content-Type": "application/json"}
	if e.Key != "" {
		header["X-Goog-Api-Key"] = e.Key
	}
	base := version.ReplaceAllString(cmp.Or(e.BaseURL, vendor), "")
	return &Client{endpoint: e, server: wire.NewServer(e, base, header)}
}

// Stream calls a model, see engine.Model.
func (c *Client) Stream(ctx context.Context, r core.Request) iter.Seq2[core.StreamEvent, error] {
	call := failure.Call{Endpoint: c.endpoint, Model: r.Model}
	return wire.Stream(ctx, call, func(ctx context.Context) (wire.Answer, *wire.Reader, error) {
		events, err := c.post(ctx, call, r)
		return newAnswer(call, r), events, err
	})
}

func (c *Client) post(ctx context.Context, call failure.Call, r core.Request) (*wire.Reader, error) {
	contents, err := encode(c.endpoint, r)
	if err != nil {
		return nil, err
	}
	body, err := c.endpoint.Body(newRequest(r, contents))
	if err != nil {
		return nil, core.Wrap(core.Invalid, err, "encode a call of %s", r.Model)
	}
	return c.server.Open(ctx, call, wire.Request{
		Method: http.MethodPost, Path: apiVersion + "/" + name(r.Model) + ":streamGenerateContent",
		Query: url.Values{"alt": {"sse"}}, Header: deadline(ctx), Body: body,
	}, wire.LooseEvents)
}

// name returns a model's name in the protocol, escaped for a path.
func name(model string) string {
	if !strings.HasPrefix(model, "models/") && !strings.HasPrefix(model, "tunedModels/") {
		model = "models/" + model
	}
	return (&url.URL{Path: model}).EscapedPath()
}

// deadline returns the header that makes the server stop when the caller's deadline ends.
func deadline(ctx context.Context) map[string]string {
	end, ok := ctx.Deadline()
	if !ok {
		return nil
	}
	seconds := max(int(math.Ceil(time.Until(end).Seconds())), 1)
	return map[string]string{"X-Server-Timeout": strconv.Itoa(seconds)}
}
