package agentbase

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"

	"coppice/backend/importer/importertest"
)

// TestRandomGrowth grows a session, which is written whole each time, at random.
func TestRandomGrowth(t *testing.T) {
	importertest.GrowAtRandom(t, local, "2025-11-21-10-30-00.json", func(t *rapid.T) [][]byte {
		var messages []object
		var states [][]byte
		for range rapid.IntRange(1, 3).Draw(t, "turns") {
			for _, m := range conversation() {
				messages = append(messages, m)
				data := file("2025-11-21-10-30-00", thread(messages...))
				// Messages have no times: all get those of the session, which are therefore the same here.
				states = append(states, bytes.ReplaceAll(data, []byte("2026-11-21T02:17:53.1653"), []byte("2025-11-21T10:30:00.0000")))
			}
		}
		return states[:rapid.IntRange(1, len(states)).Draw(t, "states")]
	})
}
