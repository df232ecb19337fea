package archive_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"coppice/backend/archive"
	"coppice/backend/core"
	"coppice/backend/sqlite"
)

var update = flag.Bool("update", false, "write the sample files as the export writes them")

// readInto imports a file into a library and returns the ids of its sessions.
func readInto(t testing.TB, db *sqlite.DB, data []byte) []string {
	t.Helper()
	var ids []string
	file := core.SourceFile{
		Path: "test.json", SizeBytes: int64(len(data)), Data: bytes.NewReader(data),
		Problem: func(line int64, message string) { t.Errorf("line %d: %s", line, message) },
	}
	for in, err := range archive.Read(context.Background(), file) {
		if err != nil {
			t.Fatal(err)
		}
		m, err := core.Merge(context.Background(), db, in)
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, m.SessionID)
	}
	return ids
}

// TestSamplesAreExports compares the sample files with what the export writes, so that they can be edited by hand and
// still serve as an example of the format.
func TestSamplesAreExports(t *testing.T) {
	files, err := filepath.Glob("samples/*.json")
	if err != nil || len(files) != 8 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var head struct {
			ExportedAtMs int64
		}
		if err := json.Unmarshal(data, &head); err != nil {
			t.Fatal(err)
		}
		db := openLibrary(t)
		ids := readInto(t, db, data)
		got := write(t, db, ids, false, archive.Options{Generator: "Coppice samples", NowMs: head.ExportedAtMs})
		if *update {
			if err := os.WriteFile(name, got, 0o600); err != nil {
				t.Fatal(err)
			}
		} else if !bytes.Equal(got, data) {
			t.Errorf("%s is not as it is exported: run the test with -update", name)
		}
	}
}
