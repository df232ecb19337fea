package plain_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"coppice/backend/render/plain"
)

func TestExact(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                               "",
		"echo  ok\n  é 漢 \u2192":         "echo  ok\n  é 漢 \u2192",
		"python3 -c x #\recho ok":        "python3 -c x #[U+000D]echo ok",
		"# \x1b]\npython3 x\n# \x07\nls": "# [U+001B]]\npython3 x\n# [U+0007]\nls",
		"a\tb":                           "a→   b",
		"a\u0085b\u2028c\u2029d":         "a[U+0085]b[U+2028]c[U+2029]d",
		"a\u202eb\u2066c\u200bd\ufeff":   "a[U+202E]b[U+2066]c[U+200B]d[U+FEFF]",
		"a\u00a0b\u3000c\u2800d\u3164e":  "a[U+00A0]b[U+3000]c[U+2800]d[U+3164]e",
		"a\ufe0fb\u034fc\U000e0041d":     "a[U+FE0F]b[U+034F]c[U+E0041]d",
		"a\xff\xc3(b\x7f":                "a[0xFF][0xC3](b[U+007F]",
	} {
		if got := plain.ExactText(text); got != want {
			t.Errorf("%q is shown as %q, want %q", text, got, want)
		}
	}
}

// The result has nothing that a terminal interprets, and characters without names are unchanged, in order.
func TestExactLosesNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")) + rapid.String().Draw(t, "text")
		rest := text
		for _, piece := range plain.Exact(text) {
			for _, r := range piece.Text {
				if r != '\n' && !unicode.IsPrint(r) {
					t.Fatalf("%q is shown with %U", text, r)
				}
			}
			length := len(piece.Text)
			if piece.Hidden {
				_, length = utf8.DecodeRuneInString(rest)
			} else if !strings.HasPrefix(rest, piece.Text) {
				t.Fatalf("%q is not next in %q", piece.Text, rest)
			}
			rest = rest[length:]
		}
		if rest != "" {
			t.Fatalf("%q of %q is not shown", rest, text)
		}
	})
}
