package export

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coppice/backend/core"
)

// TestExportOntoLibrary exports to the paths of the library's own files. A finished export replaces the file at its
// path, so each of these exports would destroy the library.
func TestExportOntoLibrary(t *testing.T) {
	db := plantedLibrary(t)
	session, err := db.Session(t.Context(), "01930000-0000-7000-8000-00000000000a")
	if err != nil {
		t.Fatal(err)
	}
	library := db.FilePath()
	before, err := os.ReadFile(library)
	if err != nil {
		t.Fatal(err)
	}
	for _, format := range Formats() {
		e := Plan{Sessions: []core.Session{session}, Format: format}
		for _, suffix := range []string{"", "-wal", "-shm", "-journal", ".lock"} {
			if _, err := e.ToPath(t.Context(), db, library+suffix); core.CodeOf(err) != core.Invalid || !strings.Contains(err.Error(), "library itself") {
				t.Errorf("%s to the library%s: %v", format, suffix, err)
			}
		}
		if _, err := e.ToPath(t.Context(), db, filepath.Join(filepath.Dir(library), "export."+format)); err != nil {
			t.Errorf("%s beside the library: %v", format, err)
		}
	}
	after, err := os.ReadFile(library)
	if err != nil || !bytes.HasPrefix(after, before[:16]) {
		t.Errorf("the library has changed: %v", err)
	}
}
