package opencode

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"coppice/backend/importer/importertest"
)

// TestRandomGrowth grows an exported session, which is written whole each time, at random.
func TestRandomGrowth(t *testing.T) {
	importertest.GrowAtRandom(t, Format(), "ses_1.json", func(t *rapid.T) [][]byte {
		k := begin("ses_1")
		var states [][]byte
		for n := range rapid.IntRange(1, 8).Draw(t, "messages") {
			switch rapid.IntRange(0, 2).Draw(t, "message") {
			case 0:
				k.works(fmt.Sprint("a", n))
			case 1:
				k.reply(fmt.Sprint("a", n))
			default:
				k.prompt(fmt.Sprint("q ö ", n))
			}
			states = append(states, k.exported())
		}
		return states
	})
}
