package geminicli

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"coppice/backend/importer/importertest"
)

// TestRandomGrowth grows random sessions at random.
func TestRandomGrowth(t *testing.T) {
	importertest.GrowAtRandom(t, Format(), "session-2026-03-04T05-00-5b1f0c9a.jsonl", func(t *rapid.T) [][]byte {
		s := begin()
		var prompts []string
		for n := range rapid.IntRange(1, 10).Draw(t, "records") {
			id := fmt.Sprint("m", n)
			switch rapid.IntRange(0, 5).Draw(t, "record") {
			case 0:
				if len(prompts) > 0 {
					s.rewind(rapid.SampledFrom(prompts).Draw(t, "to"))
				}
			case 1:
				s.raw(s.message(id, "error", "no network", nil))
			case 2:
				s.works(id)
			case 3:
				s.reply(id)
			default:
				s.prompt(id)
				prompts = append(prompts, id)
			}
		}
		return [][]byte{s.lines}
	})
}

// TestRandomGrowthOfDocuments does the same with the files of older versions, which are written whole.
func TestRandomGrowthOfDocuments(t *testing.T) {
	importertest.GrowAtRandom(t, Format(), "session-2026-03-04T05-00-5b1f0c9a.json", func(t *rapid.T) [][]byte {
		s := &script{}
		var messages []object
		var states [][]byte
		for n := range rapid.IntRange(1, 8).Draw(t, "messages") {
			id := fmt.Sprint("m", n)
			if n%2 == 0 {
				messages = append(messages, s.message(id, "user", id, nil))
			} else {
				messages = append(messages, s.message(id, "gemini", id, object{"model": "gemini-3-pro", "tokens": spent(100, 10), "toolCalls": []object{call("call_"+id, "out")}}))
			}
			states = append(states, old(messages...))
		}
		return states
	})
}
