package team

import (
	"strings"

	"coppice/backend/core"
)

// addressed returns the agent that a text begins with, as in "@critic is that so?".
func addressed(t *core.Team, text string) (name string, ok bool) {
	word, is := strings.CutPrefix(strings.TrimSpace(text), "@")
	if !is {
		return "", false
	}
	if end := strings.IndexFunc(word, func(r rune) bool { return strings.ContainsRune(" \t\n:,", r) }); end >= 0 {
		word = word[:end]
	}
	for i := range t.Agents {
		if strings.EqualFold(t.Agents[i].Name, word) {
			return t.Agents[i].Name, true
		}
	}
	return "", false
}
