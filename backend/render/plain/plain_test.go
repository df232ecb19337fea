package plain

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestText(t *testing.T) {
	cases := []struct{ name, in, want string }{
		{"colours", "\x1b[31mred\x1b[0m \x1b[1;38;5;208mbold\x1b[m", "red bold"},
		{"hyperlink", "\x1b]8;;https://example.org\x1b\\text\x1b]8;;\x07", "text"},
		{"window title without an end", "a\x1b]0;title", "a"},
		{"character set", "\x1b(Bplain", "plain"},
		{"lone escape at the end", "a\x1b", "a␛"},
		{"line ends", "a\r\nb\r\n", "a\nb\n"},
		{"progress bar", "10%\r50%\r100%\r\ndone\n", "100%\ndone\n"},
		{"trailing returns", "kept\r", "kept"},
		{"controls", "a\x00b\x07c\x7fd\u0085", "a␀b␇c␡d\uFFFD"},
		{"reordering", "if \u202e}\u2066", "if [U+202E]}[U+2066]"},
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
		if strings.IndexFunc(got, hidden) >= 0 {
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
