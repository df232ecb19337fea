package window

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"coppice/app/internal/apptest"
	"coppice/app/internal/export"
	"coppice/app/window/internal/job"
	"coppice/backend/core"
	"coppice/backend/sqlite"
	"coppice/backend/sqlite/filelocktest"
)

// closings counts how often the files of a library are closed. A process that closes one of them loses its POSIX locks.
type closings struct{ inotify int }

func watchClosings(t *testing.T, library string) closings {
	t.Helper()
	fd, err := unix.InotifyInit1(unix.IN_NONBLOCK | unix.IN_CLOEXEC)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unix.Close(fd) })
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if _, err := unix.InotifyAddWatch(fd, library+suffix, unix.IN_CLOSE); err != nil {
			t.Fatal(err)
		}
	}
	return closings{inotify: fd}
}

// take returns the number of closings since its previous call.
func (c closings) take() (n int) {
	buffer := make([]byte, 64<<10)
	for {
		size, err := unix.Read(c.inotify, buffer)
		if err != nil || size <= 0 {
			return n
		}
		for at := 0; at < size; n++ {
			event := (*unix.InotifyEvent)(unsafe.Pointer(&buffer[at])) //nolint:gosec // the kernel's format
			at += unix.SizeofInotifyEvent + int(event.Len)
		}
	}
}

// TestNothingClosesTheLibrary runs everything that could open the library's files while the library is open. It requires
// that no file is closed and that all locks are still held.
func TestNothingClosesTheLibrary(t *testing.T) {
	b, _ := openBindings(t)
	ctx, db, err := b.library.get()
	if err != nil {
		t.Fatal(err)
	}
	library := db.FilePath()
	folder := filepath.Dir(library)
	sessions := apptest.Must(b.ListSessions(core.SessionFilter{}))(t).Sessions
	linked := filepath.Join(t.TempDir(), "linked.jsonl")
	if err := os.Symlink(library, linked); err != nil {
		t.Fatal(err)
	}
	end := func(id string, err error) func(*testing.T) job.Job {
		return func(t *testing.T) job.Job { return waitJob(t, b, apptest.Must(id, err)(t)) }
	}
	before := lasting(t, library)
	if len(before) < 2 {
		t.Fatalf("the open library holds %v", before)
	}
	closed := watchClosings(t, library)
	for _, step := range []struct {
		name string
		do   func(t *testing.T)
	}{ // the names of steps that open a SQLite connection begin with "backup"
		{"backup to a file", func(t *testing.T) { end(b.StartBackup(filepath.Join(folder, "copy.db")))(t) }},
		{"backup onto the library", func(t *testing.T) { end(b.StartBackup(library))(t) }},
		{"backup to keep", func(t *testing.T) { end(b.StartBackupNow())(t) }},
		{"export into the folder", func(t *testing.T) {
			end(b.StartExport(ExportRequest{SessionIDs: []string{sessions[0].ID}, Format: export.HTML}, filepath.Join(folder, "export.html")))(t)
		}},
		{"export onto the library", func(t *testing.T) {
			end(b.StartExport(ExportRequest{SessionIDs: []string{sessions[0].ID}, Format: export.HTML}, library))(t)
		}},
		{"import of the library", func(t *testing.T) { end(b.StartImport([]string{library}, false))(t) }},
		{"import of a link to the library", func(t *testing.T) { end(b.StartImport([]string{linked}, false))(t) }},
		{"import of its log", func(t *testing.T) { end(b.StartImport([]string{library + "-wal"}, false))(t) }},
		{"import of the folder", func(t *testing.T) { end(b.StartImport([]string{folder}, false))(t) }},
		{"the library as an image", func(*testing.T) { _, _ = b.ReadImages([]string{library}) }},
		{"following the folder", func(t *testing.T) { followFolder(t, b, folder) }},
		{"state of the library", func(t *testing.T) { apptest.Must(b.GetLibraryState())(t) }},
		{"list of backups", func(t *testing.T) { apptest.Must(sqlite.Backups(library))(t) }},
		{"check", func(t *testing.T) { end(b.StartCheck())(t) }},
		{"restore", func(t *testing.T) {
			if _, err := sqlite.Restore(ctx, library, library); err == nil {
				t.Error("the library was restored from itself")
			}
		}},
	} {
		closed.take()
		step.do(t)
		if n := closed.take(); n > 0 && !strings.HasPrefix(step.name, "backup ") {
			t.Errorf("%s closed the library's files %d times", step.name, n)
		}
		if now := lasting(t, library); strings.Join(now, "\n") != strings.Join(before, "\n") {
			t.Errorf("%s: the locks were %v, are %v", step.name, before, now)
		}
	}
}

// lasting returns the locks on the library's files that a process holds while it has the library open. It omits the locks of
// transactions, bytes 120 to 127 of the shared memory: https://sqlite.org/walformat.html 2.3.
func lasting(t *testing.T, library string) []string {
	t.Helper()
	held := apptest.Must(filelocktest.Held(library))(t)
	transaction := regexp.MustCompile(`-shm .* 12[0-7]-12[0-7]$`)
	return slices.DeleteFunc(held, transaction.MatchString)
}

// followFolder follows a folder until a session that appears in it is in the library.
func followFolder(t *testing.T, b *bindings, folder string) {
	t.Helper()
	if err := b.SetFollowed([]string{folder}); err != nil {
		t.Fatal(err)
	}
	before := apptest.Must(b.ListSessions(core.SessionFilter{}))(t).Total
	line := `{"type":"user","uuid":"u-1","parentUuid":null,"sessionId":"0a6f6d5e-1111-4222-8333-444455556666","timestamp":"2026-01-01T00:00:00Z",` +
		`"cwd":"/w","version":"2.1.42","isSidechain":false,"message":{"role":"user","content":"hello"}}` + "\n"
	if err := os.WriteFile(filepath.Join(folder, "0a6f6d5e-1111-4222-8333-444455556666.jsonl"), []byte(line), 0o600); err != nil {
		t.Fatal(err)
	}
	soon(t, "the session is followed", func() bool { return apptest.Must(b.ListSessions(core.SessionFilter{}))(t).Total > before })
	if err := b.SetFollowed(nil); err != nil {
		t.Fatal(err)
	}
}
