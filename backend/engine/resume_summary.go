package engine

import (
	"fmt"
	"slices"
	"strings"

	"coppice/backend/core"
)

const (
	summaryRequests = 5   // of the user, the first ones
	summaryRunes    = 200 // of each
)

// Summary summarizes for a model a conversation that it cannot be sent: the user's requests and the tools used. The
// wording is that of agent-base, whose sessions are resumed in this way.
func Summary(path []core.Message) string {
	if len(path) == 0 {
		return "Empty session - no previous context."
	}
	requests, tools := []string{}, []string{}
	for i := range path {
		m := &path[i]
		if text := strings.TrimSpace(textOf(m.Parts)); m.IsPrompt() && text != "" && len(requests) < summaryRequests {
			requests = append(requests, fmt.Sprintf("%d. %s", len(requests)+1, core.Cut(text, summaryRunes)))
		}
		for _, p := range m.Parts {
			if p.Type == core.PartToolCall && p.Name != "" && !slices.Contains(tools, p.Name) {
				tools = append(tools, p.Name)
			}
		}
	}
	lines := []string{"You are resuming a previous session. Here's what happened:", ""}
	if len(requests) > 0 {
		lines = append(append(append(lines, "User requests:"), requests...), "")
	}
	if len(tools) > 0 {
		lines = append(lines, "Tools used: "+strings.Join(tools, ", "), "")
	}
	return strings.Join(append(lines, fmt.Sprintf("Total conversation: %d messages exchanged.", len(path)), "",
		"Please continue helping the user based on this context. If the user asks about previous actions, you can reference the above."), "\n")
}

// textOf joins the texts of parts.
func textOf(parts []core.Part) string {
	texts := []string{}
	for _, p := range parts {
		if p.Type == core.PartText && p.Text != "" {
			texts = append(texts, p.Text)
		}
	}
	return strings.Join(texts, "\n\n")
}
