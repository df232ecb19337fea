package core

import (
	"context"
	"sync/atomic"
)

type attemptsKey struct{}

// LimitAttempts returns a context whose requests to a server are limited to n in all, over every layer that retries them.
func LimitAttempts(ctx context.Context, n int64) context.Context {
	left := &atomic.Int64{}
	left.Store(n)
	return context.WithValue(ctx, attemptsKey{}, left)
}

// CountAttempt counts a request that is made. It is safe for concurrent use.
func CountAttempt(ctx context.Context) {
	if left, ok := ctx.Value(attemptsKey{}).(*atomic.Int64); ok {
		left.Add(-1)
	}
}

// HasAttempts reports whether a further request may be made; without a limit it may.
func HasAttempts(ctx context.Context) bool {
	left, ok := ctx.Value(attemptsKey{}).(*atomic.Int64)
	return !ok || left.Load() > 0
}
