package archive_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"coppice/backend/archive"
)

// TestGolden reads one file per format and version and writes it again: the same bytes, but for the version. The files are never
// removed; a new version adds new ones.
func TestGolden(t *testing.T) {
	for _, test := range []struct {
		name    string
		asLines bool
	}{
		{"session.v1.json", false},
		{"archive.v1.json", false},
		{"lines.v1.jsonl", true},
		{"session.v2.json", false},
		{"lines.v2.jsonl", true},
		{"restored.v2.json", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			file := golden(t, test.name)
			want := bytes.ReplaceAll(file, []byte(`"version":1,`), []byte(`"version":2,`))
			s := newMemoryLibrary()
			if problems := s.read(t, file); len(problems) > 0 {
				t.Fatalf("problems: %q", problems)
			}
			if got := write(t, s, s.ids, test.asLines, archive.Options{}); !bytes.Equal(got, want) {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

func golden(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}
