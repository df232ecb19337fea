package library

import (
	"path/filepath"
	"testing"

	"coppice/backend/core"
)

func TestOneWindowPerLibrary(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "folder", "coppice.db")
	release, err := ClaimWindow(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ClaimWindow(path); core.CodeOf(err) != core.Busy {
		t.Errorf("a second one: %v", err)
	}
	other, err := ClaimWindow(path + "2")
	if err != nil {
		t.Errorf("on another library: %v", err)
	}
	other()
	release()
	again, err := ClaimWindow(path)
	if err != nil {
		t.Errorf("after the first one: %v", err)
	}
	again()
}
