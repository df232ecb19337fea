package sqlite

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/backups"
	"coppice/backend/sqlite/internal/conn"
)

// libraryWithBackup makes a library of five messages, a backup of it, and one more message.
func libraryWithBackup(t *testing.T) (path, session, backup string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "coppice.db")
	db := must(Open(t.Context(), path, Options{}))(t)
	session = merged(t, db, incoming("one", chain(5)...))
	backup = must(db.KeepBackup(t.Context(), core.BackupManual))(t).Path
	must(db.Append(t.Context(), session, say("later", "u4", core.RoleUser)))(t)
	check(t, db.Close())
	return path, session, backup
}

// wantMessages opens a library and compares how many messages a session has.
func wantMessages(t *testing.T, path, session string, want int) {
	t.Helper()
	db := must(Open(t.Context(), path, Options{}))(t)
	if got := collect(t, db.Messages(t.Context(), session)); len(got) != want {
		t.Errorf("%s has %d messages, want %d", path, len(got), want)
	}
	check(t, db.Close())
}

// TestReplaceKeepsOthersOut opens the library while another file takes its place.
func TestReplaceKeepsOthersOut(t *testing.T) {
	t.Parallel()
	path, session, backup := libraryWithBackup(t)
	_, err := backups.ReplaceLibrary(path, "replaced", func(part string) error {
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		db, err := Open(ctx, path, Options{})
		if err == nil {
			t.Error("the library could be opened while it was replaced")
			check(t, db.Close())
		}
		return conn.CopyFile(backup, part)
	})
	check(t, err)
	wantMessages(t, path, session, 5)
}

// TestRestoreNeedsTheLibraryAlone restores while the library is open, for writing and for reading.
func TestRestoreNeedsTheLibraryAlone(t *testing.T) {
	t.Parallel()
	path, session, backup := libraryWithBackup(t)
	for name, opts := range map[string]Options{"writing": {}, "reading": {ReadOnly: true}} {
		db := must(Open(t.Context(), path, opts))(t)
		_, err := backups.Restore(t.Context(), path, backup)
		wantCode(t, err, core.Busy)
		if _, remedy := core.HelpOf(err); err != nil && !strings.Contains(err.Error(), "another process has") || remedy.Kind != core.CloseLibrary {
			t.Errorf("open for %s: %v, remedy %q", name, err, remedy.Kind)
		}
		check(t, db.Close())
	}
	wantMessages(t, path, session, 6)
	must(backups.Restore(t.Context(), path, backup))(t)
	wantMessages(t, path, session, 5)
}

// TestRestoreLeavesOneFile restores a library right after it was closed, and one that a killed process left with its log.
func TestRestoreLeavesOneFile(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"closed", "killed"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path, session, backup := libraryWithBackup(t)
			if name == "killed" {
				path = leftByKill(t, path, session)
			}
			aside := must(backups.Restore(t.Context(), path, backup))(t)
			for _, suffix := range []string{"-wal", "-shm", "-journal"} {
				if _, err := os.Stat(path + suffix); err == nil {
					t.Errorf("%s is left of the library that was replaced", suffix)
				}
			}
			wantMessages(t, path, session, 5)
			want := map[string]int{"closed": 6, "killed": 7}[name]
			wantMessages(t, aside, session, want)
			if found := problemsOf(t, openAt(t, path)); found != "" {
				t.Error(found)
			}
		})
	}
}

// leftByKill appends a message to a library and returns a copy as it is on the disk while the library is still open, which is what a
// killed process leaves.
func leftByKill(t *testing.T, path, session string) string {
	t.Helper()
	db := openAt(t, path)
	must(db.Append(t.Context(), session, say("in the log", "later", core.RoleUser)))(t)
	left := filepath.Join(t.TempDir(), "coppice.db")
	for _, suffix := range []string{"", "-wal", "-shm"} {
		check(t, conn.CopyFile(path+suffix, left+suffix))
	}
	return left
}
