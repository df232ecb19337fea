package launch

import (
	"path/filepath"
	"testing"

	"github.com/adrg/xdg"

	"coppice/backend/core"
)

// TestWideWorkspace requires a confirmation before a run that can write starts in a folder that contains the home folder or
// system files.
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
