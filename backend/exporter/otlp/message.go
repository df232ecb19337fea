package otlp

import (
	"encoding/json"
	"strings"

	"coppice/backend/core"
	"coppice/backend/exporter"
)

// chatMessage is a message in gen_ai.input.messages and gen_ai.output.messages.
type chatMessage struct {
	Role         string     `json:"role"`
	Parts        []chatPart `json:"parts"`
	FinishReason string     `json:"finish_reason,omitempty"` // of output messages
}

type chatPart struct {
	Type      string          `json:"type"`
	Content   string          `json:"content,omitempty"` // of text and reasoning
	ID        string          `json:"id,omitempty"`
	Name      string          `json:"name,omitempty"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
	Response  string          `json:"response,omitempty"`
	MimeType  string          `json:"mime_type,omitempty"`
	URI       string          `json:"uri,omitempty"`
}

func messageOf(m *core.Message) chatMessage {
	c := chatMessage{Role: string(m.Role), Parts: []chatPart{}}
	for i := range m.Parts {
		if p, ok := partOf(&m.Parts[i]); ok {
			c.Parts = append(c.Parts, p)
		}
	}
	return c
}

// outputOf returns an answer; an output message requires a finish reason.
func outputOf(m *core.Message) chatMessage {
	c := messageOf(m)
	switch {
	case m.Error != "":
		c.FinishReason = "error"
	case m.FinishReason == "":
		c.FinishReason = core.FinishStop
	default:
		c.FinishReason = m.FinishReason
	}
	return c
}

// partOf returns a part; false for one that the conventions have no form for.
func partOf(p *core.Part) (chatPart, bool) {
	switch p.Type {
	case core.PartText, core.PartSummary:
		return chatPart{Type: "text", Content: p.Text}, p.Text != ""
	case core.PartReasoning:
		return chatPart{Type: "reasoning", Content: p.Text}, p.Text != ""
	case core.PartToolCall:
		return chatPart{Type: "tool_call", ID: p.ID, Name: p.Name, Arguments: p.Arguments}, true
	case core.PartToolResult:
		return chatPart{Type: "tool_call_response", ID: p.ID, Response: textOf(p.Result)}, true
	case core.PartMedia:
		if p.Media == nil {
			return chatPart{}, false
		}
		if p.Media.URI != "" {
			return chatPart{Type: "uri", MimeType: p.Media.MimeType, URI: p.Media.URI}, true
		}
		return chatPart{Type: "text", Content: exporter.MediaName(p.Media)}, true
	default:
		return chatPart{}, false
	}
}

// textOf returns the texts of a result.
func textOf(parts []core.Part) string {
	var b strings.Builder
	for i := range parts {
		text := parts[i].Text
		if parts[i].Type == core.PartMedia {
			text = exporter.MediaName(parts[i].Media)
		}
		if b.Len() > 0 && text != "" {
			b.WriteByte('\n')
		}
		b.WriteString(text)
	}
	return b.String()
}

// encode returns messages as an attribute has them: a JSON array in a text; empty without messages.
func encode(messages []chatMessage) string {
	if len(messages) == 0 {
		return ""
	}
	data, err := json.Marshal(messages)
	if err != nil {
		return "" // a call's arguments that are no JSON; the store holds none
	}
	return string(data)
}
