package core_test

import (
	"testing"

	"coppice/backend/core"
)

// What is only to be said where nothing was found is not said by a last page without hits behind one that has some.
func TestGoOnKeepsTheHintOfWhatWasFound(t *testing.T) {
	found := core.Found{Next: 5}
	found.GoOn(core.Found{Hits: []core.Hit{{SessionID: "a"}}, Next: 3, Hint: "one"})
	found.GoOn(core.Found{Hint: "nothing found"})
	if found.Hint != "one" || len(found.Hits) != 1 {
		t.Errorf("the hint is %q of %d hits", found.Hint, len(found.Hits))
	}
	vain := core.Found{Next: 5}
	vain.GoOn(core.Found{Hint: "nothing found"})
	if vain.Hint != "nothing found" {
		t.Errorf("in vain the hint is %q", vain.Hint)
	}
}
