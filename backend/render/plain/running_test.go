package plain

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestRunning(t *testing.T) {
	cases := []struct {
		name   string
		pieces []string
		want   []string
	}{
		{"nothing", nil, nil},
		{"only line ends", []string{"\n", "\r\n"}, nil},
		{"the last lines", []string{"one\ntwo\n", "three\nfo", "ur\n"}, []string{"two", "three", "four"}},
		{"a progress bar", []string{"begin\n", "\r10%", "\r50%"}, []string{"begin", "50%"}},
		{"a progress bar that writes the return last", []string{"10%\r", "50%\r"}, []string{"50%"}},
		{"colors", []string{"\x1b[32mok\x1b", "[0m done"}, []string{"ok done"}},
		{"a sequence that has not ended", []string{"ok\x1b[3"}, []string{"ok"}},
		{"a title that has not ended", []string{"ok \x1b]0;a title"}, []string{"ok "}},
		{"a lone escape", []string{"ok\x1b"}, []string{"ok"}},
		{"other controls", []string{"a\x07b\u202ec"}, []string{"a␇b[U+202E]c"}},
		{"a long line", []string{strings.Repeat("é", 300)}, []string{strings.Repeat("é", 200) + "…"}},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			var r Running
			for _, piece := range tc.pieces {
				r.Add(piece)
			}
			if got := r.Lines(NewCleaner(), 3); !slices.Equal(got, tc.want) {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

// TestRunningIsBounded compares the last lines of any output with those of its whole text, whatever its pieces are.
func TestRunningIsBounded(t *testing.T) {
	c := NewCleaner()
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOfN(rapid.StringMatching(`(\x1b\[3[0-7]m)?[a-zé]{0,60}`), 10, 400).Draw(t, "lines")
		var r Running
		rest := strings.Join(lines, "\n") + "\n"
		for rest != "" {
			n := rapid.IntRange(1, min(len(rest), 5000)).Draw(t, "length")
			r.Add(rest[:n])
			rest = rest[n:]
			if len(r.text) > maxRunningBytes {
				t.Fatalf("%d bytes are stored", len(r.text))
			}
		}
		whole := strings.Split(strings.TrimRight(c.Text(strings.Join(lines, "\n")), "\n"), "\n")
		if whole[0] == "" && len(whole) == 1 {
			whole = nil
		}
		if got, want := r.Lines(c, 6), whole[max(len(whole)-6, 0):]; !slices.Equal(got, want) {
			t.Fatalf("got %q, want %q", got, want)
		}
	})
}
