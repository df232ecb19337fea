// Package parallel spreads work over the processors.
package parallel

import (
	"context"
	"runtime"
	"sync"
)

// Each calls f for 0 to count-1, some at the same time, and returns when all calls have ended. Once ctx ends there are no more of them.
func Each(ctx context.Context, count int, f func(i int)) error {
	var group sync.WaitGroup
	workers := min(runtime.GOMAXPROCS(0), count)
	for w := range workers {
		group.Go(func() {
			for i := w; i < count && ctx.Err() == nil; i += workers {
				f(i)
			}
		})
	}
	group.Wait()
	return ctx.Err()
}
