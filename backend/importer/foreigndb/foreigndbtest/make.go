// Package foreigndbtest creates databases of other tools for tests.
package foreigndbtest

import (
	"database/sql"
	"os"
	"path/filepath"
	"testing"

	_ "modernc.org/sqlite" // the driver
)

// DB is a database as its own tool opens it.
type DB = sql.DB

// Statement is a statement and its arguments.
type Statement struct {
	SQL  string
	Args []any
}

// Open opens a database with a write-ahead log as its own tool does, creates it if needed, and leaves it open until the test
// ends.
func Open(t testing.TB, path string) *DB {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=journal_mode(WAL)&_pragma=wal_autocheckpoint(0)&_pragma=synchronous(OFF)")
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

// Run runs statements.
func Run(t testing.TB, db *DB, all ...Statement) {
	t.Helper()
	for _, s := range all {
		if _, err := db.Exec(s.SQL, s.Args...); err != nil {
			t.Fatalf("%s: %v", s.SQL, err)
		}
	}
}

// Copy copies files of a folder into another one and returns that.
func Copy(t testing.TB, folder string, names ...string) string {
	t.Helper()
	to := t.TempDir()
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(to, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return to
}
