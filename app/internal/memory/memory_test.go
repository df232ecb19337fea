package memory

import (
	"math"
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

// TestMemoryBound requires that the limit is low, but never below the memory in use.
func TestMemoryBound(t *testing.T) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(math.MaxInt64))
	for live, want := range map[int64]int64{0: importMemoryBytes, 50 << 20: importMemoryBytes, 210 << 20: 296 << 20} {
		if got := memoryBound(live); got != want {
			t.Errorf("%d bytes in use are bound to %d, want %d", live, got, want)
		}
	}
	used := make([]byte, 300<<20)
	runtime.GC()
	release := Bound()
	for debug.SetMemoryLimit(-1) == math.MaxInt64 {
		time.Sleep(time.Millisecond)
	}
	if bound := debug.SetMemoryLimit(-1); bound < 400<<20 {
		t.Errorf("%d bytes in use are bound to %d", len(used), bound)
	}
	runtime.KeepAlive(used)
	release()
	if bound := debug.SetMemoryLimit(-1); bound != math.MaxInt64 {
		t.Errorf("the bound %d stays", bound)
	}
}
