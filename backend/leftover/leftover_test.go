package leftover

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// childVar names the folder in which a copy of this test program claims a folder and waits until it is killed.
const childVar = "COPPICE_TEST_CLAIM_IN"

func TestMain(m *testing.M) {
	if folder := os.Getenv(childVar); folder != "" {
		c, err := NewFolder(folder, "coppice-*")
		if err == nil {
			err = os.WriteFile(filepath.Join(c.Path, "secret.txt"), []byte("text of the library"), 0o600)
		}
		fmt.Println(err)
		select {}
	}
	os.Exit(m.Run())
}

func namesIn(t *testing.T, folder string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// What a killed process leaves is removed by the next one; what a living process uses is not, nor what has no lock.
func TestKilledProcess(t *testing.T) {
	folder := t.TempDir()
	if err := os.Mkdir(filepath.Join(folder, "coppice-of-somebody"), 0o700); err != nil {
		t.Fatal(err)
	}
	child := exec.CommandContext(t.Context(), os.Args[0])
	child.Env = append(os.Environ(), childVar+"="+folder)
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "<nil>\n" {
		t.Fatal(line, err)
	}
	Sweep(folder, "coppice-*")
	if left := namesIn(t, folder); len(left) != 3 {
		t.Fatalf("while the process runs there are %v", left)
	}
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = child.Wait()
	c, err := NewFolder(folder, "coppice-*")
	if err != nil {
		t.Fatal(err)
	}
	if left := namesIn(t, folder); len(left) != 3 {
		t.Errorf("after the process was killed there are %v", left)
	}
	Sweep(folder, "coppice-*")
	if _, err := os.Stat(c.Path); err != nil {
		t.Errorf("an own folder: %v", err)
	}
	if err := c.Release(); err != nil {
		t.Error(err)
	}
	if left := namesIn(t, folder); len(left) != 1 || left[0] != "coppice-of-somebody" {
		t.Errorf("in the end there are %v", left)
	}
}
