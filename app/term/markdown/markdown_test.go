package markdown

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rivo/uniseg"
	"pgregory.net/rapid"
)

var update = flag.Bool("update", false, "write golden files")

var escapes = regexp.MustCompile("\x1b\\[[0-9;]*m")

// TestGolden lays out a document with all kinds of blocks at several widths.
func TestGolden(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("testdata/all.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, width := range []int{30, 80, 140} {
		for _, color := range []bool{true, false} {
			name := filepath.Join("testdata", strconv.Itoa(width)+map[bool]string{true: ".ansi", false: ".txt"}[color])
			got := strings.Join(New(color).Lines(string(source), width), "\n") + "\n"
			if *update {
				if err := os.WriteFile(name, []byte(got), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(name)
			if err != nil || string(want) != got {
				t.Errorf("%s differs (%v):\n%s", name, err, got)
			}
			if !color && strings.Contains(got, "\x1b") {
				t.Errorf("%s has escape sequences", name)
			}
		}
	}
}

// No line but those of code is wider than the width, no line has escape sequences of the text, and every word is shown.
func TestAnyText(t *testing.T) {
	t.Parallel()
	pieces := []string{"word", "a", " ", " ", "\n", "\n\n", "**", "*", "`", "# ", "- ", "1. ", "> ", "|", "\n|---|---|\n", "日本語", "é", "&#27;", "&#x202e;", "\x1b[31m", "\x1b]0;t\x07", "https://example.org/a/b/c", "[", "](", ")", "<b>", "~~", "👩‍👩‍👧", "\t", "[ ] "}
	for _, color := range []bool{true, false} {
		r := New(color)
		rapid.Check(t, func(t *rapid.T) {
			source := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 60).Draw(t, "pieces"), "")
			width := rapid.IntRange(minWidth+8, 100).Draw(t, "width")
			lines := r.Lines(source, width)
			all := strings.Join(lines, "")
			for _, one := range lines {
				shown := escapes.ReplaceAllString(one, "")
				if strings.ContainsAny(shown, "\x1b\x07\n\r\u202e") {
					t.Fatalf("%q has a control character", one)
				}
				deep := strings.Count(source, "> ")+strings.Count(source, "- ")+strings.Count(source, "1. ") > 4 // its text keeps a least width
				if uniseg.StringWidth(shown) > width && !strings.HasPrefix(strings.TrimLeft(shown, "│• "), codeIndent) && !strings.Contains(shown, codeIndent) && !deep {
					t.Fatalf("%q is wider than %d", shown, width)
				}
			}
			if n := strings.Count(source, "word"); strings.Count(strings.ReplaceAll(escapes.ReplaceAllString(all, ""), " ", ""), "w") < n && !strings.ContainsAny(source, "[|`") {
				t.Fatalf("%d words of %q are missing in %q", n, source, all)
			}
		})
	}
}
