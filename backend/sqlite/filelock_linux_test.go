package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"coppice/backend/core"
	"coppice/backend/sqlite/filelocktest"
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
	db, err := sql.Open("sqlite", dataSource(path, map[string][]string{"_pragma": writePragmas()}))
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

// child runs a copy of this test program with a variable set, and waits for it.
func child(t *testing.T, variable, path string) {
	t.Helper()
	c := exec.Command(os.Args[0]) //nolint:gosec // this test program
	c.Env = append(os.Environ(), variable+"="+path)
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("the other process: %v\n%s", err, out)
	}
}

// openAndClose does what a file dialog does with the files it shows.
func openAndClose(t *testing.T, path string) {
	t.Helper()
	for _, name := range []string{path, path + "-wal", path + "-shm", path + ".lock"} {
		f, err := os.Open(name)
		check(t, err)
		check(t, f.Close())
	}
}

// TestForeignClose is how a library of 155 MB was lost: a dialog of the window's process opened and closed the
// library's files, which dropped the window's locks, and the next program removed the log that the window wrote to.
func TestForeignClose(t *testing.T) {
	for _, other := range []string{childWriter, childOlder} {
		t.Run(other, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "coppice.db")
			db, err := Open(t.Context(), path, Options{})
			check(t, err)
			id := must(db.CreateSession(t.Context(), core.Session{Title: "mine"}))(t).ID
			const rounds = 3
			for range rounds {
				must(db.Append(t.Context(), id, core.Message{Role: core.RoleUser}))(t)
				openAndClose(t, path)
				child(t, other, path)
			}
			must(db.Append(t.Context(), id, core.Message{Role: core.RoleUser}))(t)
			check(t, db.Close())
			wantKept(t, path, id, rounds+1, map[string]string{childWriter: "mine", childOlder: "mine+++"}[other])
		})
	}
}

// wantKept checks that a closed library is sound and has a session with so many messages.
func wantKept(t *testing.T, path, id string, messages int64, title string) {
	t.Helper()
	db := openAt(t, path)
	var sound string
	check(t, db.reads.db.Get(&sound, `PRAGMA integrity_check`))
	if sound != "ok" {
		t.Errorf("integrity check: %s", sound)
	}
	s := must(db.Session(t.Context(), id))(t)
	if s.MessageCount != messages || s.Title != title {
		t.Errorf("%d messages in %q, want %d in %q", s.MessageCount, s.Title, messages, title)
	}
}

// TestPOSIXLocksConflict checks that a process with POSIX locks does not write while this one does.
func TestPOSIXLocksConflict(t *testing.T) {
	path := filepath.Join(t.TempDir(), "coppice.db")
	db := openAt(t, path)
	check(t, db.write(t.Context(), func(*tx) error {
		c := exec.Command(os.Args[0]) //nolint:gosec // this test program
		c.Env = append(os.Environ(), childOlder+"="+path, childImpatient+"=1")
		if out, err := c.CombinedOutput(); err == nil || !strings.Contains(string(out), "locked") {
			t.Errorf("a second writer: %v %s", err, out)
		}
		return nil
	}))
	child(t, childOlder, path)
}

// lasting returns the locks that a library holds as long as it is open. The others come and go with each transaction.
func lasting(t *testing.T, path string) []string {
	t.Helper()
	return slices.DeleteFunc(must(filelocktest.Held(path))(t), func(lock string) bool {
		return !strings.HasSuffix(lock, "READ 128-128") && !strings.HasSuffix(lock, "READ 1073741826-1073742335")
	})
}

func TestForeignCloseKeepsLocks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "coppice.db")
	db := openAt(t, path)
	merged(t, db, incoming("one", chain(3)...))
	before := lasting(t, path)
	if len(before) != 2 {
		t.Fatalf("locks %q, want one on the database and one on the shared memory", before)
	}
	openAndClose(t, path)
	if after := lasting(t, path); !slices.Equal(before, after) {
		t.Errorf("locks %q, want %q", after, before)
	}
	check(t, db.Backup(t.Context(), path+".backup"))
	if after := lasting(t, path); !slices.Equal(before, after) {
		t.Errorf("after a backup: locks %q, want %q", after, before)
	}
}

// TestDescriptors opens and closes a library many times: the locks keep no descriptor open.
func TestDescriptors(t *testing.T) {
	path := filepath.Join(t.TempDir(), "coppice.db")
	open := func() int {
		t.Helper()
		return len(must(os.ReadDir("/proc/self/fd"))(t))
	}
	check(t, openAt(t, path).Close())
	before := open()
	for range 30 {
		db, err := Open(t.Context(), path, Options{})
		check(t, err)
		check(t, db.Close())
	}
	if after := open(); after > before+5 { // the runtime opens some of its own
		t.Errorf("%d descriptors are open, before %d", after, before)
	}
}
