package agentharness

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"coppice/backend/importer/importertest"
)

// TestRandomGrowth grows a session, which is written whole each time, at random.
func TestRandomGrowth(t *testing.T) {
	importertest.GrowAtRandom(t, Format(), "2026-01-05-10-30-00-123-aB3_.json", func(t *rapid.T) [][]byte {
		var messages []object
		var states [][]byte
		for n := range rapid.IntRange(1, 10).Draw(t, "messages") {
			role := rapid.SampledFrom([]string{"user", "assistant", "tool", "alien"}).Draw(t, "role")
			messages = append(messages, message(n, role, fmt.Sprint("words ö ", n)))
			states = append(states, file(nil, messages...))
		}
		return states
	})
}
