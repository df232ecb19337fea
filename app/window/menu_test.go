package window

import (
	"strings"
	"testing"
)

// TestEveryCommandHasAKeyOrAMenuEntry compares the menu bar with the page's table of commands, and its keys with those of
// text fields.
func TestEveryCommandHasAKeyOrAMenuEntry(t *testing.T) {
	table, err := readCommands()
	if err != nil {
		t.Fatal(err)
	}
	groups, err := readMenu()
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	taken := map[string]bool{"Mod+C": true, "Mod+V": true, "Mod+X": true, "Mod+A": true, "Mod+Z": true}
	for _, group := range groups {
		titles := map[string]bool{}
		for _, entry := range group.Entries {
			if entry == menuSeparator {
				continue
			}
			spec, known := table[entry]
			if !known || spec.Title == "" {
				t.Errorf("%s asks for %q, which is no command", group.Title, entry)
				continue
			}
			if isAccelerated(entry) {
				if len(spec.Keys) == 0 || taken[spec.Keys[0]] || !strings.HasPrefix(spec.Keys[0], "Mod+") {
					t.Errorf("%s > %s would be taken from text, or twice: %v", group.Title, spec.Title, spec.Keys)
					continue
				}
				taken[spec.Keys[0]] = true
			}
			if titles[spec.Title] || listed[entry] {
				t.Errorf("%s > %s is in the menu twice", group.Title, spec.Title)
			}
			titles[spec.Title], listed[entry] = true, true
		}
	}
	for name, command := range table {
		if !command.Hidden && len(command.Keys) == 0 && !listed[name] {
			t.Errorf("%q has neither a key nor a menu entry", command.Title)
		}
	}
}
