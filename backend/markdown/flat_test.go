package markdown_test

import (
	"testing"

	"coppice/backend/markdown"
)

func TestFlat(t *testing.T) {
	for text, want := range map[string]string{
		"### Fixed\n\nThe `--limit` flag *is* inverted.": "Fixed The --limit flag is inverted.",
		"- [x] read `a.go`\n- write it\n\n---\nend":      "read a.go write it end",
		"| File | Lines |\n|------|:---:|\n| a.go | 3 |": "File · Lines a.go · 3",
		"```go\nx := 1\n```":                             "x := 1",
		"> quoted\n> twice":                              "quoted twice",
		"a ` alone, **/*.go and 2 * 3":                   "a ` alone, **/*.go and 2 * 3",
		"-1 is less\n* x":                                "-1 is less x",
		"":                                               "",
	} {
		if got := markdown.Flat(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
