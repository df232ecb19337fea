package core_test

import (
	"testing"

	"coppice/backend/core"
)

// A hint that is meant for an empty result is not added by a last page without hits after a page that has some.
func TestGoOnKeepsTheHintOfWhatWasFound(t *testing.T) {
	found := core.Found{Next: 5}
	found.Append(core.Found{Hits: []core.Hit{{SessionID: "a"}}, Next: 3, Hint: "one"})
	found.Append(core.Found{Hint: "nothing found"})
	if found.Hint != "one" || len(found.Hits) != 1 {
		t.Errorf("the hint is %q of %d hits", found.Hint, len(found.Hits))
	}
	vain := core.Found{Next: 5}
	vain.Append(core.Found{Hint: "nothing found"})
	if vain.Hint != "nothing found" {
		t.Errorf("in vain the hint is %q", vain.Hint)
	}
}
