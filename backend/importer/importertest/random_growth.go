package importertest

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"pgregory.net/rapid"

	"coppice/backend/importer"
	"coppice/backend/sqlite"
)

// GrowAtRandom checks that random growth does not change what a file becomes. draw returns the file's states, oldest first:
// one state for a file that is only appended to, several for a document that is written whole each time. Prefixes of
// growing size, cut at any byte, are imported before the last state; the library then equals one that imported
// only the last state, and it has no violations.
func GrowAtRandom(t *testing.T, f importer.Format, name string, draw func(t *rapid.T) [][]byte) {
	t.Helper()
	empty := emptyLibrary(t)
	folder := t.TempDir()
	path := filepath.Join(folder, name)
	rapid.Check(t, func(t *rapid.T) {
		states := draw(t)
		last := states[len(states)-1]
		growing, whole := openCopy(t, folder, "growing", empty), openCopy(t, folder, "whole", empty)
		defer closeAll(t, growing, whole)
		state, size := 0, 0
		for range rapid.IntRange(1, 6).Draw(t, "imports") {
			state = rapid.IntRange(state, len(states)-1).Draw(t, "state")
			if size+1 >= min(len(states[state]), len(last)) {
				continue
			}
			size = rapid.IntRange(size+1, min(len(states[state]), len(last)-1)).Draw(t, "bytes")
			Write(t, path, states[state][:size])
			Import(t, growing, f, path)
		}
		Write(t, path, last)
		if report := Import(t, growing, f, path); len(report.Problems) != 0 {
			t.Fatalf("import the whole file: %v", report.Problems)
		}
		Import(t, whole, f, path)
		sameAndSound(t, growing, whole, last)
	})
}

// GrowInSteps checks the same of what a tool writes to a database, or to several files. draw returns the path to import and
// the steps in which the tool writes below a folder. A random choice of states is imported before the last one.
func GrowInSteps(t *testing.T, format func() importer.Format, draw func(t *rapid.T, folder string) (path string, steps []func())) {
	t.Helper()
	empty := emptyLibrary(t)
	folder := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		own, err := os.MkdirTemp(folder, "tool") //nolint:usetesting // rapid has no folder per case
		if err != nil {
			t.Fatal(err)
		}
		path, steps := draw(t, own)
		growing, whole := openCopy(t, folder, "growing", empty), openCopy(t, folder, "whole", empty)
		defer closeAll(t, growing, whole)
		f := format()
		for i, step := range steps {
			step()
			if i < len(steps)-1 && rapid.Bool().Draw(t, "import") {
				Import(t, growing, f, path)
			}
		}
		if report := Import(t, growing, f, path); len(report.Problems) != 0 {
			t.Fatalf("import the last state: %v", report.Problems)
		}
		Import(t, whole, format(), path)
		sameAndSound(t, growing, whole, nil)
	})
}

// sameAndSound fails if a library that has grown differs from one that imported the last state at once, or has violations.
func sameAndSound(t *rapid.T, growing, whole *sqlite.DB, last []byte) {
	t.Helper()
	if got, want := Dump(t, growing), Dump(t, whole); got != want {
		t.Fatalf("%s\n\nwith growth:\n%s\nat once:\n%s", last, got, want)
	}
	if violations, err := growing.Check(t.Context(), nil); err != nil || len(violations) != 0 {
		t.Fatalf("check: %v, %v", violations, err)
	}
}

// Write writes a file of a time that does not change: formats that record no times take that of the file.
func Write(t Tester, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, time.Time{}, time.UnixMilli(openedAtMs)); err != nil {
		t.Fatal(err)
	}
}

// emptyLibrary returns the bytes of a library without sessions: copying them is faster than all migrations.
func emptyLibrary(t *testing.T) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "empty.db")
	db, err := open(t, path)
	if err != nil {
		t.Fatal(err)
	}
	closeAll(t, db)
	return File(t, path)
}

func open(t Tester, path string) (*sqlite.DB, error) {
	return sqlite.Open(t.Context(), path, sqlite.Options{Now: func() int64 { return openedAtMs }})
}

func openCopy(t *rapid.T, folder, name string, library []byte) *sqlite.DB {
	t.Helper()
	inside, err := os.MkdirTemp(folder, name)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(inside, "library.db")
	if err := os.WriteFile(path, library, 0o600); err != nil {
		t.Fatal(err)
	}
	db, err := open(t, path)
	if err != nil {
		t.Fatal(err)
	}
	return db
}

func closeAll(t Tester, libraries ...*sqlite.DB) {
	t.Helper()
	for _, db := range libraries {
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
