package fuseraft

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"coppice/backend/importer/importertest"
)

// TestRandomGrowth grows a session, which is written whole each time, at random.
func TestRandomGrowth(t *testing.T) {
	importertest.GrowAtRandom(t, Format(), "a3f92c1d.json", func(t *rapid.T) [][]byte {
		var messages []object
		var states [][]byte
		for n := range rapid.IntRange(1, 8).Draw(t, "turns") {
			agent := rapid.SampledFrom([]string{"Planner", "Human", "Tester"}).Draw(t, "agent")
			messages = append(messages, turn(n, agent, fmt.Sprint("words ö ", n), 100*n))
			states = append(states, file(nil, messages...))
		}
		return states
	})
}
