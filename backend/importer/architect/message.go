package architect

import (
	"encoding/json"
	"strings"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
	"coppice/backend/importer/jsondoc"
	"coppice/backend/importer/jsonl"
	"coppice/backend/importer/transcript"
)

// build builds a message from one in the form of OpenAI's chat.
func build(v gjson.Result) (core.Message, bool) {
	m := core.Message{
		Role: core.Role(jsonl.Text(v.Get("role"))), Kind: core.KindMessage,
		Meta: transcript.Rest(v, "role", "content", "tool_calls", "tool_call_id", "name"),
	}
	text, content := jsonl.Text(v.Get("content")), v.Get("content")
	switch m.Role {
	case core.RoleSystem:
		m.Parts = textParts(content)
	case core.RoleUser:
		m.Parts = textParts(content)
		if strings.HasPrefix(text, "[Hook context]: ") || strings.HasPrefix(text, "[SYSTEM] ") {
			m.Kind = core.KindMeta
		}
	case core.RoleAssistant:
		m.Parts = textParts(content)
		if isSummary(text) {
			m.Kind = core.KindCompaction
			m.Parts = []core.Part{{Type: core.PartSummary, Text: text}}
		}
		for _, call := range v.Get("tool_calls").Array() {
			m.Parts = append(m.Parts, callPart(call))
		}
		if len(v.Get("tool_calls").Array()) > 0 {
			m.FinishReason = "tool_call"
		}
	case core.RoleTool:
		m.Parts = []core.Part{{
			Type: core.PartToolResult, ID: jsonl.Text(v.Get("tool_call_id")), Name: jsonl.Text(v.Get("name")),
			IsError: strings.HasPrefix(text, "Error: "), Result: textParts(content),
		}}
	default:
		return core.Message{}, false
	}
	return m, true
}

// isSummary reports whether an answer by architect replaces older ones; it writes English and Spanish.
func isSummary(text string) bool {
	return strings.HasPrefix(text, "[Summary of previous steps]\n") || strings.HasPrefix(text, "[Resumen de pasos anteriores]\n")
}

func textParts(content gjson.Result) []core.Part {
	switch {
	case content.Type == gjson.String:
		if text := jsonl.Text(content); text != "" {
			return []core.Part{{Type: core.PartText, Text: text}}
		}
		return nil
	case content.IsArray():
		var parts []core.Part
		for _, block := range content.Array() {
			if text := block.Get("text"); text.Type == gjson.String {
				parts = append(parts, core.Part{Type: core.PartText, Text: text.Str})
			} else {
				parts = append(parts, core.Part{Type: core.PartOther, Native: jsonl.Raw(block)})
			}
		}
		return parts
	case jsonl.Empty(content):
		return nil
	default:
		return []core.Part{{Type: core.PartOther, Native: jsonl.Raw(content)}}
	}
}

// callPart reads a call. Its arguments are JSON in a string.
func callPart(call gjson.Result) core.Part {
	p := core.Part{Type: core.PartToolCall, ID: jsonl.Text(call.Get("id")), Name: jsonl.Text(call.Get("function.name"))}
	arguments := call.Get("function.arguments")
	if v, flaw := jsondoc.Value([]byte(arguments.String())); flaw == "" && v.IsObject() {
		p.Arguments = json.RawMessage(v.Raw)
	} else {
		p.Text = arguments.String()
	}
	return p
}

// kept is the number of messages that architect keeps.
const kept = 30

// startsLate reports whether the beginning of the conversation is missing: architect's loop keeps the last messages,
// and its session manager, which marks that, does too.
func startsLate(file core.SourceFile, outliner *jsondoc.Outliner, doc *jsondoc.Outline) bool {
	if doc.Head.Get("messages_truncated").Bool() {
		return true
	}
	first, err := outliner.Read(file.Data, doc.Lists["messages"][0])
	if err != nil {
		return false // it is reported when it is read
	}
	switch jsonl.Text(first.Get("role")) {
	case "system":
		return false
	case "user": // a conversation without instructions, or words that were put in late
		return len(doc.Lists["messages"]) == kept
	default:
		return true
	}
}
