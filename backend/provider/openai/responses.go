package openai

import (
	"context"
	"iter"
	"strings"
	"sync/atomic"

	"coppice/backend/core"
	"coppice/backend/provider/endpoint"
	"coppice/backend/provider/wire"
)

// Responses calls models with the responses API. The provider stores nothing: each call sends the whole conversation.
// It may be used by several goroutines.
type Responses struct {
	client
	terse atomic.Bool // the account may not receive summaries of reasoning
}

// NewResponses returns the models of an endpoint without sending anything.
func NewResponses(e endpoint.Endpoint) *Responses {
	return &Responses{client: newClient(e, endpoint.OpenAIResponses)}
}

// Stream calls a model, see engine.Model. OpenAI sends summaries of reasoning only to accounts whose owner is verified,
// and rejects the whole call of others. Stream then repeats the call without summaries.
func (c *Responses) Stream(ctx context.Context, r core.Request) iter.Seq2[core.StreamEvent, error] {
	body := func() (any, error) { return c.request(r) }
	begin := func(origin core.Origin) wire.Answer {
		return &responseAnswer{call: c.call(r.Model), origin: origin, items: map[int64]*item{}}
	}
	stream := c.stream(ctx, "responses", r, body, begin)
	return func(yield func(core.StreamEvent, error) bool) {
		asked := !c.terse.Load()
		for e, err := range stream {
			if asked && refusesSummary(err) {
				c.terse.Store(true)
				stream(yield)
				return
			}
			if !yield(e, err) {
				return
			}
		}
	}
}

func refusesSummary(err error) bool {
	return core.CodeOf(err) == core.Invalid && strings.Contains(err.Error(), "reasoning summar")
}
