package sqlite

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
)

// inMount is set in the process that has a mount namespace of its own.
const inMount = "COPPICE_TEST_MOUNT"

// withMount runs the test again in a mount namespace of its own, and reports whether this is that process.
func withMount(t *testing.T) bool {
	t.Helper()
	if os.Getenv(inMount) != "" {
		return true
	}
	probe := exec.CommandContext(t.Context(), "unshare", "--mount", "--map-root-user", "sh", "-c", "mount -t tmpfs -o size=64k none /mnt")
	if out, err := probe.CombinedOutput(); err != nil {
		t.Skipf("mount a file system of its own: %v: %s", err, out)
	}
	again := exec.CommandContext(t.Context(), "unshare", "--mount", "--map-root-user", os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v") //nolint:gosec // this test
	again.Env = append(os.Environ(), inMount+"=1")
	out, err := again.CombinedOutput()
	t.Logf("%s", out)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(out, []byte("PASS: "+t.Name())) {
		t.Error("the test did not run in the namespace")
	}
	return false
}

func mount(tb testing.TB, args ...string) {
	tb.Helper()
	if out, err := exec.CommandContext(tb.Context(), "mount", args...).CombinedOutput(); err != nil {
		tb.Fatalf("mount %v: %v: %s", args, err, out)
	}
	if args[0] == "-t" {
		tb.Cleanup(func() { exec.Command("umount", "-l", args[len(args)-1]).Run() }) //nolint:errcheck // the namespace's end does it too
	}
}

// leaveLibrary puts a library into a folder as a process leaves it; with a log that waits if it was killed.
func leaveLibrary(tb testing.TB, folder string, killed bool) (path, id string) {
	tb.Helper()
	made := filepath.Join(tb.TempDir(), "coppice.db")
	db := must(Open(tb.Context(), made, Options{}))(tb)
	id = merged(tb, db, incoming("one", chain(5)...))
	path = filepath.Join(folder, "coppice.db")
	if killed {
		check(tb, conn.CopyFile(made, path))
		check(tb, conn.CopyFile(made+"-wal", path+"-wal"))
		check(tb, db.Close())
		return path, id
	}
	check(tb, db.Close())
	check(tb, conn.CopyFile(made, path))
	return path, id
}

// readsOnly opens the library with the fallback: it reads, and writing is refused with a reason.
func readsOnly(tb testing.TB, path, id string, code core.Code, says string) {
	tb.Helper()
	db, err := Open(tb.Context(), path, Options{Fallback: true})
	if err != nil {
		tb.Fatal(err)
	}
	if got := collect(tb, db.Messages(tb.Context(), id)); len(got) != 5 {
		tb.Errorf("%d messages", len(got))
	}
	must(db.Sessions(tb.Context(), core.SessionFilter{}))(tb)
	must(db.Stats(tb.Context()))(tb)
	must(db.Search(tb.Context(), core.SearchQuery{Text: "what"}))(tb)
	err = db.Rename(tb.Context(), id, "another")
	wantCode(tb, err, code)
	if !strings.Contains(err.Error()+core.HintOf(err), says) {
		tb.Errorf("error %q, hint %q", err, core.HintOf(err))
	}
	if refusal := db.Refusal(); refusal == nil || !strings.Contains(refusal.Error(), path) {
		tb.Errorf("refusal %v", refusal)
	}
	check(tb, db.Close())
}

func TestReadOnlyDisk(t *testing.T) {
	if !withMount(t) {
		return
	}
	for _, killed := range []bool{false, true} {
		folder := t.TempDir()
		mount(t, "-t", "tmpfs", "-o", "size=8m", "none", folder)
		path, id := leaveLibrary(t, folder, killed)
		mount(t, "-o", "remount,ro", folder)
		readsOnly(t, path, id, core.Denied, "no permission to write")
		if left, _ := filepath.Glob(filepath.Join(os.TempDir(), "coppice-read-*")); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
		mount(t, "-o", "remount,rw", folder)
		db := must(Open(t.Context(), path, Options{Fallback: true}))(t)
		check(t, db.Refusal())
		check(t, db.Rename(t.Context(), id, "another"))
		check(t, db.Close())
	}
}

func TestFullDisk(t *testing.T) {
	if !withMount(t) {
		return
	}
	for _, killed := range []bool{false, true} {
		folder := t.TempDir()
		mount(t, "-t", "tmpfs", "-o", "size=3m", "none", folder)
		path, id := leaveLibrary(t, folder, killed)
		fillDisk(t, folder)
		readsOnly(t, path, id, core.Unavailable, "full")
		_, err := Open(t.Context(), path, Options{})
		wantCode(t, err, core.Unavailable)
		if !strings.Contains(core.HintOf(err), "disk is full") {
			t.Errorf("error %q, hint %q", err, core.HintOf(err))
		}
		check(t, os.Remove(filepath.Join(folder, "filler")))
		db := must(Open(t.Context(), path, Options{Fallback: true}))(t)
		check(t, db.Rename(t.Context(), id, "another"))
		fillDisk(t, folder)
		err = error(nil)
		for i := range 200 { // until the log has no room
			if _, err = db.Append(t.Context(), id, say(fmt.Sprintf("more-%d", i), "", core.RoleUser)); err != nil {
				break
			}
		}
		wantCode(t, err, core.Unavailable)
		if !strings.Contains(core.HintOf(err), "disk is full") {
			t.Errorf("while writing: error %q, hint %q", err, core.HintOf(err))
		}
		if got := must(db.Session(t.Context(), id))(t); got.Title != "another" {
			t.Errorf("title %q", got.Title)
		}
		check(t, os.Remove(filepath.Join(folder, "filler")))
		check(t, db.Close())
	}
}

// fillDisk writes a file until the disk is full.
func fillDisk(tb testing.TB, folder string) {
	tb.Helper()
	f := must(os.Create(filepath.Join(folder, "filler")))(tb)
	for size := 1 << 20; size > 0; {
		if _, err := f.Write(make([]byte, size)); err != nil {
			size /= 2
		}
	}
	check(tb, f.Close())
}
