//go:build unix

package core

import (
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"testing/fstest"
)

// TestOpenRegular opens files that are not regular; the test would hang if a pipe were opened as os.Open does.
func TestOpenRegular(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := os.WriteFile(at("file"), []byte("words"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(at("pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	server, err := net.Listen("unix", at("socket"))
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	for link, to := range map[string]string{"to-pipe": "pipe", "to-file": "file", "to-device": "/dev/zero"} {
		if err := os.Symlink(to, at(link)); err != nil {
			t.Fatal(err)
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for name, want := range map[string]Code{"file": "", "to-file": "", "pipe": Invalid, "socket": Invalid, "to-pipe": Invalid, "to-device": Invalid, ".": Invalid} {
		file, err := OpenRegular(at(name))
		if CodeOf(err) != want {
			t.Errorf("%s: %v", name, err)
		}
		if err == nil {
			file.Close()
		}
		if name == "to-device" {
			continue // it leads out of the root
		}
		file, err = OpenRegularIn(root, name)
		if CodeOf(err) != want {
			t.Errorf("%s below a root: %v", name, err)
		}
		if err == nil {
			file.Close()
		}
	}
	if _, err := OpenRegular(at("missing")); !os.IsNotExist(err) {
		t.Errorf("a missing file: %v", err)
	}
	if err := CheckRegular("x", mode(t, 0o600)); err != nil {
		t.Error(err)
	}
}

func mode(t *testing.T, m os.FileMode) os.FileInfo {
	t.Helper()
	info, err := fstest.MapFS{"x": {Mode: m}}.Stat("x")
	if err != nil {
		t.Fatal(err)
	}
	return info
}
