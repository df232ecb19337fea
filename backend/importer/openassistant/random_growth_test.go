package openassistant

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"coppice/backend/importer/importertest"
)

// TestRandomGrowth grows files of trees at random.
func TestRandomGrowth(t *testing.T) {
	importertest.GrowAtRandom(t, Format(), "trees.jsonl", func(t *rapid.T) [][]byte {
		var data []byte
		for n := range rapid.IntRange(1, 4).Draw(t, "trees") {
			data = append(data, line(fmt.Sprint("t", n), garden(fmt.Sprint("t", n)))...)
		}
		return [][]byte{data}
	})
}

// TestRandomGrowthOfMessages does the same with files that hold a message in each line.
func TestRandomGrowthOfMessages(t *testing.T) {
	importertest.GrowAtRandom(t, Format(), "messages.jsonl", func(t *rapid.T) [][]byte {
		var data []byte
		for n := range rapid.IntRange(1, 4).Draw(t, "trees") {
			id := fmt.Sprint("t", n)
			data = append(data, flat(id, nil, garden(id))...)
		}
		return [][]byte{data}
	})
}
