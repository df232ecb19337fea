package sqlite

import (
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
	if size := int64(len(pagesAt(t, path))) * testPageSize; told != size {
		t.Errorf("%d bytes are told, the file takes %d", told, size)
	}
}
