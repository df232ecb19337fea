package prose

import (
	"strings"
	"sync"
	"testing"
)

// TestNewIsSafeForConcurrentUse makes several renderers at once: they share the lexers of the highlighter. A race is found by
// the race detector, see make race.
func TestNewIsSafeForConcurrentUse(t *testing.T) {
	t.Parallel()
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			if got := New().Code("func main() {}", "go"); !strings.Contains(got, "<span") {
				t.Errorf("not highlighted: %s", got)
			}
		})
	}
	all.Wait()
}
