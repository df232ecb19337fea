// Package apptest holds helpers that the tests of several packages of the program share. Only tests import it.
package apptest

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"coppice/backend/sqlite"
)

// Must returns a function that returns value, or ends the test if err is not nil: Must(f())(t).
func Must[T any](value T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

// OpenLibrary opens a new library, which is closed when the test ends.
func OpenLibrary(t testing.TB) *sqlite.DB {
	t.Helper()
	db := Must(sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "coppice.db"), sqlite.Options{}))(t)
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

// SharedSession writes the file of a session that names a workspace. sample is an archive with the session "greeting",
// see backend/archive.
func SharedSession(t testing.TB, sample, workspace string) string {
	t.Helper()
	data := Must(os.ReadFile(sample))(t)
	path := filepath.Join(t.TempDir(), "shared.json")
	data = bytes.ReplaceAll(data, []byte(`"workspacePath":"/home/ada/x"`), []byte(`"workspacePath":"`+workspace+`"`))
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
