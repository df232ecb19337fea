package plain

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestText(t *testing.T) {
	cases := []struct{ name, in, want string }{
		{"colors", "\x1b[31mred\x1b[0m \x1b[1;38;5;208mbold\x1b[m", "red bold"},
		{"hyperlink", "\x1b]8;;https://example.org\x1b\\text\x1b]8;;\x07", "text"},
		{"window title without an end", "a\x1b]0;title", "a"},
		{"character set", "\x1b(Bplain", "plain"},
		{"lone escape at the end", "a\x1b", "a␛"},
		{"line ends", "a\r\nb\r\n", "a\nb\n"},
		{"progress bar", "10%\r50%\r100%\r\ndone\n", "100%\ndone\n"},
		{"trailing returns", "kept\r", "kept"},
		{"controls", "a\x00b\x07c\x7fd\u0085", "a␀b␇c␡d\uFFFD"},
		{"reordering", "if \u202e}\u2066", "if [U+202E]}[U+2066]"},
		{"line separators", "a\u2028b\u2029c", "a[U+2028]b[U+2029]c"},
		{"smuggled tags", "ok\U000E0072\U000E006D", "ok[U+E0072][U+E006D]"},
		{"no width in ASCII", "rm\u200b -r\u200df \ufeffx\u2060", "rm[U+200B] -r[U+200D]f [U+FEFF]x[U+2060]"},
		{"flags", "\U0001F3F4\U000E0067\U000E0062\U000E0065\U000E006E\U000E0067\U000E007F", "\U0001F3F4\U000E0067\U000E0062\U000E0065\U000E006E\U000E0067\U000E007F"},
		{"marks of direction", "\u200fשלום\u200e (a) \u061cمرحبا", "\u200fשלום\u200e (a) \u061cمرحبا"},
		{"joiners of scripts", "می\u200cخواهم क\u094d\u200dष ไทย\u200bไทย", "می\u200cخواهم क\u094d\u200dष ไทย\u200bไทย"},
		{"kept", "tab\there\nשלום 你好 👩‍💻", "tab\there\nשלום 你好 👩‍💻"},
		{"broken UTF-8", "a\xff", "a\uFFFD"},
	}
	c := NewCleaner()
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			if got := c.Text(tc.in); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

func TestTextLeavesNothingHidden(t *testing.T) {
	c := NewCleaner()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text") + "\x1b[" + rapid.StringMatching(`[\x00-\x7f]{0,20}`).Draw(t, "tail")
		got := c.Text(text)
		if strings.ContainsFunc(got, func(r rune) bool { return hides(r, 'א', true) }) || Visible(got) != got {
			t.Fatalf("%q still holds a hidden character: %q", text, got)
		}
	})
}

func TestLine(t *testing.T) {
	cases := []struct {
		in    string
		limit int
		want  string
	}{
		{"  two\n\twords ", 20, "two words"},
		{"abcdef", 4, "abc…"},
		{"abc", 4, "abc"},
		{"", 4, ""},
		{"ab cdef", 4, "ab …"},
	}
	for _, tc := range cases {
		got := Line(tc.in, tc.limit)
		if got != tc.want {
			t.Errorf("Line(%q, %d) = %q, want %q", tc.in, tc.limit, got, tc.want)
		}
		if utf8.RuneCountInString(got) > tc.limit {
			t.Errorf("Line(%q, %d) = %q is too long", tc.in, tc.limit, got)
		}
	}
}

func TestHeadAndTailNeverSplitACharacter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		limit := rapid.IntRange(1, 40).Draw(t, "limit")
		head, cut := Head(text, limit)
		if !strings.HasPrefix(text, head) || len(head) > limit || cut == (head == text) {
			t.Fatalf("Head(%q, %d) = %q, %v", text, limit, head, cut)
		}
		tail := Tail(text, limit)
		if !strings.HasSuffix(text, tail) || len(tail) > limit {
			t.Fatalf("Tail(%q, %d) = %q", text, limit, tail)
		}
		if utf8.ValidString(text) && (!utf8.ValidString(head) || !utf8.ValidString(tail)) {
			t.Fatalf("%q cut inside a character: %q %q", text, head, tail)
		}
	})
}

func TestCountLines(t *testing.T) {
	for text, want := range map[string]int64{"": 0, "a": 1, "a\n": 1, "a\nb": 2, "\n\n": 2} {
		if got := CountLines(text); got != want {
			t.Errorf("CountLines(%q) = %d, want %d", text, got, want)
		}
	}
}

// The window's visible.test.ts has the same cases.
func TestVisible(t *testing.T) {
	data, err := os.ReadFile("testdata/visible.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct{ Name, Text, Visible string }
	if err := json.Unmarshal(data, &cases); err != nil || len(cases) == 0 {
		t.Fatalf("%d cases: %v", len(cases), err)
	}
	for _, tc := range cases {
		if got := Visible(tc.Text); got != tc.Visible {
			t.Errorf("%s: got %q, want %q", tc.Name, got, tc.Visible)
		}
	}
}
