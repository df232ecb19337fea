package openai

import (
	"context"
	"iter"

	"coppice/backend/core"
	"coppice/backend/provider/endpoint"
	"coppice/backend/provider/wire"
)

// Chat calls models with chat completions. It may be used by several goroutines.
type Chat struct{ client }

// NewChat returns the models of an endpoint without sending anything.
func NewChat(e endpoint.Endpoint) *Chat {
	return &Chat{newClient(e, endpoint.OpenAIChat)}
}

// Stream calls a model, see engine.Model.
func (c *Chat) Stream(ctx context.Context, r core.Request) iter.Seq2[core.StreamEvent, error] {
	body := func() (any, error) { return c.request(r) }
	begin := func(origin core.Origin) wire.Answer {
		return &chatAnswer{call: c.call(r.Model), quirks: c.quirks, origin: origin, calls: map[int64]*piece{}}
	}
	return c.stream(ctx, "chat/completions", r, body, begin)
}
