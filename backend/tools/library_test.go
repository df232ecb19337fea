package tools_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coppice/backend/tools"
)

// TestLibraryIsNotOpened uses a workspace that contains the library, as a home folder does.
func TestLibraryIsNotOpened(t *testing.T) {
	t.Parallel()
	files := map[string]string{"notes.txt": "needle"}
	for _, name := range []string{"data/coppice.db", "data/coppice.db-wal", "data/coppice.db-shm", "data/coppice.db.lock"} {
		files[name] = "needle"
	}
	b := newBenchWith(t, files, tools.Options{Library: "data/coppice.db"})
	if err := os.Symlink("data/coppice.db", filepath.Join(b.dir, "link.txt")); err != nil {
		t.Fatal(err)
	}
	for _, at := range []string{"data/coppice.db", "data/../data/coppice.db-wal", "data/coppice.db-shm", "data/coppice.db.lock", "link.txt"} {
		for tool, arguments := range map[string]object{
			"read_file":   {"path": at},
			"write_file":  {"path": at, "content": "x"},
			"edit_file":   {"path": at, "old_text": "needle", "new_text": "x"},
			"delete_file": {"path": at},
		} {
			if result := b.run(tool, arguments); !result.IsError || !strings.Contains(result.Parts[0].Text, "library") {
				t.Errorf("%s %s: %+v", tool, at, result)
			}
		}
	}
	for tool, arguments := range map[string]object{"search": {"pattern": "needle"}, "find_files": {"pattern": "**"}, "list_files": {"depth": 3}} {
		result := b.run(tool, arguments)
		text := strings.ReplaceAll(result.Parts[0].Text, "-> data/coppice.db", "-> there") // the target of a link is shown
		if !strings.Contains(text, "notes.txt") || strings.Contains(text, "coppice.db") {
			t.Errorf("%s: %s", tool, text)
		}
	}
	for name := range files {
		if b.content(name) != "needle" {
			t.Errorf("%s was changed", name)
		}
	}
}
