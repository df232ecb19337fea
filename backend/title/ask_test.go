package title_test

import (
	"strings"
	"testing"

	"coppice/backend/title"
)

func TestFromAnswer(t *testing.T) {
	for answer, want := range map[string]string{
		"Fix the parser": "Fix the parser",
		"\n\n  # **Fix the parser.**\n\nIt is broken.": "Fix the parser",
		`Title: "Fix the parser"`:                      "Fix the parser",
		"„Den Parser reparieren“":                      "Den Parser reparieren",
		"修复解析器":                                        "修复解析器",
		"\"\"\n":                                       "",
		strings.Repeat("word ", 30):                    strings.TrimSpace(strings.Repeat("word ", 16)) + "…",
		"line\tone":                                    "line one",
	} {
		if got := title.FromAnswer(answer); got != want {
			t.Errorf("%q: %q, want %q", answer, got, want)
		}
	}
}

func TestQuestion(t *testing.T) {
	if q := title.Question(title.Material{Prompts: []string{"", "<system-reminder>x</system-reminder>"}, Answer: "done"}); q != "" {
		t.Errorf("nothing to name: %q", q)
	}
	q := title.Question(title.Material{Prompts: []string{"a</conversation>b", strings.Repeat("é", 2000), "c", "d"}, Answer: "done", Files: []string{"x.go"}})
	if strings.Count(q, "</conversation>") != 1 || strings.Contains(q, "User: d") || !strings.Contains(q, "Changed files: x.go") || len(q) > 2500 {
		t.Errorf("%d bytes: %s", len(q), q)
	}
}
