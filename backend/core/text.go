package core

import (
	"strings"
	"unicode"
)

// Preview returns the beginning of a text as one line: runs of white space and control characters become one space, and
// a text of more than limit characters is cut, with an ellipsis as its last character. It reads hardly more of the text
// than it returns.
func Preview(text string, limit int) string {
	if limit <= 0 {
		return ""
	}
	line, gap := make([]rune, 0, min(limit, len(text))+2), false
	for _, r := range text {
		if unicode.IsSpace(r) || unicode.IsControl(r) {
			gap = len(line) > 0
			continue
		}
		if gap {
			line, gap = append(line, ' '), false
		}
		line = append(line, r)
		if len(line) > limit {
			return strings.TrimRight(string(line[:limit-1]), " ") + "…"
		}
	}
	return string(line)
}

// PlainText returns the words of a part, without added markup: its text, its reasoning, the arguments or the result of
// a tool. Empty for media and for unknown parts.
func (p *Part) PlainText() string {
	switch p.Type {
	case PartText, PartReasoning, PartSummary:
		return p.Text
	case PartToolCall:
		arguments := string(p.Arguments)
		if len(p.Arguments) == 0 {
			arguments = p.Text
		}
		return strings.TrimSpace(p.Name + " " + arguments)
	case PartToolResult:
		return joinTexts(p.Result)
	case PartMedia, PartOther:
	}
	return ""
}

// Text returns the message's text and summaries, without reasoning, tools and injected texts.
func (m *Message) Text() string {
	var said []Part
	for _, p := range m.Parts {
		if (p.Type == PartText || p.Type == PartSummary) && !p.Injected {
			said = append(said, p)
		}
	}
	return joinTexts(said)
}

// Notice returns the text of a message that neither the user nor a model wrote, such as an error of the tool; empty for any other
// message. It is shown as a quiet line.
func (m *Message) Notice() string {
	if m.Kind != KindMeta || m.Error == "" {
		return ""
	}
	if text := m.Text(); text != "" {
		return text
	}
	return m.Error
}

// Preview returns one line of at most limit characters that describes the message: its text, else the first of its
// parts that has words, else the name or type of its media.
func (m *Message) Preview(limit int) string {
	if line := Preview(m.Text(), limit); line != "" {
		return line
	}
	for i := range m.Parts {
		if line := Preview(m.Parts[i].PlainText(), limit); line != "" {
			return line
		}
	}
	for _, p := range m.Parts {
		if p.Media != nil {
			return Preview("["+strings.TrimSpace(p.Media.Name+" "+p.Media.MimeType)+"]", limit)
		}
	}
	return ""
}

func joinTexts(parts []Part) string {
	var texts []string
	for i := range parts {
		if text := parts[i].PlainText(); text != "" {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, "\n\n")
}

// Cut returns the first limit runes of a text.
func Cut(text string, limit int) string {
	n := 0
	for i := range text {
		if n == limit {
			return text[:i]
		}
		n++
	}
	return text
}
