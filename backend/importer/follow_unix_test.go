//go:build unix

package importer_test

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// nobody is the user for a test that the superuser cannot run: root may read everything.
const nobody = 65534

// An unreadable folder is reported once and does not prevent the rest; once it is readable, its files are imported.
func TestFollowUnreadableFolder(t *testing.T) {
	if os.Getuid() == 0 {
		asNobody(t)
		return
	}
	folder := realFolder(t)
	closed := filepath.Join(folder, "closed")
	session(t, closed, 1)
	if err := os.Chmod(closed, 0); err != nil {
		t.Fatal(err)
	}
	session(t, folder, 2)
	f := follow(t, folder)
	first := <-f.told
	if first.Imported != 1 || len(first.Problems) != 1 || first.Problems[0].Path != closed ||
		first.Problems[0].Message != "cannot read: permission denied" || first.Problems[0].Hint == "" {
		t.Fatalf("told %+v", first)
	}
	session(t, folder, 3)
	if second := <-f.told; second.Imported != 1 || len(second.Problems) != 0 {
		t.Fatalf("told %+v", second)
	}
	if err := os.Chmod(closed, 0o700); err != nil {
		t.Fatal(err)
	}
	f.waitFor(uuidOf(1)+" 2", uuidOf(2)+" 2", uuidOf(3)+" 2")
	session(t, closed, 4)
	f.waitFor(uuidOf(1)+" 2", uuidOf(2)+" 2", uuidOf(3)+" 2", uuidOf(4)+" 2")
}

// asNobody runs the test again as a user without access to all folders.
func asNobody(t *testing.T) {
	t.Helper()
	folder, err := os.MkdirTemp("", "nobody") //nolint:usetesting // t.TempDir is within one that others cannot enter
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(folder)
	program := filepath.Join(folder, "importer.test")
	if err := copyProgram(program); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(folder, nobody, nobody); err != nil {
		t.Skip(err) // a container may have no such user
	}
	test := exec.CommandContext(t.Context(), program, "-test.run=^"+t.Name()+"$", "-test.v")
	test.Dir, test.Env = folder, append(os.Environ(), "TMPDIR="+folder, "HOME="+folder)
	test.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	out, err := test.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS") {
		t.Errorf("%v\n%s", err, out)
	}
}

func copyProgram(to string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	from, err := os.Open(self)
	if err != nil {
		return err
	}
	defer from.Close()
	file, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		return err
	}
	if _, err := io.Copy(file, from); err != nil {
		return err
	}
	return file.Close()
}
