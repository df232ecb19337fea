// Package apptest holds helpers that the tests of several packages of the program share. Only tests import it.
package apptest

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"coppice/backend/importer/foreigndb/foreigndbtest"
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

// DamageMessage makes the text of a message of an open library unreadable.
func DamageMessage(t testing.TB, db *sqlite.DB, uid string) {
	t.Helper()
	file := foreigndbtest.Open(t, db.FilePath())
	foreigndbtest.Run(t, file, foreigndbtest.Statement{SQL: `UPDATE messages SET body = x'28b52ffd00' WHERE uid = ?`, Args: []any{uid}})
}

// Files returns the paths of all files and folders below a folder, relative to it, hidden ones too.
func Files(t testing.TB, folder string) []string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
		if path != folder {
			all = append(all, filepath.ToSlash(path[len(folder)+1:]))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
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
