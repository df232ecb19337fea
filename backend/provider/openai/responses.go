package openai

import (
	"context"
	"iter"
	"net/http"

	"coppice/backend/core"
	"coppice/backend/provider/endpoint"
)

// Responses speaks responses. Nothing is kept at the provider: each call sends the whole conversation. It may be used by several
// goroutines.
type Responses struct{ client }

// NewResponses returns the models of an endpoint; it sends nothing yet.
func NewResponses(e endpoint.Endpoint) *Responses {
	return &Responses{newClient(e, endpoint.OpenAIResponses)}
}

// Stream calls a model, as engine.Model says.
func (c *Responses) Stream(ctx context.Context, r core.Request) iter.Seq2[core.StreamEvent, error] {
	body := func() (any, error) { return c.request(r) }
	begin := func(response *http.Response) answer {
		return &responseAnswer{call: c.call(r.Model), origin: c.origin(r.Model, response), items: map[int64]*item{}}
	}
	return c.stream(ctx, "responses", r, body, begin)
}
