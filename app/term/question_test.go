package term

import (
	"strings"
	"testing"

	"coppice/app/internal/present"
	"coppice/backend/core"
	"coppice/backend/engine"
)

// The title of a question, in the window and at a terminal, is the whole command or only counts its lines.
func TestTitlesOfQuestions(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]string{
		"go test ./core":               "Run go test ./core",
		"echo ok\npython3 x":           "Run 2 lines",
		"echo\tok":                     "Run 1 line",
		"echo  ok":                     "Run 1 line",
		"python3 x #\recho ok":         "Run 1 line",
		"ls\u202e":                     "Run 1 line",
		strings.Repeat("echo; ", 1000): "Run 1 line",
	} {
		q := engine.Question{Call: core.ToolCall{Name: "run_command"}, Access: core.Access{Title: "Run " + core.Preview(command, 200), Preview: command}}
		if title, preview := present.Question(&q); title != want || preview != command {
			t.Errorf("%q is asked as %q, %q", command, title, preview)
		}
	}
	q := engine.Question{Call: core.ToolCall{Name: "read_file"}, Access: core.Access{Targets: []string{"a", "b"}}}
	if title, preview := present.Question(&q); title != "read_file" || preview != "a\nb" {
		t.Errorf("%q, %q", title, preview)
	}
}
