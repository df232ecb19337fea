package excerpt

import (
	"strings"

	"coppice/backend/core"
	"coppice/backend/markdown"
)

// Answer returns the beginning of what a model answers with a message, one line; empty if the message only calls tools. Openings that
// say nothing of the session, such as "Done. Here's a summary of the changes:", are left out.
func Answer(m *core.Message) string {
	if p, _ := answerOf(m); p != nil {
		return answerLine(p)
	}
	return ""
}

// PreviewAndAnswer returns Preview and Answer of a message.
func PreviewAndAnswer(m *core.Message) (preview, answer string) {
	p, at := answerOf(m)
	switch {
	case p == nil:
		return Preview(m.Parts), ""
	case at == 0:
		return textLine(p), answerLine(p)
	}
	return Preview(m.Parts), answerLine(p)
}

// answerOf returns the part that has the answer, and its index; nil if none has.
func answerOf(m *core.Message) (answer *core.Part, at int) {
	if m.Role != core.RoleAssistant || m.Kind != core.KindMessage {
		return nil, 0
	}
	for i := range m.Parts {
		if p := &m.Parts[i]; p.Type == core.PartText && !p.Injected && strings.TrimSpace(p.Text) != "" {
			return p, i
		}
	}
	return nil, 0
}

// textLine returns the beginning of a text without its marks, which are removed before the cut: it would part them.
func textLine(p *core.Part) string {
	return Line(markdown.Plain(Line(p.Text, 2*previewLength)), previewLength)
}

// answerLine returns the beginning of an answer as plain text, without what opens many answers.
func answerLine(p *core.Part) string {
	text := core.Cut(p.Text, 4*previewLength)
	if line := flatLine(withoutOpening(text)); line != "" {
		return line
	}
	return flatLine(text)
}

func flatLine(text string) string {
	return Line(markdown.Flat(core.Cut(text, 4*previewLength)), previewLength)
}

const (
	mostOpenings  = 8   // that are left out
	openingLength = 120 // of one, in bytes
)

// openings begin sentences that are left out, in lower case. One that ends with a colon introduces what follows, up to a colon.
var openings = []string{
	"done.", "done!", "perfect!", "perfect.", "great!", "great.", "excellent!", "all done", "all tests pass", "all tests are passing", "all tests still pass",
	"everything passes", "here's a summary:", "here is a summary:", "here's the summary:", "here is the summary:", "here's what i:", "here is what i:",
	"here's a complete summary:", "here's a quick summary:", "summary of changes:", "summary of the changes:", "the implementation is complete",
}

// withoutOpening removes openings, headings of one or two words, rules and the heads of tables from the beginning of a text.
func withoutOpening(text string) string {
	for range mostOpenings {
		text = strings.TrimLeft(text, " \t\r\n")
		rest, ok := cutOpening(text)
		if !ok {
			return text
		}
		text = rest
	}
	return text
}

func cutOpening(text string) (rest string, ok bool) {
	line, after, _ := strings.Cut(text, "\n")
	switch {
	case strings.HasPrefix(line, "---"), strings.HasPrefix(line, "|") && strings.HasSuffix(strings.TrimSpace(line), "|"):
		return after, after != ""
	case strings.HasPrefix(line, "#") && len(strings.Fields(line)) <= 3: // the mark, and two words
		return after, after != ""
	}
	plain := strings.TrimLeft(line, "*_")
	for _, opening := range openings {
		words, introduces := strings.CutSuffix(opening, ":")
		if len(plain) < len(words) || !strings.EqualFold(plain[:len(words)], words) {
			continue
		}
		ends := ".!"
		if introduces {
			ends = ":"
		}
		// An opening that ends with its own mark ends there.
		from := len(words) - 1
		if end := strings.IndexAny(plain[from:min(len(plain), openingLength)], ends); end >= 0 {
			return strings.TrimLeft(text[len(line)-len(plain)+from+end+1:], "*_"), true
		}
	}
	return text, false
}
