package present

import (
	"strings"

	"coppice/backend/engine"
	"coppice/backend/render/plain"
)

// Question returns the title of a question and a preview of what the call would do. The title of a command is the whole
// command or only the number of its lines, because a summary could hide what runs.
func Question(q *engine.Question) (title, preview string) {
	title, preview = q.Access.Title, q.Access.Preview
	if title == "" {
		title = q.Call.Name
	}
	if preview == "" && len(q.Access.Targets) > 1 {
		preview = strings.Join(q.Access.Targets, "\n")
	}
	isExact := strings.HasSuffix(title, preview) && plain.ExactText(title) == title && !strings.Contains(title, "\n")
	if q.Call.Name == "run_command" && !isExact {
		title = "Run " + Count(int64(strings.Count(strings.TrimRight(preview, "\n"), "\n")+1), "line")
	}
	return title, preview
}
