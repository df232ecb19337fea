package agentzero

import (
	"testing"

	"pgregory.net/rapid"

	"coppice/backend/importer/importertest"
)

// TestRandomGrowth grows a checkpoint, which is written whole each time, at random.
func TestRandomGrowth(t *testing.T) {
	importertest.GrowAtRandom(t, environment(), id+".json", func(t *rapid.T) [][]byte {
		var messages []object
		var states [][]byte
		for range rapid.IntRange(1, 2).Draw(t, "rounds") {
			for _, m := range conversation() {
				messages = append(messages, m)
				if len(messages) > 2 { // from the first answer on: see TestGrowthFromThePrompt
					states = append(states, saved(id, messages...))
				}
			}
		}
		return states[:rapid.IntRange(1, len(states)).Draw(t, "states")]
	})
}

// TestGrowthFromThePrompt imports a session before its first answer, on which the ids of messages depend, and again when it has
// answers: each message is stored once.
func TestGrowthFromThePrompt(t *testing.T) {
	var library importertest.Stored
	all := conversation()
	library.Put(t, environment(), path, saved(id, all[:2]...))
	library.Put(t, environment(), path, saved(id, all[:3]...)).Put(t, environment(), path, saved(id, all...))
	var whole importertest.Stored
	whole.Put(t, environment(), path, saved(id, all...))
	if got, want := importertest.Shape(library.Messages), importertest.Shape(whole.Messages); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
