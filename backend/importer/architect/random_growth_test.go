package architect

import (
	"testing"

	"pgregory.net/rapid"

	"coppice/backend/importer/importertest"
)

// TestRandomGrowth grows a session, which is written whole each time, at random.
func TestRandomGrowth(t *testing.T) {
	importertest.GrowAtRandom(t, Format(), "20260223-143022-a1b2c3.json", func(t *rapid.T) [][]byte {
		var states [][]byte
		for n := range rapid.IntRange(1, 6).Draw(t, "steps") {
			// Messages have no times: all get those of the session, which are therefore the same here.
			states = append(states, file(run("tidy up", n), object{"updated_at": 1795227414.6580071}))
		}
		return states
	})
}
