package importer_test

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"coppice/backend/importer"
	"coppice/backend/importer/claudecode"
	"coppice/backend/importer/importertest"
)

// BenchmarkImport imports the real sessions into a library that only keeps them in memory.
func BenchmarkImport(b *testing.B) {
	folders := importertest.SampleFolders(b)
	folder := filepath.Join(folders[len(folders)-1], "claude-code", "real")
	im := importer.Importer{Library: newMemory(), Formats: []importer.Format{claudecode.Format()}}
	files, size, err := im.Measure(b.Context(), folder)
	if err != nil || files == 0 {
		b.Fatal(files, err)
	}
	b.SetBytes(size)
	for b.Loop() {
		im.Library = newMemory()
		if _, err := im.Import(b.Context(), []string{folder}, ""); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkUnchanged imports a folder of 10,000 files in which nothing has changed.
func BenchmarkUnchanged(b *testing.B) {
	dir, library := b.TempDir(), newMemory()
	for i := range 10_000 {
		uid := strconv.Itoa(i)
		if err := os.WriteFile(filepath.Join(dir, uid+".jsonl"), []byte(lines("s"+uid)), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	im := importer.Importer{Library: library, Formats: []importer.Format{claudecode.Format()}}
	if _, err := im.Import(b.Context(), []string{dir}, ""); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		report, err := im.Import(b.Context(), []string{dir}, "")
		if err != nil || report.Unchanged != 10_000 {
			b.Fatal(report.Unchanged, err)
		}
	}
}
