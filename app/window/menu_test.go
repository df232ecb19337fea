package window

import (
	"encoding/json"
	"strings"
	"testing"

	"coppice/frontend"
)

// TestEveryCommandHasAKeyOrAMenuEntry holds the menu bar to the window's table of commands, and its keys to those of text fields.
func TestEveryCommandHasAKeyOrAMenuEntry(t *testing.T) {
	var table map[string]struct {
		Title  string
		Keys   []string
		Hidden bool
	}
	if err := json.Unmarshal(frontend.Commands, &table); err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	taken := map[string]bool{"Mod+C": true, "Mod+V": true, "Mod+X": true, "Mod+A": true, "Mod+Z": true, menuQuitKey: true}
	for _, group := range menuBar() {
		titles := map[string]bool{}
		for _, entry := range group.entries {
			if entry.title == "" {
				continue
			}
			spec, known := table[entry.command]
			if !known && entry.command != menuQuit {
				t.Errorf("%s > %s asks for %q, which is no command", group.title, entry.title, entry.command)
			}
			if entry.accelerated && known {
				if len(spec.Keys) == 0 || taken[spec.Keys[0]] || !strings.HasPrefix(spec.Keys[0], "Mod+") {
					t.Errorf("%s > %s would be taken from text, or twice: %v", group.title, entry.title, spec.Keys)
					continue
				}
				taken[spec.Keys[0]] = true
			}
			if titles[entry.title] || listed[entry.command] {
				t.Errorf("%s > %s stands there twice", group.title, entry.title)
			}
			titles[entry.title], listed[entry.command] = true, true
		}
	}
	for name, command := range table {
		if !command.Hidden && len(command.Keys) == 0 && !listed[name] {
			t.Errorf("%q has neither a key nor a menu entry", command.Title)
		}
	}
}
