// Package memory limits the memory of imports and of long-running processes.
package memory

import (
	"os"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"time"
)

const (
	// importMemoryBytes is the memory limit from which the garbage collector runs more often during an import. With it,
	// importing a file of 2 GB takes 153 MB in all, of which 50 MB are pages of the program. The libraries of the
	// window, 70 MB more, are shared with other programs.
	importMemoryBytes = 96 << 20
	// garbagePercent is the value for GOGC, whose default is 100. With it, an import of a file of 2 GB took 165 MB.
	garbagePercent = 60
	// runtimeBytes is roughly the memory that Go needs besides its heap.
	runtimeBytes = 16 << 20
	// heapReview is the interval at which the limit is adjusted to the memory in use.
	heapReview = time.Second
)

// Spare keeps memory low in long-running processes, the window and watch, without waking them up regularly. It does not
// override GOGC.
func Spare() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(garbagePercent)
	}
}

// Bound limits memory until release is called. The limit follows the memory in use, because a limit below that would
// make the garbage collector run continuously. A lower limit of GOMEMLIMIT stays in force.
func Bound() (release func()) {
	before := debug.SetMemoryLimit(-1)
	done := make(chan struct{})
	var review sync.WaitGroup
	review.Go(func() {
		tick := time.NewTicker(heapReview)
		defer tick.Stop()
		for {
			debug.SetMemoryLimit(min(before, memoryBound(liveBytes())))
			select {
			case <-done:
				return
			case <-tick.C:
			}
		}
	})
	return func() {
		close(done)
		review.Wait()
		debug.SetMemoryLimit(before)
	}
}

// memoryBound returns a limit that leaves room for garbage: a third of the memory in use.
func memoryBound(liveBytes int64) int64 {
	return max(importMemoryBytes, liveBytes+liveBytes/3+runtimeBytes)
}

// liveBytes returns the memory that was in use at the last garbage collection.
func liveBytes() int64 {
	s := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(s)
	return int64(s[0].Value.Uint64()) //nolint:gosec // far below the maximum
}
