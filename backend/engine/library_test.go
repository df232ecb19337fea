package engine_test

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"coppice/backend/sqlite"
)

// emptyLibrary returns the bytes of a library without sessions. It is made once: all migrations take longer than most tests.
var emptyLibrary = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "coppice-empty-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	path := filepath.Join(dir, "empty.db")
	db, err := sqlite.Open(context.Background(), path, sqlite.Options{})
	if err != nil {
		return nil, err
	}
	if err := db.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

// libraryIn writes an empty library into a folder, and returns its path.
func libraryIn(tb testing.TB, dir string) string {
	tb.Helper()
	path := filepath.Join(dir, "coppice.db")
	check(tb, os.WriteFile(path, must(emptyLibrary())(tb), 0o600))
	return path
}
