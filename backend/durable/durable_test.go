package durable

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func wantOnly(t *testing.T, path, content string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil || string(data) != content {
		t.Errorf("the file holds %q, %v; want %q", data, err, content)
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(entries) != 1 {
		t.Errorf("the folder holds %v, %v; want the file only", entries, err)
	}
}

func put(path, content string) error {
	return Write(path, func(f *os.File) error {
		_, err := f.WriteString(content)
		return err
	})
}

func TestWrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "notes.md")
	for _, content := range []string{"one", "two"} {
		if err := put(path, content); err != nil {
			t.Fatal(err)
		}
		wantOnly(t, path, content)
	}
	broken := errors.New("broken")
	err := Write(path, func(f *os.File) error {
		_, err := f.WriteString("half of thr")
		return errors.Join(err, broken)
	})
	if !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
	wantOnly(t, path, "two")
}
