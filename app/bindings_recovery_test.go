package app

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"coppice/backend/core"
	"coppice/backend/sqlite"
)

// damagedWindow makes a library of the samples with a backup, destroys its first page and opens a window on it.
func damagedWindow(t *testing.T) (b *Bindings, path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "coppice.db")
	db := must(sqlite.Open(t.Context(), path, sqlite.Options{}))(t)
	must(loadSamples(t.Context(), db, time.Now()))(t)
	must(db.KeepBackup(t.Context(), core.BackupDaily))(t)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	data := must(os.ReadFile(path))(t)
	clear(data[:8192])
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	b = newBindings(&quietHost{}, windowStateFile(filepath.Join(t.TempDir(), "window.json")))
	b.library.start(t.Context(), path)
	t.Cleanup(func() {
		if err := b.close(); err != nil {
			t.Error(err)
		}
	})
	state := must(b.GetLibraryState())(t)
	if state.State != libraryDamaged || state.Path != path || len(state.Backups) != 1 || state.Message == "" {
		t.Fatalf("state %+v", state)
	}
	return b, path
}

func sessionsOf(t *testing.T, b *Bindings) int {
	t.Helper()
	if state := must(b.GetLibraryState())(t); state.State != libraryOpen {
		t.Fatalf("state %+v", state)
	}
	return len(must(b.ListSessions(core.SessionFilter{Limit: 1000}))(t).Sessions)
}

func TestDamagedLibraryIsRestored(t *testing.T) {
	t.Parallel()
	b, path := damagedWindow(t)
	state := must(b.GetLibraryState())(t)
	aside := must(b.RestoreBackup(state.Backups[0].Path))(t)
	if sessionsOf(t, b) == 0 || aside == "" || aside == path {
		t.Errorf("aside %s", aside)
	}
	// An open library can be replaced too.
	must(b.RestoreBackup(state.Backups[0].Path))(t)
	if sessionsOf(t, b) == 0 {
		t.Error("no sessions")
	}
}

func TestDamagedLibraryIsRecovered(t *testing.T) {
	t.Parallel()
	b, _ := damagedWindow(t)
	id := must(b.StartRecovery())(t)
	job := waitJob(t, b, id)
	if job.Error != "" || job.Recovery.Messages == 0 || job.Recovery.Messages != job.Recovery.Expected {
		t.Fatalf("job %+v", job)
	}
	if got := sessionsOf(t, b); got == 0 {
		t.Error("no sessions")
	}
	if _, err := os.Stat(job.Path); err != nil {
		t.Errorf("the damaged library: %v", err)
	}
}

func TestNewLibraryBesideADamagedOne(t *testing.T) {
	t.Parallel()
	b, _ := damagedWindow(t)
	aside := must(b.StartNewLibrary())(t)
	if sessionsOf(t, b) != 0 {
		t.Error("the new library has sessions")
	}
	if _, err := os.Stat(aside); err != nil {
		t.Error(err)
	}
	if _, err := b.StartNewLibrary(); core.CodeOf(err) != core.Conflict {
		t.Errorf("a sound library was set aside: %v", err)
	}
}
