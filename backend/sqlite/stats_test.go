package sqlite

import (
	"os"
	"path/filepath"
	"testing"

	"coppice/backend/core"
)

// TestSizeIsTheDatabases requires the size of the database, without its log.
func TestSizeIsTheDatabases(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	db := must(Open(t.Context(), path, Options{}))(t)
	for range 200 {
		must(db.CreateSession(t.Context(), core.Session{Title: "one of many"}))(t)
	}
	told := must(db.Stats(t.Context()))(t).SizeBytes
	check(t, db.Close())
	if size := must(os.Stat(path))(t).Size() - int64(pagesAt(t, path)); told != size {
		t.Errorf("%d bytes are told, the file takes %d", told, size)
	}
}
