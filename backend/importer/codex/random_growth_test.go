package codex

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"coppice/backend/importer/importertest"
)

// TestRandomGrowth grows random rollouts at random.
func TestRandomGrowth(t *testing.T) {
	importertest.GrowAtRandom(t, Format(), "rollout-2026-03-04T05-00-00-"+scriptThread+".jsonl", func(t *rapid.T) [][]byte {
		s := begin(scriptThread, object{"history_mode": rapid.SampledFrom([]string{"legacy", "paginated"}).Draw(t, "mode")})
		turns := 0
		for n := range rapid.IntRange(1, 6).Draw(t, "events") {
			name := fmt.Sprint(n)
			switch rapid.IntRange(0, 5).Draw(t, "event") {
			case 0:
				if turns > 0 {
					s.rolledBack(rapid.IntRange(1, turns).Draw(t, "turns"))
				}
			case 1:
				s.event(object{"type": "error", "message": "no network"})
			case 2:
				s.starts(n + 1)
				s.prompt("q" + name)
				s.item(object{"type": "custom_tool_call", "name": "apply_patch", "call_id": "c" + name, "input": "*** Begin Patch\n*** Update File: a.md\n*** End Patch"})
				s.event(object{"type": "patch_apply_end", "call_id": "c" + name, "success": n%2 == 0, "changes": object{"/garden/a.md": object{"type": "update"}}})
				s.item(object{"type": "custom_tool_call_output", "call_id": "c" + name, "output": "ö"})
				turns++
			case 3:
				s.item(object{"type": "alien", "n": n})
			default:
				s.turn(n+1, name)
				turns++
			}
		}
		return [][]byte{s.lines}
	})
}
