// Package memory bounds the memory of imports and of what runs for long.
package memory

import (
	"os"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"time"
)

const (
	// importMemoryBytes is from where on Go tidies up more often while a command imports: with it, a file of 2 GB takes
	// 153 MB in all, of which 50 are pages of the program. Those of the window's libraries, 70 MB more, are shared with other programs.
	importMemoryBytes = 96 << 20
	// garbagePercent is how much garbage there may be beside what is in use, where Go would allow as much again. An import of a file of 2 GB
	// took 165 MB with it.
	garbagePercent = 60
	// runtimeBytes is what Go needs beside its heap, more or less.
	runtimeBytes = 16 << 20
	// heapReview is how often the bound is held against what is in use.
	heapReview = time.Second
)

// Spare keeps memory low in what runs for long, the window and watch, where nothing is to wake up now and then. What GOGC says stays.
func Spare() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(garbagePercent)
	}
}

// Bound keeps memory low until release is called. The bound follows what is in use: one below that would only have Go look for garbage
// without end. A lower one of GOMEMLIMIT stays.
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

// memoryBound leaves a third of what is in use for garbage.
func memoryBound(liveBytes int64) int64 {
	return max(importMemoryBytes, liveBytes+liveBytes/3+runtimeBytes)
}

// liveBytes is what the last look for garbage has found in use.
func liveBytes() int64 {
	s := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(s)
	return int64(s[0].Value.Uint64()) //nolint:gosec // far below
}
