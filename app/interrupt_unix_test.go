//go:build unix

package app

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"coppice/app/internal/exit"
	"coppice/backend/core"
	"coppice/backend/sqlite"
)

// TestSignalEndsAnImport sends the signal of Ctrl+C to a process that imports. The process must end with the exit code
// of an interrupt, and the library must be intact.
func TestSignalEndsAnImport(t *testing.T) {
	t.Parallel()
	dir, self := t.TempDir(), executable(t)
	in, library := filepath.Join(dir, "in"), filepath.Join(dir, "library.db")
	const files = 20_000
	if err := os.Mkdir(in, 0o700); err != nil {
		t.Fatal(err)
	}
	for i := range files {
		id := fmt.Sprintf("m%d", i)
		line := fmt.Sprintf(`{"type":"user","uuid":%q,"parentUuid":null,"sessionId":%q,"timestamp":"2026-03-01T10:00:00Z","cwd":"/x","message":{"role":"user","content":"words"}}`+"\n", id, "s-"+id)
		if err := os.WriteFile(filepath.Join(in, id+".jsonl"), []byte(line), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	program := filepath.Join(dir, "coppice")
	if err := os.Symlink(self, program); err != nil {
		t.Fatal(err)
	}
	var output strings.Builder
	cmd := exec.Command(program, "--db", library, "import", in)
	cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_DATA_HOME="+dir, "XDG_CONFIG_HOME="+dir)
	cmd.Stdout, cmd.Stderr = &output, &output
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for sessionsIn(t, library) == 0 { // wait until the import has begun
		time.Sleep(time.Millisecond)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if _ = cmd.Wait(); cmd.ProcessState.ExitCode() != exit.Interrupted {
		t.Fatalf("%v, want exit code %d: %s", cmd.ProcessState, exit.Interrupted, output.String())
	}
	if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		t.Error("the signal killed it")
	}
	db, err := sqlite.Open(t.Context(), library, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if problems, err := db.Check(t.Context(), func(core.Progress) {}); err != nil || len(problems) > 0 {
		t.Errorf("%v %v", problems, err)
	}
	if n := sessionsIn(t, library); n == 0 || n == files {
		t.Errorf("%d of %d sessions are stored", n, files)
	}
}

func executable(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return self
}

// sessionsIn returns the number of sessions in a library, which may not exist yet.
func sessionsIn(t *testing.T, library string) int {
	t.Helper()
	if _, err := os.Stat(library); err != nil {
		return 0
	}
	db, err := sqlite.Open(t.Context(), library, sqlite.Options{ReadOnly: true})
	if err != nil {
		return 0
	}
	defer db.Close()
	sessions, err := db.Sessions(t.Context(), core.SessionFilter{})
	if err != nil {
		return 0
	}
	return len(sessions)
}
