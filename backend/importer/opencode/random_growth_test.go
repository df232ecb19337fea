package opencode

import (
	"fmt"
	"os"
	"path/filepath"
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

// TestRandomGrowthOfDatabases grows two sessions of a database of 1.x, one of them a subagent, and one of a database of 2.x.
func TestRandomGrowthOfDatabases(outer *testing.T) {
	importertest.GrowInSteps(outer, Format, func(t *rapid.T, folder string) (string, []func()) {
		path := filepath.Join(folder, "opencode.db")
		tool := create(outer, path, legacySchema, currentSchema)
		parent, child := begin("ses_1"), begin("ses_2")
		child.session["parentID"] = "ses_1"
		rows := someRows(t)
		steps := []func(){func() {
			parent.prompt("q0")
			parent.inTables(outer, tool)
		}}
		written := 0
		for n := range rapid.IntRange(1, 8).Draw(t, "steps") {
			switch of := rapid.IntRange(0, 3).Draw(t, "session"); of {
			case 0, 1:
				k := []*talk{parent, child}[of]
				for _, grow := range growth(t, k, n) {
					steps = append(steps, func() {
						grow()
						k.inTables(outer, tool)
					})
				}
			default:
				steps = append(steps, func() {
					written = min(written+1+n/2, len(rows))
					inCurrent(outer, tool, fields{"id": "ses_3", "title": "x"}, rows[:written]...)
				})
			}
		}
		return path, steps
	})
}

// TestRandomGrowthOfFiles grows a session of the versions that kept a file for every message and every part.
func TestRandomGrowthOfFiles(outer *testing.T) {
	importertest.GrowInSteps(outer, Format, func(t *rapid.T, folder string) (string, []func()) {
		k := begin("ses_1")
		root := filepath.Join(folder, "storage")
		write := func() {
			path := k.inFiles(outer, root)
			if err := os.WriteFile(path, []byte(text(k.session)), 0o600); err != nil { // a young file is read again
				outer.Fatal(err)
			}
		}
		steps := []func(){func() {
			k.prompt("q0")
			write()
		}}
		for n := range rapid.IntRange(1, 6).Draw(t, "messages") {
			for _, grow := range growth(t, k, n) {
				steps = append(steps, func() {
					grow()
					write()
				})
			}
		}
		return filepath.Join(root, "session", "prj", "ses_1.json"), steps
	})
}

// growth draws the steps in which the next message appears: a prompt at once, an answer part by part.
func growth(t *rapid.T, k *talk, n int) []func() {
	if rapid.IntRange(0, 2).Draw(t, "prompt") == 0 {
		return []func(){func() { k.prompt(fmt.Sprint("q ö ", n)) }}
	}
	var all []fields
	steps := []func(){func() {
		k.works(fmt.Sprint("a", n))
		m := &k.messages[len(k.messages)-1]
		all, m.parts = m.parts, m.parts[:1]
	}}
	for _, size := range []int{rapid.IntRange(1, 4).Draw(t, "parts"), 7} {
		steps = append(steps, func() { k.messages[len(k.messages)-1].parts = all[:min(size, len(all))] })
	}
	return steps
}
