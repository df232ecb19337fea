package failure

import (
	"context"
	"errors"

	"coppice/backend/core"
)

// Cut returns the error for an answer that broke off; err is nil if the stream just ended.
func (c Call) Cut(ctx context.Context, err error) *core.Error {
	if stopped := c.stopped(ctx); stopped != nil {
		return stopped
	}
	if own := c.own(err); own != nil {
		return own
	}
	e := core.E(core.TruncatedStream, "the answer of %s ended early", c.name())
	if err != nil {
		e.Err = errors.New(c.clean(err.Error()))
	}
	return e
}
