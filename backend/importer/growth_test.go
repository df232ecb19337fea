package importer_test

import (
	"bytes"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"coppice/backend/importer/importertest"
)

// growing returns sessions of Claude Code by their names, with the sizes at which they are known to have been.
func growing(t *testing.T) map[string]grownFile {
	t.Helper()
	files := map[string]grownFile{}
	for _, folder := range importertest.SampleFolders(t) {
		for _, name := range []string{"growth/09.jsonl", "rewind-shape/three-branches.jsonl", "rewind-shape/rewound-to-empty.jsonl"} {
			f := grownFile{data: importertest.File(t, filepath.Join(folder, "claude-code", name))}
			if filepath.Dir(name) == "growth" {
				for _, n := range []string{"00", "03", "06"} {
					f.sizes = append(f.sizes, len(importertest.File(t, filepath.Join(folder, "claude-code", "growth", n+".jsonl"))))
				}
			}
			files[filepath.Base(folder)+"/"+name] = f
		}
	}
	return files
}

// grownFile is a file and the sizes that it had before, if they are known.
type grownFile struct {
	data  []byte
	sizes []int
}

// TestGrowth imports a file repeatedly while it grows. The library is then the same as after one import of the whole.
func TestGrowth(t *testing.T) {
	for name, f := range growing(t) {
		if f.sizes != nil {
			t.Run(name+" at the sizes that it had", func(t *testing.T) { grow(t, f.data, f.sizes) })
		}
		t.Run(name+" at lines", func(t *testing.T) { grow(t, f.data, cutsAt(f.data, true)) })
		t.Run(name+" within lines", func(t *testing.T) { grow(t, f.data, cutsAt(f.data, false)) })
	}
}

// cutsAt returns up to 200 offsets at which to cut data, in order.
func cutsAt(data []byte, atLines bool) []int {
	random := rand.New(rand.NewPCG(1, 2))
	var cuts []int
	for i := bytes.IndexByte(data, '\n'); i < len(data); i++ { // before that it is not a session file
		if !atLines || data[i] == '\n' {
			cuts = append(cuts, i+1)
		}
	}
	random.Shuffle(len(cuts), func(i, j int) { cuts[i], cuts[j] = cuts[j], cuts[i] })
	cuts = cuts[:min(200, len(cuts))]
	slices.Sort(cuts)
	return cuts
}

func grow(t *testing.T, data []byte, cuts []int) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "growing.jsonl")
	growing, whole := newMemory(), newMemory()
	for _, n := range append(cuts, len(data)) {
		write(t, path, string(data[:n]))
		if report := run(t, growing, path); len(report.Problems) != 0 {
			t.Fatalf("after %d bytes: %v", n, report.Problems)
		}
	}
	run(t, whole, path)
	if got, want := growing.dump(), whole.dump(); got != want {
		t.Errorf("after %d steps\n%s", len(cuts), firstDifference(got, want))
	}
}

func firstDifference(got, want string) string {
	n := 0
	for n < min(len(got), len(want)) && got[n] == want[n] {
		n++
	}
	from := max(0, n-200)
	return "got  " + got[from:min(len(got), n+200)] + "\nwant " + want[from:min(len(want), n+200)]
}
