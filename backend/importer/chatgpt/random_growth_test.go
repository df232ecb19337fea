package chatgpt

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"coppice/backend/importer/importertest"
)

// TestRandomGrowth grows exports of two conversations, which are written whole each time, at random.
func TestRandomGrowth(t *testing.T) {
	importertest.GrowAtRandom(t, Format(), "conversations.json", func(t *rapid.T) [][]byte {
		talks := []*script{begin(), begin()}
		at := [][]string{{"root"}, {"root"}}
		var states [][]byte
		for n := range rapid.IntRange(1, 10).Draw(t, "messages") {
			which := rapid.IntRange(0, 1).Draw(t, "conversation")
			s, id := talks[which], fmt.Sprintf("m%d-%d", which, n)
			parent := rapid.SampledFrom(at[which]).Draw(t, "parent")
			if parent == "root" || rapid.Bool().Draw(t, "user") {
				s.user(id, parent)
			} else {
				s.says(id, parent)
			}
			at[which] = append(at[which], id)
			states = append(states, export(talks...))
		}
		return states
	})
}
