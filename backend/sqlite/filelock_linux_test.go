package sqlite

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"coppice/backend/core"
	"coppice/backend/sqlite/filelocktest"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/store"
)

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
	check(t, readerOf(t, db).Get(&sound, `PRAGMA integrity_check`))
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
	check(t, db.library.Write(t.Context(), func(*store.Txn) error {
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

// TestLostLocks takes the locks away, as the kernel does where it has POSIX locks alone. An older process then removes
// the write-ahead log under the open library.
func TestLostLocks(t *testing.T) {
	for _, other := range []string{"", childWriter, childOlder} {
		t.Run(other, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "coppice.db")
			db, err := Open(t.Context(), path, Options{})
			check(t, err)
			id := must(db.CreateSession(t.Context(), core.Session{Title: "mine"}))(t).ID
			before := lasting(t, path)
			for range 3 {
				check(t, filelocktest.Drop(path))
				if held := lasting(t, path); len(held) > 0 {
					t.Fatalf("locks %q after all were dropped", held)
				}
				if other != "" {
					child(t, other, path)
				}
				must(db.Append(t.Context(), id, core.Message{Role: core.RoleUser}))(t)
				if after := lasting(t, path); !slices.Equal(before, after) {
					t.Errorf("locks %q, want %q", after, before)
				}
				if n := must(db.Session(t.Context(), id))(t).MessageCount; n == 0 {
					t.Error("a reader misses what was written")
				}
			}
			check(t, db.Close())
			wantKept(t, path, id, 3, map[string]string{"": "mine", childWriter: "mine", childOlder: "mine+++"}[other])
		})
	}
}

// TestLostLocksAndReader takes the locks away while a reader is at work.
func TestLostLocksAndReader(t *testing.T) {
	path := filepath.Join(t.TempDir(), "coppice.db")
	db := openAt(t, path)
	check(t, db.library.Read(t.Context(), func(*store.Txn) error {
		check(t, filelocktest.Drop(path))
		_, err := db.CreateSession(t.Context(), core.Session{})
		wantCode(t, err, core.Busy)
		return nil
	}))
	must(db.CreateSession(t.Context(), core.Session{}))(t)
}

// TestReplaced puts another file in the place of an open library.
func TestReplaced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "coppice.db")
	foreign := []byte("a file of somebody else")
	for name, replace := range map[string]func(t *testing.T){
		"deleted": func(t *testing.T) { t.Helper(); check(t, os.Remove(path)) },
		"replaced": func(t *testing.T) {
			t.Helper()
			check(t, os.Rename(path, path+".old"))
			check(t, os.WriteFile(path, foreign, 0o600))
		},
	} {
		t.Run(name, func(t *testing.T) {
			path = filepath.Join(t.TempDir(), "coppice.db")
			db := openAt(t, path)
			id := must(db.CreateSession(t.Context(), core.Session{}))(t).ID
			replace(t)
			_, err := db.Append(t.Context(), id, core.Message{Role: core.RoleUser})
			wantCode(t, err, core.Conflict)
			_, err = db.Session(t.Context(), id)
			wantCode(t, err, core.Conflict)
			backup := path + ".backup"
			check(t, db.Backup(t.Context(), backup))
			check(t, db.Close())
			if content, err := os.ReadFile(path); name == "replaced" && (err != nil || string(content) != string(foreign)) {
				t.Errorf("the new file has become %q, %v", content, err)
			}
			must(openAt(t, backup).Session(t.Context(), id))(t)
		})
	}
}

// TestOneFileAfterClose checks that the last one to close a library leaves one file, and nobody else removes the log.
func TestOneFileAfterClose(t *testing.T) {
	path := filepath.Join(t.TempDir(), "coppice.db")
	one := openAt(t, path)
	two := openAt(t, path)
	id := must(one.CreateSession(t.Context(), core.Session{}))(t).ID
	log := must(os.Stat(path + "-wal"))(t)
	child(t, childWriter, path)
	check(t, one.Close())
	if after, err := os.Stat(path + "-wal"); err != nil || !os.SameFile(log, after) || after.Size() < log.Size() {
		t.Errorf("the log after others have closed the library: %v, %v", after, err)
	}
	check(t, two.Close())
	for _, name := range []string{path + "-wal", path + "-shm"} {
		if _, err := os.Stat(name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is left: %v", name, err)
		}
	}
	must(openAt(t, path).Session(t.Context(), id))(t)
}

// TestLockFileRemoved removes the lock file of an open library.
func TestLockFileRemoved(t *testing.T) {
	path := filepath.Join(t.TempDir(), "coppice.db")
	db := openAt(t, path)
	check(t, os.Remove(path+".lock"))
	must(db.CreateSession(t.Context(), core.Session{}))(t)
	if alone, err := conn.NewPresence(path).TakeAlone(); alone || err != nil {
		t.Errorf("another process is alone: %v, %v", alone, err)
	}
}

// TestMigrateWaitsForOthers opens an older library that another process has open.
func TestMigrateWaitsForOthers(t *testing.T) {
	path := older(t)
	other := conn.NewPresence(path)
	check(t, other.Share(t.Context()))
	code := core.Timeout // on a busy machine the time is up before it begins to wait
	for patience := 100 * time.Millisecond; code == core.Timeout; patience *= 2 {
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		_, err := open(ctx, path, Options{}, released(t, sound()))
		code = core.CodeOf(err)
		cancel()
	}
	if code != core.Busy {
		t.Errorf("code %s, want %s", code, core.Busy)
	}
	check(t, other.Release())
	db, err := open(t.Context(), path, Options{}, released(t, sound()))
	check(t, err)
	check(t, db.Close())
}

func TestBackupOntoItself(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "coppice.db")
	db := openAt(t, path)
	check(t, os.Symlink(folder, folder+"-link"))
	for _, name := range []string{path, path + "-wal", path + "-journal", path + ".lock", filepath.Join(folder+"-link", "coppice.db-shm")} {
		wantCode(t, db.Backup(t.Context(), name), core.Invalid)
	}
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
