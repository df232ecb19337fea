package excerpt

import (
	"strings"
	"testing"

	"coppice/backend/core"
)

func TestAnswer(t *testing.T) {
	for text, want := range map[string]string{
		"The parser was wrong.": "The parser was wrong.",
		"Done. Here's a summary of the changes:\n\n## Summary\n\nThe flag is inverted.":      "The flag is inverted.",
		"All tests pass. Here's a summary of the changes:\n\n## Changes\n\n3 files, 3 fixes": "3 files, 3 fixes",
		"---\n## Discovery results for \"checkpoint save\"\nx":                               `Discovery results for "checkpoint save" x`,
		"| Comment | Issue |\n|---|---|\n| 27 | O(n²) |\n\nAll answered.":                    "All answered.",
		"**Done.** The **error** is lower case.":                                             "The error is lower case.",
		"Here's the thing: it is slow.":                                                      "Here's the thing: it is slow.",
		"Done.":                                                                              "Done.",
		"Perfect! All tests are passing.":                                                    "Perfect! All tests are passing.",
		"All tests pass with the new parser, which reads a line at a time and so needs little memory for the large files": "All tests pass with the new parser, which reads a line at a time and so needs little memory for the large files",
		"日本語の答え": "日本語の答え",
		"Now `retry` waits.\n\n### Files\n\n- `a.go`\n- `b.go`": "Now retry waits. Files a.go b.go",
	} {
		m := core.Message{Role: core.RoleAssistant, Kind: core.KindMessage, Parts: []core.Part{{Type: core.PartText, Text: text}}}
		if got := Answer(&m); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
		preview, answer := PreviewAndAnswer(&m)
		if answer != want || !strings.HasPrefix(preview, strings.Trim(strings.Fields(text)[0], "*#-")) {
			t.Errorf("%q: preview %q, answer %q", text, preview, answer)
		}
	}
}
