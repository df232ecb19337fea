package window

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"coppice/backend/core"
)

var writesGolden = flag.Bool("update", false, "write golden files") // go test needs a flag that is a package variable

// TestSkeletonGolden encodes the trees in frontend/src/lib/tree/testdata and compares the result with the golden files
// there, which frontend/src/lib/tree/skeleton-golden.test.ts reads.
func TestSkeletonGolden(t *testing.T) {
	for _, name := range []string{"tree", "tree-grown"} {
		file := filepath.Join("..", "..", "frontend", "src", "lib", "tree", "testdata", name)
		text, err := os.ReadFile(file + ".json")
		if err != nil {
			t.Fatal(err)
		}
		var shape core.Shape
		if err := json.Unmarshal(text, &shape); err != nil {
			t.Fatal(err)
		}
		got := encodeSkeleton(&shape)
		if *writesGolden {
			if err := os.WriteFile(file+".bin", got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file + ".bin")
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s: the bytes differ from %s.bin; if the format has changed, its version has to, too:\n%q\n%q", name, file, got, want)
		}
	}
}
