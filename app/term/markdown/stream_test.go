package markdown

import (
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestFinished(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                           "",
		"one":                        "",
		"one\n":                      "",
		"one\n\n":                    "",
		"one\n\ntwo":                 "one\n\n",
		"one\n\n1":                   "",
		"one\n\n1 two":               "one\n\n",
		"- a\n\n- b":                 "",
		"- a\n\n  more":              "",
		"- a\n\nafter":               "- a\n\n",
		"1. a\n\n2. b\n\nafter":      "1. a\n\n2. b\n\n",
		"# Head\n":                   "# Head\n",
		"# Head\ntext":               "# Head\n",
		"```go\na\n\nb\n":            "",
		"```go\na\n\nb\n```\n":       "```go\na\n\nb\n```\n",
		"````\n```\n````\nx":         "````\n```\n````\n",
		"~~~\na\n```\n":              "",
		"- a\n  ```\n  b\n  ```\n":   "",
		"one\n\n    code\n\ntwo":     "one\n\n    code\n\n",
		"| a |\n|---|\n| b |\n\nend": "| a |\n|---|\n| b |\n\n",
	} {
		if end, _ := finished(text); text[:end] != want {
			t.Errorf("%q: %q is finished, want %q", text, text[:end], want)
		}
	}
}

// A text that arrives in any pieces has the same lines as the whole text.
func TestAnyPieces(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("testdata/all.md")
	if err != nil {
		t.Fatal(err)
	}
	r := New(true)
	whole := r.Lines(string(source), 80)
	rapid.Check(t, func(t *rapid.T) {
		s := r.NewStream()
		var lines []string
		for rest := string(source); rest != ""; {
			n := rapid.IntRange(1, min(len(rest), 200)).Draw(t, "bytes")
			lines = append(lines, s.Add(rest[:n], 80)...)
			if all := append(slices.Clone(lines), s.Rest(80)...); len(all) == 0 {
				t.Fatalf("nothing of %q is shown", rest[:n])
			}
			rest = rest[n:]
		}
		lines = append(lines, s.End(80)...)
		if got, want := strings.Join(lines, "\n"), strings.Join(whole, "\n"); got != want {
			t.Fatalf("%s\nwant\n%s", got, want)
		}
	})
}

// A long list is shown item by item, and is numbered as before.
func TestLongList(t *testing.T) {
	t.Parallel()
	s := New(false).NewStream()
	var lines []string
	for i := range 100 {
		_ = i
		lines = append(lines, s.Add("1. an item of a list that has some length, and is one of many\n", 80)...)
	}
	if len(lines) == 0 {
		t.Fatal("no item is shown before the list ends")
	}
	lines = append(lines, s.End(80)...)
	if len(lines) != 100 || slices.Contains(lines, "") {
		t.Errorf("%d lines", len(lines))
	}
}

// A long block is shown by its end while it is written, in time that does not grow with it, and laid out when it is finished.
func TestLongBlock(t *testing.T) {
	t.Parallel()
	s := New(true).NewStream()
	s.Add("```go\n", 80)
	for range 2000 {
		s.Add("x := compute(42) // a comment\n", 80)
	}
	s.Add("last", 80)
	rest := s.Rest(80)
	if len(rest) > restBytes || rest[len(rest)-1] != "last" {
		t.Errorf("%d lines, the last one %q", len(rest), rest[len(rest)-1])
	}
	if lines := s.Add("\n```\n", 80); len(lines) != 2001 {
		t.Errorf("%d lines", len(lines))
	}
}
