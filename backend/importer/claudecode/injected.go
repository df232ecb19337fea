package claudecode

import (
	"strings"

	"coppice/backend/core"
)

// injectedTags are the elements that Claude Code and its editor extensions put before or after the user's words.
var injectedTags = []string{"ide_opened_file", "ide_selection", "ide_diagnostics", "post-tool-use-hook", "user-prompt-submit-hook", "system-reminder"}

// cutInjected returns the element that a text begins with, if it is an injected one, and the rest of the text.
func cutInjected(text string) (element, rest string) {
	start := strings.TrimLeft(text, " \t\r\n")
	for _, tag := range injectedTags {
		if !strings.HasPrefix(start, "<"+tag+">") {
			continue
		}
		end := "</" + tag + ">"
		if at := strings.Index(start, end); at >= 0 {
			return start[:at+len(end)], start[at+len(end):]
		}
	}
	return "", text
}

// ownWords returns a text without the injected elements that it begins with.
func ownWords(text string) string {
	for {
		element, rest := cutInjected(text)
		if element == "" {
			return text
		}
		text = strings.TrimLeft(rest, " \t\r\n")
	}
}

// withInjected marks the texts among parts that Claude Code put in. A text that begins with such elements becomes several parts.
func withInjected(parts []core.Part) []core.Part {
	var marked []core.Part
	for _, p := range parts {
		if p.Type != core.PartText {
			marked = append(marked, p)
			continue
		}
		before := len(marked)
		for element, rest := cutInjected(p.Text); element != ""; element, rest = cutInjected(p.Text) {
			marked = append(marked, core.Part{Type: core.PartText, Text: element, Injected: true})
			p.Text = strings.TrimLeft(rest, " \t\r\n")
		}
		if p.Text != "" || len(marked) == before {
			marked = append(marked, p)
		}
	}
	return marked
}
