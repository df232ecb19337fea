package agentbase

import (
	"encoding/base64"
	"encoding/json"
	"strings"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
	"coppice/backend/importer/jsondoc"
	"coppice/backend/importer/jsonl"
	"coppice/backend/importer/transcript"
)

// build builds a message from one in any of the forms of a thread.
func build(v gjson.Result) (core.Message, bool) {
	role := v.Get("role")
	if role.IsObject() {
		role = role.Get("value")
	}
	m := core.Message{Role: core.Role(jsonl.Text(role)), Kind: core.KindMessage}
	switch m.Role {
	case core.RoleSystem, core.RoleUser, core.RoleAssistant, core.RoleTool:
	default:
		return core.Message{}, false
	}
	if v.Get("contents").Exists() {
		framework(&m, v)
	} else {
		fallback(&m, v)
	}
	return m, true
}

// framework reads a message of the Agent Framework.
func framework(m *core.Message, v gjson.Result) {
	for _, c := range v.Get("contents").Array() {
		m.Parts = append(m.Parts, contentPart(c))
		if c.Get("type").Str == "usage" {
			m.Usage = usage(c.Get("details"))
		}
	}
	name := jsonl.Text(v.Get("author_name"))
	if m.Role == core.RoleAssistant {
		m.Agent = name
		if id := jsonl.Text(v.Get("message_id")); id != "" {
			m.Origin = &core.Origin{ResponseID: id}
		}
	} else {
		m.Name = name
	}
	m.Meta = transcript.Rest(v, "type", "role", "contents", "author_name", "message_id")
}

// fallback reads a message of the form that agent-base writes where the framework's fails.
func fallback(m *core.Message, v gjson.Result) {
	content := v.Get("content")
	m.Parts = texts(content)
	if m.Role == core.RoleTool {
		m.Parts = []core.Part{{Type: core.PartToolResult, ID: jsonl.Text(v.Get("tool_call_id")), Result: m.Parts}}
	}
	for _, call := range v.Get("tool_calls").Array() {
		p := core.Part{Type: core.PartToolCall, ID: jsonl.Text(call.Get("id")), Name: jsonl.Text(call.Get("name"))}
		arguments(&p, call.Get("arguments"))
		m.Parts = append(m.Parts, p)
	}
	m.Meta = transcript.Rest(v, "role", "content", "tool_calls", "tool_call_id")
}

func texts(content gjson.Result) []core.Part {
	if content.Type == gjson.String {
		if content.Str == "" {
			return nil
		}
		return []core.Part{{Type: core.PartText, Text: content.Str}}
	}
	if jsonl.Empty(content) {
		return nil
	}
	return []core.Part{{Type: core.PartOther, Native: jsonl.Raw(content)}}
}

// arguments of a call are an object, or one in a string.
func arguments(p *core.Part, v gjson.Result) {
	if v.IsObject() {
		p.Arguments = jsonl.Raw(v)
		return
	}
	if inner, flaw := jsondoc.Value([]byte(v.String())); flaw == "" && inner.IsObject() {
		p.Arguments = json.RawMessage(inner.Raw)
		return
	}
	p.Text = v.String()
}

// contentPart converts one content to a part; one of an unknown type is stored verbatim.
func contentPart(c gjson.Result) core.Part {
	switch jsonl.Text(c.Get("type")) {
	case "text":
		return core.Part{Type: core.PartText, Text: jsonl.Text(c.Get("text"))}
	case "text_reasoning":
		return core.Part{Type: core.PartReasoning, Text: jsonl.Text(c.Get("text")), Native: transcript.Rest(c, "type", "text")}
	case "function_call":
		p := core.Part{Type: core.PartToolCall, ID: jsonl.Text(c.Get("call_id")), Name: jsonl.Text(c.Get("name"))}
		arguments(&p, c.Get("arguments"))
		return p
	case "function_result":
		return resultPart(c)
	case "data", "uri":
		return mediaPart(c)
	default:
		return core.Part{Type: core.PartOther, Native: jsonl.Raw(c)}
	}
}

func resultPart(c gjson.Result) core.Part {
	p := core.Part{Type: core.PartToolResult, ID: jsonl.Text(c.Get("call_id"))}
	if failed := c.Get("exception"); !jsonl.Empty(failed) {
		p.IsError = true
		p.Result = []core.Part{{Type: core.PartText, Text: failed.String()}}
	}
	result := c.Get("result")
	switch {
	case result.Type == gjson.String:
		p.Result = append(p.Result, core.Part{Type: core.PartText, Text: result.Str})
	case result.Exists() && result.Type != gjson.Null:
		p.Result = append(p.Result, core.Part{Type: core.PartText, Text: result.Raw})
		p.Structured = jsonl.Raw(result)
		if success := result.Get("success"); success.Type == gjson.False {
			p.IsError = true
		}
	}
	return p
}

// mediaPart reads a data: address, or another one, which is only named.
func mediaPart(c gjson.Result) core.Part {
	uri := jsonl.Text(c.Get("uri"))
	media := &core.Media{MimeType: jsonl.Text(c.Get("media_type")), URI: uri}
	if head, data, ok := strings.Cut(uri, ","); ok && strings.HasPrefix(head, "data:") {
		decoded, err := base64.StdEncoding.DecodeString(data)
		if err != nil || !strings.HasSuffix(head, ";base64") {
			return core.Part{Type: core.PartOther, Native: jsonl.Raw(c)}
		}
		media.URI, media.Data, media.SizeBytes = "", decoded, int64(len(decoded))
		if media.MimeType == "" {
			media.MimeType = strings.TrimSuffix(strings.TrimPrefix(head, "data:"), ";base64")
		}
	}
	return core.Part{Type: core.PartMedia, Media: media}
}

func usage(details gjson.Result) *core.Usage {
	u := core.Usage{
		InputTokens: max(0, details.Get("input_token_count").Int()), OutputTokens: max(0, details.Get("output_token_count").Int()), Native: jsonl.Raw(details),
	}
	if u.InputTokens == 0 && u.OutputTokens == 0 {
		return nil
	}
	return &u
}

// nameResults gives results the name of the tool that was called.
func nameResults(t *transcript.Transcript) func(int, *core.Message, func(int) string) {
	names := map[string]string{}
	t.See = func(_ int, m *core.Message) {
		for _, p := range m.Parts {
			if p.Type == core.PartToolCall && p.ID != "" {
				names[p.ID] = p.Name
			}
		}
	}
	return func(_ int, m *core.Message, _ func(int) string) {
		for i := range m.Parts {
			if p := &m.Parts[i]; p.Type == core.PartToolResult && p.Name == "" {
				p.Name = names[p.ID]
			}
		}
	}
}
