package claudecode

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"coppice/backend/importer/importertest"
)

// TestRandomGrowth grows random sessions with rewinds, calls and injected records at random.
func TestRandomGrowth(t *testing.T) {
	importertest.GrowAtRandom(t, Format(), scriptSession+".jsonl", func(t *rapid.T) [][]byte {
		var s script
		tips, ends := []string{""}, []string{""}
		for n := range rapid.IntRange(1, 6).Draw(t, "turns") {
			from := len(tips) - 1
			if rapid.Bool().Draw(t, "rewind") {
				from = rapid.IntRange(0, len(tips)-1).Draw(t, "to")
			}
			if from == 0 && n > 0 {
				s.rewound("")
			} else if from < len(tips)-1 && rapid.Bool().Draw(t, "recorded") {
				s.rewound(ends[from])
			}
			if rapid.IntRange(0, 3).Draw(t, "meta") == 0 {
				s.metaUser(fmt.Sprint("meta", n), tips[from], "<ide_opened_file>a.md</ide_opened_file> ö")
			}
			tip, end := randomTurn(t, &s, n, tips[from], ends[from], map[string]string{})
			tips, ends = append(tips, tip), append(ends, end)
		}
		return [][]byte{s.lines}
	})
}
