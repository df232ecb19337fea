package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"os"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
)

// childWriter names the library that a copy of this test program opens, writes one session to and closes.
const childWriter = "COPPICE_TEST_CHILD_WRITER"

// childOlder names the library that a copy of this test program changes as a Coppice without
// open-file-description locks would, or the sqlite3 shell.
const childOlder = "COPPICE_TEST_CHILD_OLDER"

// childImpatient makes the older Coppice fail at once if the library is locked.
const childImpatient = "COPPICE_TEST_CHILD_IMPATIENT"

func endChild(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

func writeOnce(path string) {
	ctx := context.Background()
	db, err := Open(ctx, path, Options{})
	if err == nil {
		_, err = db.CreateSession(ctx, core.Session{Title: "from another process"})
	}
	if err == nil {
		err = db.Close()
	}
	endChild(err)
}

func writeAsOlder(path string) {
	if err := conn.Unlock(path); err != nil {
		endChild(err)
	}
	db, err := sql.Open("sqlite", conn.DataSource(path, map[string][]string{"_pragma": conn.WritePragmas()}))
	if err == nil && os.Getenv(childImpatient) != "" {
		_, err = db.Exec(`PRAGMA busy_timeout = 0`)
	}
	if err == nil {
		_, err = db.Exec(`UPDATE sessions SET title = title || '+'`)
	}
	if err == nil {
		err = db.Close()
	}
	endChild(err)
}
