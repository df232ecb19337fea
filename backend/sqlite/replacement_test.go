package sqlite

import (
	"os"
	"path/filepath"
	"testing"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/backups"
	"coppice/backend/sqlite/internal/conn"
)

// TestReplacementKilled checks that the next process finishes what a killed one has begun, from each step on.
func TestReplacementKilled(t *testing.T) {
	t.Parallel()
	for steps := range 4 {
		path := filepath.Join(t.TempDir(), "coppice.db")
		db := must(Open(t.Context(), path, Options{}))(t)
		id := merged(t, db, incoming("one", chain(5)...))
		backup := must(db.KeepBackup(t.Context(), core.BackupManual))(t)
		must(db.Append(t.Context(), id, say("later", "u4", core.RoleUser)))(t)
		killed := filepath.Join(t.TempDir(), "coppice.db") // a copy while it is open has a log, as after a kill
		check(t, conn.CopyFile(path, killed))
		check(t, conn.CopyFile(path+"-wal", killed+"-wal"))
		r := backups.Replacement{Library: killed, Stamp: backups.Stamp(db.library.Now()), Why: backups.AsideReplaced}
		check(t, conn.CopyFile(backup.Path, r.Next()))
		for _, step := range []func() error{
			func() error { return os.Rename(killed+"-wal", r.Aside()+"-wal") },
			func() error { return os.Rename(killed, r.Aside()) },
			func() error { return conn.MakeFile(killed) }, // another process was about to open it
		}[:steps] {
			check(t, step())
		}
		for _, want := range []struct {
			file     string
			messages int
		}{{killed, 5}, {r.Aside(), 6}} { // opening the first one finishes the replacement
			if got := collect(t, openAt(t, want.file).Messages(t.Context(), id)); len(got) != want.messages {
				t.Errorf("after %d steps: %s has %d messages, want %d", steps, filepath.Base(want.file), len(got), want.messages)
			}
		}
		if left, _ := filepath.Glob(killed + ".next*"); len(left) > 0 {
			t.Errorf("after %d steps: left behind: %v", steps, left)
		}
	}
}

func TestReplaceWhileOpen(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "coppice.db")
	db := must(Open(t.Context(), path, Options{}))(t)
	backup := must(db.KeepBackup(t.Context(), core.BackupManual))(t)
	_, err := backups.Restore(t.Context(), path, backup.Path)
	wantCode(t, err, core.Busy)
	_, err = backups.SetAside(path)
	wantCode(t, err, core.Busy)
	check(t, db.Close())
	must(backups.Restore(t.Context(), path, backup.Path))(t)
}
