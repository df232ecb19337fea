package engine

import (
	"testing"
	"time"

	"coppice/backend/core"
)

// TestDraftInterval checks that storing drafts whole writes at most 1 MiB per second, however long they grow.
func TestDraftInterval(t *testing.T) {
	for _, sizeBytes := range []int{0, 1, draftBytes - 1, draftBytes, draftBytes + 1, 10 * draftBytes, core.MaxValueBytes} {
		d := draft{sizeBytes: sizeBytes}
		got := d.interval()
		if got < draftEvery {
			t.Errorf("%d bytes are stored every %v", sizeBytes, got)
		}
		if perSecond := float64(sizeBytes) / got.Seconds(); perSecond > 1<<20+8 { // an interval is whole nanoseconds
			t.Errorf("drafts of %d bytes write %.0f bytes per second", sizeBytes, perSecond)
		}
	}
	small := draft{sizeBytes: 1000}
	if got := small.interval(); got != 250*time.Millisecond {
		t.Errorf("a short draft is stored every %v", got)
	}
}
