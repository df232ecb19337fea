package excerpt

import (
	"coppice/backend/core"
	"coppice/backend/markdown"
)

// Answer returns the beginning of what a model answers with a message, one line; empty if the message only calls tools.
func Answer(m *core.Message) string {
	if m.Role != core.RoleAssistant || m.Kind != core.KindMessage {
		return ""
	}
	for i := range m.Parts {
		if p := &m.Parts[i]; p.Type == core.PartText && !p.Injected {
			if line := Line(markdown.Plain(Line(p.Text, 2*previewLength)), previewLength); line != "" {
				return line
			}
		}
	}
	return ""
}
