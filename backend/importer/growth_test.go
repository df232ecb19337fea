package importer_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"coppice/backend/importer/importertest"
)

// samplesFolder holds the shared samples, if they are available.
const samplesFolder = "../../../shared/samples/claude-code"

func sample(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(samplesFolder, name))
	if err != nil {
		importertest.LeaveOut(t)
	}
	return data
}

// TestGrowth imports a file repeatedly while it grows. The library is then the same as after one import of the whole.
func TestGrowth(t *testing.T) {
	for _, name := range []string{"growth/09.jsonl", "rewind-shape/three-branches.jsonl", "rewind-shape/rewound-to-empty.jsonl"} {
		data := sample(t, name)
		t.Run(name+" in photographs", func(t *testing.T) {
			if filepath.Dir(name) != "growth" {
				t.Skip("there are none")
			}
			var cuts []int
			for _, n := range []string{"00", "03", "06"} {
				cuts = append(cuts, len(sample(t, "growth/"+n+".jsonl")))
			}
			grow(t, data, cuts)
		})
		t.Run(name+" at lines", func(t *testing.T) { grow(t, data, cutsAt(data, true)) })
		t.Run(name+" within lines", func(t *testing.T) { grow(t, data, cutsAt(data, false)) })
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
