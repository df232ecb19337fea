package launch

import (
	"path/filepath"
	"testing"

	"github.com/adrg/xdg"

	"coppice/backend/core"
)

// A run that can change things does not begin in a folder that holds the home folder or the system.
func TestWideWorkspace(t *testing.T) {
	t.Parallel()
	for _, folder := range []string{xdg.Home, filepath.Dir(xdg.Home), "/", "/usr", "/etc"} {
		if wideWorkspace(folder) == "" {
			t.Errorf("%s is like any other", folder)
		}
	}
	if what := wideWorkspace(t.TempDir()); what != "" {
		t.Errorf("a folder of a test %s", what)
	}
	if err := Unconfirmed([]Confirmation{{Text: "x"}}); core.CodeOf(err) != core.Unconfirmed {
		t.Error(err)
	}
}
