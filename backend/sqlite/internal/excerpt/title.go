package excerpt

import (
	"strings"

	"coppice/backend/core"
)

// Title makes a title of a task: its first line that says something.
func Title(task string) string {
	for line := range strings.Lines(task) {
		if title := Line(line, TitleLength); title != "" {
			return title
		}
	}
	return ""
}

// Task returns the beginning of a prompt.
func Task(parts []core.Part) string {
	for _, p := range parts {
		if p.Type == core.PartText && !p.Injected && Title(p.Text) != "" {
			return core.Cut(p.Text, TaskLength)
		}
	}
	return ""
}

// TaskLength and TitleLength are the longest task and the longest title that are stored.
const (
	TaskLength  = 1000 // runes of the first prompt that a session keeps
	TitleLength = 120  // runes
)
