package durable

import (
	"errors"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// On a full disk the file stays unchanged.
func TestWriteOnFullDisk(t *testing.T) {
	folder := t.TempDir()
	if err := unix.Mount("tmpfs", folder, "tmpfs", 0, "size=64k"); err != nil {
		t.Skipf("this user cannot mount a small disk: %v", err)
	}
	defer func() {
		if err := unix.Unmount(folder, 0); err != nil {
			t.Error(err)
		}
	}()
	path := filepath.Join(folder, "notes.md")
	if err := put(path, "one"); err != nil {
		t.Fatal(err)
	}
	if err := put(path, strings.Repeat("x", 1<<20)); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("error %v, want a full disk", err)
	}
	wantOnly(t, path, "one")
	if err := put(path, "two"); err != nil {
		t.Error(err)
	}
	wantOnly(t, path, "two")
}
