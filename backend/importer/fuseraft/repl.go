package fuseraft

import (
	"encoding/json"
	"strings"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
	"coppice/backend/importer/jsondoc"
	"coppice/backend/importer/jsonl"
	"coppice/backend/importer/transcript"
)

// replMessage makes a message of one in the history of a REPL session.
func replMessage(v gjson.Result) (core.Message, bool) {
	m := core.Message{Role: core.Role(jsonl.Text(v.Get("Role"))), Kind: core.KindMessage, Meta: transcript.Rest(v, "Role", "Contents")}
	switch m.Role {
	case core.RoleSystem, core.RoleUser, core.RoleAssistant, core.RoleTool:
	default:
		return core.Message{}, false
	}
	for _, c := range v.Get("Contents").Array() {
		m.Parts = append(m.Parts, replPart(c))
	}
	if m.Role != core.RoleTool && len(m.Parts) > 0 && isSummary(m.Parts[0].Text) {
		m.Kind, m.Parts[0].Type = core.KindCompaction, core.PartSummary
	}
	return m, true
}

// isSummary knows the headings that fuseraft gives what it put in the place of old turns.
func isSummary(text string) bool {
	for _, heading := range []string{"[CONVERSATION SUMMARY — ", "[INTENT-DERIVED RECONSTRUCTION — ", "[CONTEXT RECONSTRUCTION", "[COMPACTION FAILED — "} {
		if strings.HasPrefix(text, heading) {
			return true
		}
	}
	return false
}

func replPart(c gjson.Result) core.Part {
	switch jsonl.Text(c.Get("Type")) {
	case "text":
		return core.Part{Type: core.PartText, Text: jsonl.Text(c.Get("Text"))}
	case "function_call":
		p := core.Part{Type: core.PartToolCall, ID: jsonl.Text(c.Get("CallId")), Name: jsonl.Text(c.Get("FunctionName"))}
		text := jsonl.Text(c.Get("ArgumentsJson"))
		if v, flaw := jsondoc.Value([]byte(text)); flaw == "" && v.IsObject() {
			p.Arguments = json.RawMessage(v.Raw)
		} else {
			p.Text = text
		}
		return p
	case "function_result":
		return replResult(c)
	case "image":
		p := core.Part{Type: core.PartMedia, Media: &core.Media{MimeType: jsonl.Text(c.Get("MediaType")), Name: jsonl.Text(c.Get("ImageName"))}}
		if id := c.Get("ImageId"); !jsonl.Empty(id) {
			p.Extra = map[string]json.RawMessage{"ImageId": jsonl.Raw(id)} // where fuseraft's image store has it
		}
		return p
	default:
		return core.Part{Type: core.PartOther, Native: jsonl.Raw(c)}
	}
}

// replResult reads a result, which is JSON in a string.
func replResult(c gjson.Result) core.Part {
	p := core.Part{Type: core.PartToolResult, ID: jsonl.Text(c.Get("CallId")), Name: jsonl.Text(c.Get("FunctionName"))}
	text := jsonl.Text(c.Get("ResultJson"))
	if v, flaw := jsondoc.Value([]byte(text)); flaw == "" {
		if v.Type == gjson.String {
			text = v.Str
		} else {
			p.Structured = json.RawMessage(v.Raw)
		}
	}
	if text != "" {
		p.Result = []core.Part{{Type: core.PartText, Text: text}}
		p.IsError = strings.HasPrefix(text, "Error: ")
	}
	return p
}

func rememberCalls(names map[string]string, m *core.Message) {
	for _, p := range m.Parts {
		if p.Type == core.PartToolCall && p.ID != "" {
			names[p.ID] = p.Name
		}
	}
}

func nameResults(names map[string]string, m *core.Message) {
	for i := range m.Parts {
		if p := &m.Parts[i]; p.Type == core.PartToolResult && p.Name == "" {
			p.Name = names[p.ID]
		}
	}
}
