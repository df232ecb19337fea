package engine

import (
	"context"

	"coppice/backend/core"
)

// Ask calls a model once, outside of any session, and returns its whole answer. Nothing is stored.
func Ask(ctx context.Context, model Model, q core.Request) (core.Message, error) {
	return collect(core.LimitAttempts(ctx, maxRequests), model, q, func(*draft) error { return nil })
}
