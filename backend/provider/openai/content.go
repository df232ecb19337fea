package openai

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"strings"

	"coppice/backend/core"
)

// content is a piece of a user's message or a tool's result: a text, or media with its bytes.
type content struct {
	text  string
	image *core.Media
	file  *core.Media
}

// contents returns the content of a message or a tool result. A text describes what cannot be sent, so that the model
// knows about it.
func (q quirks) contents(parts []core.Part) []content {
	var all []content
	for _, p := range parts {
		switch p.Type {
		case core.PartText, core.PartSummary:
			if p.Text != "" {
				all = append(all, content{text: p.Text})
			}
		case core.PartMedia:
			if p.Media != nil {
				all = append(all, q.media(p.Media))
			}
		case core.PartReasoning, core.PartToolCall, core.PartToolResult, core.PartOther:
		}
	}
	return all
}

func (q quirks) media(m *core.Media) content {
	name := strings.TrimSpace(m.Name + " (" + m.MimeType + ")")
	switch {
	case len(m.Data) == 0:
		return content{text: "[attached, but not at hand: " + name + "]"}
	case m.IsImage():
		return content{image: m}
	case m.MimeType == "application/pdf" && q.files:
		return content{file: m}
	case strings.HasPrefix(m.MimeType, "text/"):
		return content{text: "[attached: " + name + "]\n" + string(m.Data)}
	}
	return content{text: "[attached, but not of a kind that can be sent: " + name + "]"}
}

// dataURL returns media as a URL that holds its bytes.
func dataURL(m *core.Media) string {
	return "data:" + m.MimeType + ";base64," + base64.StdEncoding.EncodeToString(m.Data)
}

// texts joins the texts, and reports whether there is nothing else.
func texts(all []content) (string, bool) {
	var said []string
	for _, c := range all {
		if c.image != nil || c.file != nil {
			continue
		}
		said = append(said, c.text)
	}
	return strings.Join(said, "\n"), len(said) == len(all)
}

// textOf returns the text of an assistant message.
func textOf(m *core.Message) string {
	var texts []string
	for _, p := range m.Parts {
		if (p.Type == core.PartText || p.Type == core.PartSummary) && p.Text != "" {
			texts = append(texts, p.Text)
		}
	}
	return strings.Join(texts, "\n")
}

// silence replaces an empty output of a tool, which some servers reject.
const silence = "(no output)"

// longestID is OpenAI's limit for the length of a call's id.
const longestID = 40

// shortID is the only length of a call's id that Mistral accepts.
const shortID = 9

// callID returns the id of a call in a form that the endpoint accepts. The id of another provider may be longer, or
// have other characters.
func (q quirks) callID(id string) string {
	sound := id != "" && len(id) <= longestID && (!q.shortIDs || len(id) == shortID)
	for _, c := range []byte(id) {
		sound = sound && (c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || (c == '_' || c == '-') && !q.shortIDs)
	}
	if sound {
		return id
	}
	sum := sha256.Sum256([]byte(id))
	text := hex.EncodeToString(sum[:16])
	if q.shortIDs {
		return text[:shortID]
	}
	return "call_" + text
}

// arguments returns the arguments of a call as text. Arguments that are not an object are wrapped in one, because
// servers that render calls with a template reject anything else.
func arguments(p *core.Part) (string, error) {
	if len(p.Arguments) > 0 {
		return string(p.Arguments), nil
	}
	if p.Text == "" {
		return "{}", nil
	}
	wrapped, err := json.Marshal(map[string]string{"invalid_json": p.Text})
	return string(wrapped), err
}

// object returns the arguments that a model wrote if they are an object. Missing arguments are an empty object, unless
// the answer was cut: then the model had not yet written them.
func object(text string, cut bool) json.RawMessage {
	text = strings.TrimSpace(text)
	if text == "" && !cut {
		return json.RawMessage("{}")
	}
	if !strings.HasPrefix(text, "{") || !json.Valid([]byte(text)) {
		return nil
	}
	return json.RawMessage(text)
}

// parameters returns the schema of a tool's arguments; some servers require one even for a tool without arguments.
func parameters(t core.ToolSpec) json.RawMessage {
	if len(t.Parameters) == 0 {
		return json.RawMessage(`{"type":"object","properties":{}}`)
	}
	return t.Parameters
}
