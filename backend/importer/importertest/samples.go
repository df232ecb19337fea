package importertest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"coppice/backend/importer/importertest/fixture"
)

// Samples returns the session files that fit a pattern: generated ones, and the sample sessions beside the repository if they
// exist. It fails if no generated file fits.
func Samples(t testing.TB, pattern string) []string {
	t.Helper()
	var all []string
	for _, folder := range SampleFolders(t) {
		files, err := filepath.Glob(filepath.Join(folder, filepath.FromSlash(pattern)))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, files...)
		if len(all) == 0 {
			t.Fatalf("no generated file fits %s", pattern)
		}
	}
	return all
}

// SampleFolders returns the folders with sessions of all formats: generated ones, and the sample sessions beside the repository
// if they exist. If they do not, the name of the test is noted.
func SampleFolders(t testing.TB) []string {
	t.Helper()
	generated := filepath.Join(t.TempDir(), "generated")
	if err := fixture.All().Write(generated); err != nil {
		t.Fatal(err)
	}
	samples := filepath.Join(repository(t), "..", "shared", "samples")
	if _, err := os.Stat(samples); err != nil {
		noteMissing(t)
		return []string{generated}
	}
	return []string{generated, samples}
}

// repository returns the folder of the module.
func repository(t testing.TB) string {
	t.Helper()
	folder, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	for ; ; folder = filepath.Dir(folder) {
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
			return folder
		}
		if folder == filepath.Dir(folder) {
			t.Fatal("no go.mod above the test")
		}
	}
}

// noteMissing adds the name of a test to the file that COPPICE_LEFT_OUT names: "make test" prints how many tests ran without
// the sample sessions.
func noteMissing(t testing.TB) {
	t.Helper()
	path := os.Getenv("COPPICE_LEFT_OUT")
	if path == "" {
		return
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	_, err = fmt.Fprintln(file, os.Getpid(), t.Name()) // packages have tests of the same name; each is counted once
	if err := errors.Join(err, file.Close()); err != nil {
		t.Fatal(err)
	}
}
