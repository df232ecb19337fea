package remedy_test

import (
	"regexp"
	"testing"

	"coppice/app/window/internal/remedy"
	"coppice/backend/core"
)

// TestHintsNameNoCommands requires that hints of the window name no commands and no flags.
func TestHintsNameNoCommands(t *testing.T) {
	t.Parallel()
	command := regexp.MustCompile(`coppice [a-z]|--[a-z]`)
	for _, kind := range core.RemedyKinds() {
		for _, text := range []string{"", "Start it"} {
			got := remedy.Sentence(text, core.Remedy{Kind: kind, Args: []string{"one", "two"}})
			if command.MatchString(got) {
				t.Errorf("%s: %q", kind, got)
			}
		}
	}
	if got := remedy.Sentence("Set A", core.Remedy{Kind: core.SetKey, Args: []string{"one"}}); got != "Set A, or enter the key in Settings" {
		t.Errorf("a key: %q", got)
	}
}
