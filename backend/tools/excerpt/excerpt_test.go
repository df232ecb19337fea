package excerpt

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// An excerpt is within the bounds, begins and ends like the whole text, and is valid UTF-8.
func TestText(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		whole := strings.Join(rapid.SliceOfN(rapid.StringMatching(`[a-zä€😀 ]{0,30}`), 0, 60).Draw(t, "lines"), rapid.SampledFrom([]string{"\n", "", "\n\n"}).Draw(t, "between"))
		maxBytes, maxLines := rapid.IntRange(16, 400).Draw(t, "bytes"), rapid.IntRange(3, 40).Draw(t, "rows")
		shown, cut := Text(whole, maxBytes, maxLines)
		if !cut {
			if shown != whole || len(whole) > maxBytes || CountLines(whole) > int64(maxLines) {
				t.Fatalf("%d bytes, %d lines are not cut", len(whole), CountLines(whole))
			}
			return
		}
		head, rest, found := strings.Cut(shown, "[… ")
		_, tail, ended := strings.Cut(rest, " left out …]\n")
		if !found || !ended || !strings.HasSuffix(whole, tail) || !strings.HasPrefix(whole, strings.TrimSuffix(head, "\n")) {
			t.Fatalf("%q of %q", shown, whole)
		}
		if len(head)+len(tail) > maxBytes+1 || CountLines(head)+CountLines(tail) > int64(maxLines) || !utf8.ValidString(shown) {
			t.Fatalf("%q is more than %d bytes, %d lines", shown, maxBytes, maxLines)
		}
	})
}

func FuzzText(f *testing.F) {
	f.Add("a\nb\nc\n", 10, 2)
	f.Add(strings.Repeat("é", 50), 20, 5)
	f.Fuzz(func(t *testing.T, text string, maxBytes, maxLines int) {
		maxBytes, maxLines = 12+maxBytes&0xfff, 3+maxLines&0xff
		shown, cut := Text(text, maxBytes, maxLines)
		if !cut {
			if shown != text {
				t.Fatalf("%q is shown as %q", text, shown)
			}
			return
		}
		head, tail, ok := strings.Cut(shown, "[… ")
		_, tail, _ = strings.Cut(tail, " left out …]\n")
		if strings.Contains(text, "left out") {
			return
		}
		if !ok || len(head)+len(tail) > maxBytes+1 || !strings.HasPrefix(text, strings.TrimSuffix(head, "\n")) || !strings.HasSuffix(text, tail) {
			t.Fatalf("%q with %d bytes and %d lines is shown as %q", text, maxBytes, maxLines, shown)
		}
	})
}
