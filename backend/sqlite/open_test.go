package sqlite

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/jmoiron/sqlx"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/store"
)

func TestOpenMakesPrivateFiles(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("has neither modes nor such names")
	}
	path := filepath.Join(t.TempDir(), "new folder", "odd name?#%20é.db")
	db := openAt(t, path)
	merged(t, db, incoming("one", chain(3)...))
	if db.FilePath() != path {
		t.Errorf("path %s", db.FilePath())
	}
	for name, want := range map[string]os.FileMode{path: 0o600, path + "-wal": 0o600, path + "-shm": 0o600, filepath.Dir(path): 0o700} {
		info, err := os.Stat(name)
		check(t, err)
		if info.Mode().Perm() != want {
			t.Errorf("%s has mode %o, want %o", name, info.Mode().Perm(), want)
		}
	}
}

func TestOpenPragmas(t *testing.T) {
	db := openTest(t)
	for query, want := range map[string]string{
		`PRAGMA journal_mode`: "wal", `PRAGMA auto_vacuum`: "2", `PRAGMA page_size`: "8192", `PRAGMA application_id`: "1668247664", `PRAGMA user_version`: latest(),
	} {
		var got string
		check(t, db.library.Read(t.Context(), func(r *store.Txn) error { return r.Get(t.Context(), &got, query) }))
		if got != want {
			t.Errorf("%s is %s, want %s", query, got, want)
		}
	}
	for query, want := range map[string]string{`PRAGMA synchronous`: "2", `PRAGMA foreign_keys`: "1"} {
		var got string
		check(t, writerOf(t, db).GetContext(t.Context(), &got, query))
		if got != want {
			t.Errorf("%s is %s, want %s", query, got, want)
		}
	}
	err := db.library.Read(t.Context(), func(r *store.Txn) error {
		_, err := r.Exec(t.Context(), `DELETE FROM sessions`)
		return err
	})
	if err == nil {
		t.Error("a reader may write")
	}
}

func TestOpenAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "coppice.db")
	db, err := Open(t.Context(), path, Options{})
	check(t, err)
	id := merged(t, db, incoming("one", chain(5)...))
	check(t, db.Close())
	if s := must(openAt(t, path).Session(t.Context(), id))(t); s.MessageCount != 5 {
		t.Errorf("%d messages", s.MessageCount)
	}
}

// raw changes a file as another program would.
func raw(tb testing.TB, path string, statements ...string) {
	tb.Helper()
	db, err := sql.Open("sqlite", conn.DataSource(path, nil))
	check(tb, err)
	for _, s := range statements {
		if _, err := db.Exec(s); err != nil {
			tb.Fatalf("%s: %v", s, err)
		}
	}
	check(tb, db.Close())
}

func TestOpenRefuses(t *testing.T) {
	sound := func(t *testing.T, path string) {
		t.Helper()
		db, err := Open(t.Context(), path, Options{})
		check(t, err)
		check(t, db.Close())
	}
	write := func(content string) func(*testing.T, string) {
		return func(t *testing.T, path string) {
			t.Helper()
			check(t, os.WriteFile(path, []byte(content), 0o600))
		}
	}
	for _, test := range []struct {
		name string
		make func(t *testing.T, path string)
		code core.Code
		says string
	}{
		{"newer", func(t *testing.T, path string) { sound(t, path); raw(t, path, `PRAGMA user_version = 99`) }, core.TooNew, "version 99"},
		{"not a database", write(strings.Repeat("hello, this is a letter to you\n", 100)), core.Corrupt, "not a database"},
		{"another program's", func(t *testing.T, path string) { raw(t, path, `CREATE TABLE recipes (a)`) }, core.Invalid, "another program"},
		{"cut short", func(t *testing.T, path string) { sound(t, path); check(t, os.Truncate(path, 5000)) }, core.Corrupt, ""},
		{"a folder", func(t *testing.T, path string) { check(t, os.Mkdir(path, 0o700)) }, core.Invalid, "folder"},
		{"below a file", func(t *testing.T, path string) { check(t, os.WriteFile(filepath.Dir(path), nil, 0o600)) }, core.Internal, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "x", "coppice.db")
			if test.name != "below a file" {
				check(t, os.Mkdir(filepath.Dir(path), 0o700))
			}
			test.make(t, path)
			before, _ := os.ReadFile(path)
			for _, readOnly := range []bool{false, true} {
				db, err := Open(t.Context(), path, Options{ReadOnly: readOnly})
				if err == nil {
					db.Close()
					t.Fatal("it was opened")
				}
				if !readOnly || test.name != "below a file" {
					wantCode(t, err, test.code)
				}
				if !strings.Contains(err.Error(), test.says) {
					t.Errorf("error %q does not say %q", err, test.says)
				}
				if hint, remedy := core.HelpOf(err); test.code != core.Internal && hint == "" && remedy.Kind == "" {
					t.Errorf("error %q has neither a hint nor a remedy", err)
				}
			}
			if after, _ := os.ReadFile(path); !bytes.Equal(before, after) {
				t.Error("the file was touched")
			}
		})
	}
}

func TestOpenReadOnly(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "coppice.db")
	_, err := Open(t.Context(), path, Options{ReadOnly: true})
	wantCode(t, err, core.NotFound)
	if entries, _ := os.ReadDir(folder); len(entries) > 0 {
		t.Errorf("opening what is not there made %v", entries)
	}
	db, err := Open(t.Context(), path, Options{})
	check(t, err)
	id := merged(t, db, incoming("one", chain(5)...))
	check(t, db.Close())
	ro, err := Open(t.Context(), path, Options{ReadOnly: true})
	check(t, err)
	defer ro.Close()
	if w := must(ro.Window(t.Context(), id, "", 0, 0))(t); len(w.Messages) != 5 {
		t.Errorf("%d messages", len(w.Messages))
	}
	_, err = ro.Append(t.Context(), id, say("x", "", core.RoleUser))
	wantCode(t, err, core.Denied)
	_, err = core.Merge(t.Context(), ro, incoming("two", chain(1)...))
	wantCode(t, err, core.Denied)
}

func TestOpenReadOnlyOlder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "coppice.db")
	raw(t, path, `PRAGMA application_id = 1668247664`, `CREATE TABLE old (a)`)
	_, err := Open(t.Context(), path, Options{ReadOnly: true})
	wantCode(t, err, core.Unavailable)
}

// Root may write anywhere, so only other users see missing permissions.
func TestOpenWithoutRights(t *testing.T) {
	if os.Geteuid() == 0 || runtime.GOOS == "windows" {
		t.Skip("needs a user whom permissions stop")
	}
	path := filepath.Join(t.TempDir(), "x", "coppice.db")
	db, err := Open(t.Context(), path, Options{})
	check(t, err)
	merged(t, db, incoming("one", chain(5)...))
	check(t, db.Close())
	check(t, os.Chmod(path, 0o400))
	check(t, os.Chmod(filepath.Dir(path), 0o500))                       //nolint:gosec // a folder
	t.Cleanup(func() { check(t, os.Chmod(filepath.Dir(path), 0o700)) }) //nolint:gosec // a folder
	ro, err := Open(t.Context(), path, Options{ReadOnly: true})
	check(t, err)
	check(t, ro.Close())
	if db, err := Open(t.Context(), path, Options{}); err == nil {
		defer db.Close()
		_, err = core.Merge(t.Context(), db, incoming("two", chain(1)...))
		wantCode(t, err, core.Denied)
	} else {
		wantCode(t, err, core.Denied)
	}
}

// Only a bulk write may end before the disk has it.
func TestSynchronous(t *testing.T) {
	db := openTest(t)
	level := func(run func(context.Context, func(*store.Txn) error) error) (n int64) {
		check(t, run(t.Context(), func(x *store.Txn) error {
			return sqlx.GetContext(t.Context(), x.Direct(), &n, `PRAGMA synchronous`)
		}))
		return n
	}
	for range 3 {
		if full, normal := level(db.library.Write), level(db.library.WriteBulk); full != 2 || normal != 1 {
			t.Errorf("synchronous is %d, in bulk %d", full, normal)
		}
		broken := errors.New("broken")
		if err := db.library.WriteBulk(t.Context(), func(*store.Txn) error { return broken }); !errors.Is(err, broken) {
			t.Errorf("error %v", err)
		}
	}
}

func TestTwoProcessesWrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "coppice.db")
	one, two := openAt(t, path), openAt(t, path)
	id := must(one.CreateSession(t.Context(), core.Session{}))(t).ID
	const each = 50
	var group sync.WaitGroup
	for _, db := range []*DB{one, two} {
		group.Go(func() {
			for range each {
				if _, err := db.Append(t.Context(), id, core.Message{Role: core.RoleUser}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	s := must(one.Session(t.Context(), id))(t)
	if s.MessageCount != 2*each || s.BranchCount != 2*each {
		t.Errorf("%d messages in %d branches, want %d", s.MessageCount, s.BranchCount, 2*each)
	}
	wantSound(t, two)
}

func TestWriterWaitsWithContext(t *testing.T) {
	db := openTest(t)
	check(t, db.library.File.Exclusive(t.Context(), func(*sqlx.Conn) error {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := db.CreateSession(ctx, core.Session{})
		wantCode(t, err, core.Canceled)
		return nil
	}))
}

// wantSound checks the whole library.
func wantSound(tb testing.TB, db *DB) {
	tb.Helper()
	for _, problem := range must(db.Check(tb.Context(), nil))(tb) {
		tb.Errorf("check: %s", problem)
	}
	if must(db.Pending(tb.Context()))(tb) < 20_000 { // long enough for any batch
		wantIndexed(tb, db)
	}
}
