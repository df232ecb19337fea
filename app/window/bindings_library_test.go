package window

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"coppice/app/internal/apptest"
	"coppice/app/internal/library"
	"coppice/app/window/internal/remedy"
	"coppice/backend/core"
	"coppice/backend/sqlite"
)

// closedSamples returns the path of a closed library with the samples and a backup.
func closedSamples(t *testing.T, kind core.BackupKind) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "coppice.db")
	db := apptest.Must(sqlite.Open(t.Context(), path, sqlite.Options{}))(t)
	apptest.Must(library.LoadSamples(t.Context(), db, time.Now()))(t)
	apptest.Must(db.KeepBackup(t.Context(), kind))(t)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// damagedWindow creates a library with the samples and a backup, overwrites its first page and opens a window on it.
func damagedWindow(t *testing.T) (b *bindings, path string) {
	t.Helper()
	path = closedSamples(t, core.BackupDaily)
	data := apptest.Must(os.ReadFile(path))(t)
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
	state := apptest.Must(b.GetLibraryState())(t)
	if state.State != libraryDamaged || state.Path != path || len(state.Backups) != 1 || state.Message == "" {
		t.Fatalf("state %+v", state)
	}
	return b, path
}

func sessionsOf(t *testing.T, b *bindings) int {
	t.Helper()
	if state := apptest.Must(b.GetLibraryState())(t); state.State != libraryOpen {
		t.Fatalf("state %+v", state)
	}
	return len(apptest.Must(b.ListSessions(core.SessionFilter{Limit: 1000}))(t).Sessions)
}

func TestDamagedLibraryIsRestored(t *testing.T) {
	t.Parallel()
	b, path := damagedWindow(t)
	state := apptest.Must(b.GetLibraryState())(t)
	aside := apptest.Must(b.RestoreBackup(state.Backups[0].Path))(t)
	if sessionsOf(t, b) == 0 || aside == "" || aside == path {
		t.Errorf("aside %s", aside)
	}
	// A library that is open can be replaced too.
	apptest.Must(b.RestoreBackup(state.Backups[0].Path))(t)
	if sessionsOf(t, b) == 0 {
		t.Error("no sessions")
	}
}

func TestDamagedLibraryIsRecovered(t *testing.T) {
	t.Parallel()
	b, _ := damagedWindow(t)
	id := apptest.Must(b.StartRecovery())(t)
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
	aside := apptest.Must(b.StartNewLibrary())(t)
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

// leftOpenWindow opens a window on a library with damaged interior pages, which can be opened, and checks its pages.
func leftOpenWindow(t *testing.T) (b *bindings, path string) {
	t.Helper()
	path = closedSamples(t, core.BackupManual)
	const pageSize, interior = 8192, 5 // https://sqlite.org/fileformat.html#b_tree_pages
	data := apptest.Must(os.ReadFile(path))(t)
	for page := pageSize; page < len(data); page += pageSize {
		if data[page] == interior {
			clear(data[page : page+pageSize])
		}
	}
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
	if state := apptest.Must(b.GetLibraryState())(t); state.State != libraryOpen || len(state.Damage) > 0 {
		t.Fatalf("before the check: %+v", state)
	}
	ctx, open, err := b.library.get()
	if err != nil {
		t.Fatal(err)
	}
	b.checkPages(ctx, open)
	if state := apptest.Must(b.GetLibraryState())(t); state.State != libraryOpen || len(state.Damage) == 0 {
		t.Fatalf("after the check: %+v", state)
	}
	return b, path
}

func TestDamageOfAnOpenLibraryIsReported(t *testing.T) {
	t.Parallel()
	for name, leave := range map[string]func(t *testing.T, b *bindings){
		"recover": func(t *testing.T, b *bindings) {
			job := waitJob(t, b, apptest.Must(b.StartRecovery())(t))
			if job.Error != "" || job.Recovery.Messages == 0 || job.Recovery.Messages != job.Recovery.Expected {
				t.Errorf("job %+v", job)
			}
		},
		"restore": func(t *testing.T, b *bindings) {
			apptest.Must(b.RestoreBackup(apptest.Must(b.GetLibraryState())(t).Backups[0].Path))(t)
		},
		"start a new one": func(t *testing.T, b *bindings) { apptest.Must(b.StartNewLibrary())(t) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b, _ := leftOpenWindow(t)
			leave(t, b)
			if state := apptest.Must(b.GetLibraryState())(t); state.State != libraryOpen || len(state.Damage) > 0 {
				t.Errorf("afterwards: %+v", state)
			}
			if got := sessionsOf(t, b); (got == 0) != (name == "start a new one") {
				t.Errorf("%d sessions", got)
			}
		})
	}
}

// TestRecoveryIsCanceled cancels a recovery of a sparse file that takes minutes to read.
func TestRecoveryIsCanceled(t *testing.T) {
	t.Parallel()
	b, path := damagedWindow(t)
	if err := os.Truncate(path, 1<<38); err != nil {
		t.Skip(err) // the file system does not support sparse files of this size
	}
	id := apptest.Must(b.StartRecovery())(t)
	if err := b.CancelJob(id); err != nil {
		t.Fatal(err)
	}
	if job := waitJob(t, b, id); !job.Canceled || job.Error != "" {
		t.Errorf("job %+v", job)
	}
	if info := apptest.Must(os.Stat(path))(t); info.Size() != 1<<38 {
		t.Errorf("the damaged file has %d bytes", info.Size())
	}
	left := apptest.Must(filepath.Glob(filepath.Join(filepath.Dir(path), "*")))(t)
	for _, name := range left {
		if strings.Contains(name, ".new-") || strings.Contains(name, ".damaged-") {
			t.Errorf("left behind: %s", name)
		}
	}
}

// TestWindowRestoresAlone requires that no backup is restored while another process has the library open.
func TestWindowRestoresAlone(t *testing.T) {
	t.Parallel()
	b, path := damagedWindow(t)
	backup := apptest.Must(b.GetLibraryState())(t).Backups[0].Path
	apptest.Must(b.RestoreBackup(backup))(t)
	other := exec.CommandContext(t.Context(), "hold-library", path)
	printed := apptest.Must(other.StdoutPipe())(t)
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(printed).ReadString('\n'); line != "open\n" {
		t.Fatalf("%q: %v", line, err)
	}
	_, err := b.RestoreBackup(backup)
	if core.CodeOf(err) != core.Busy || !strings.Contains(err.Error(), "another process has") || remedy.Hint(err) == "" {
		t.Errorf("restored while another process has it open: %v", err)
	}
	if sessionsOf(t, b) == 0 {
		t.Error("no sessions after the refusal")
	}
	if err := other.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := other.Wait(); err != nil {
		t.Error(err)
	}
	apptest.Must(b.RestoreBackup(backup))(t)
}
