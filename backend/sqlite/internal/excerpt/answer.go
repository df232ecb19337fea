package excerpt

import (
	"coppice/backend/core"
	"coppice/backend/markdown"
)

// Answer returns the beginning of what a model answers with a message, one line; empty if the message only calls tools.
func Answer(m *core.Message) string {
	answer, _ := answerOf(m)
	return answer
}

// PreviewAndAnswer returns Preview and Answer of a message. Often they are the same line.
func PreviewAndAnswer(m *core.Message) (preview, answer string) {
	answer, part := answerOf(m)
	if answer != "" && part == 0 {
		return answer, answer
	}
	return Preview(m.Parts), answer
}

// answerOf returns the answer and the index of the part that has it.
func answerOf(m *core.Message) (answer string, part int) {
	if m.Role != core.RoleAssistant || m.Kind != core.KindMessage {
		return "", 0
	}
	for i := range m.Parts {
		if p := &m.Parts[i]; p.Type == core.PartText && !p.Injected {
			if line := textLine(p); line != "" {
				return line, i
			}
		}
	}
	return "", 0
}

// textLine returns the beginning of a text without its marks, which are removed before the cut: it would part them.
func textLine(p *core.Part) string {
	return Line(markdown.Plain(Line(p.Text, 2*previewLength)), previewLength)
}
