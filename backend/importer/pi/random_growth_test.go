package pi

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"coppice/backend/importer/importertest"
)

// TestRandomGrowth grows random sessions of every version at random.
func TestRandomGrowth(t *testing.T) {
	importertest.GrowAtRandom(t, Format(), "2026-03-04T05-00-00-000Z_"+scriptSession+".jsonl", func(t *rapid.T) [][]byte {
		s := begin(rapid.IntRange(1, 4).Draw(t, "version"))
		s.prompt("q")
		at := []string{s.last}
		for n := range rapid.IntRange(0, 10).Draw(t, "entries") {
			id := fmt.Sprint("m", n)
			if s.version > 1 && rapid.Bool().Draw(t, "back") {
				s.last = rapid.SampledFrom(at).Draw(t, "to")
			}
			switch rapid.IntRange(0, 5).Draw(t, "entry") {
			case 0:
				s.entry(id, "thinking_level_change", object{"thinkingLevel": "high"})
			case 1:
				if s.version == 2 || s.version == 3 {
					s.entry(id, "label", object{"targetId": rapid.SampledFrom(at).Draw(t, "target"), "label": "l" + id})
				}
			case 2:
				s.works(id)
			case 3:
				s.reply(id)
			default:
				s.prompt(id)
			}
			at = append(at, s.last)
		}
		return [][]byte{s.lines}
	})
}
