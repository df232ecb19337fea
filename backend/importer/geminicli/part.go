package geminicli

import (
	"encoding/base64"
	"encoding/json"
	"strconv"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
	"coppice/backend/importer/jsonl"
)

// contentParts converts a content to parts: a string, a part of the API, or a list of both.
func contentParts(c gjson.Result) []core.Part {
	switch {
	case c.Type == gjson.String:
		if text := jsonl.Text(c); text != "" {
			return []core.Part{{Type: core.PartText, Text: text}}
		}
		return nil
	case c.IsArray():
		var parts []core.Part
		jsonl.Each(c, func(_ string, v gjson.Result) bool {
			if !v.IsArray() {
				parts = append(parts, contentParts(v)...)
			}
			return true
		})
		return parts
	case c.IsObject():
		return []core.Part{apiPart(c)}
	case jsonl.Empty(c):
		return nil
	default:
		return []core.Part{{Type: core.PartOther, Native: jsonl.Raw(c)}}
	}
}

// apiPart converts a part of the API; what is not text, media or a call is stored verbatim.
func apiPart(v gjson.Result) core.Part {
	text := v.Get("text")
	switch {
	case text.Type == gjson.String && v.Get("thought").Bool():
		return core.Part{Type: core.PartReasoning, Text: jsonl.Text(text), Native: jsonl.Without(v, "text")}
	case text.Type == gjson.String:
		return core.Part{Type: core.PartText, Text: jsonl.Text(text)}
	case v.Get("inlineData").IsObject():
		return inlinePart(v)
	case v.Get("fileData").IsObject():
		return core.Part{Type: core.PartMedia, Media: &core.Media{MimeType: jsonl.Text(v.Get("fileData.mimeType")), URI: jsonl.Text(v.Get("fileData.fileUri"))}}
	case v.Get("functionCall").IsObject():
		c := v.Get("functionCall")
		return core.Part{Type: core.PartToolCall, ID: jsonl.Text(c.Get("id")), Name: jsonl.Text(c.Get("name")), Arguments: arguments(c.Get("args"))}
	case v.Get("functionResponse").IsObject():
		p := core.Part{Type: core.PartToolResult, ID: jsonl.Text(v.Get("functionResponse.id")), Name: jsonl.Text(v.Get("functionResponse.name"))}
		addResponse(&p, v.Get("functionResponse.response"))
		return p
	default:
		return core.Part{Type: core.PartOther, Native: jsonl.Raw(v)}
	}
}

func inlinePart(v gjson.Result) core.Part {
	data, err := base64.StdEncoding.DecodeString(jsonl.Text(v.Get("inlineData.data")))
	if err != nil {
		return core.Part{Type: core.PartOther, Native: jsonl.Raw(v)}
	}
	return core.Part{Type: core.PartMedia, Media: &core.Media{
		MimeType: jsonl.Text(v.Get("inlineData.mimeType")), Name: jsonl.Text(v.Get("inlineData.displayName")), Data: data, SizeBytes: int64(len(data)),
	}}
}

// arguments returns an object verbatim; nil for anything else.
func arguments(v gjson.Result) json.RawMessage {
	if !v.IsObject() {
		return nil
	}
	return jsonl.Raw(v)
}

// summaryParts turns a content into parts whose texts are summaries.
func summaryParts(c gjson.Result) []core.Part {
	parts := contentParts(c)
	for i := range parts {
		if parts[i].Type == core.PartText {
			parts[i].Type = core.PartSummary
		}
	}
	return parts
}

// callID is the id of a tool call; some versions gave none.
func callID(c gjson.Result, message string, i int) string {
	if id := jsonl.Text(c.Get("id")); id != "" {
		return id
	}
	return message + "/" + strconv.Itoa(i)
}

func callParts(v gjson.Result, message string) []core.Part {
	var parts []core.Part
	jsonl.Each(v.Get("toolCalls"), func(_ string, c gjson.Result) bool {
		p := core.Part{Type: core.PartToolCall, ID: callID(c, message, len(parts)), Name: jsonl.Text(c.Get("name")), Arguments: arguments(c.Get("args"))}
		if agent := c.Get("agentId"); !jsonl.Empty(agent) {
			p.Extra = map[string]json.RawMessage{"agentId": jsonl.Raw(agent)}
		}
		parts = append(parts, p)
		return true
	})
	return parts
}

// buildResults makes the message of the tools' results.
func buildResults(m *core.Message, v gjson.Result, at *node) {
	m.Role, m.Kind, m.CreatedAtMs = core.RoleTool, core.KindMessage, at.timeMs
	m.Parts = []core.Part{}
	i := 0
	jsonl.Each(v.Get("toolCalls"), func(_ string, c gjson.Result) bool {
		if isAnswered(c) {
			m.Parts = append(m.Parts, resultPart(c, callID(c, at.id, i)))
			m.CreatedAtMs = max(m.CreatedAtMs, jsonl.Millis(c.Get("timestamp")))
		}
		i++
		return true
	})
}

// resultPart reads the result of a tool as the model received it; what the user saw is stored beside it if it is data,
// such as a change to a file.
func resultPart(c gjson.Result, id string) core.Part {
	p := core.Part{Type: core.PartToolResult, ID: id, Name: jsonl.Text(c.Get("name"))}
	switch jsonl.Text(c.Get("status")) {
	case "error", "cancelled":
		p.IsError = true
	}
	result := c.Get("result")
	if result.IsObject() || result.Type == gjson.String {
		addPiece(&p, result)
	}
	if result.IsArray() {
		jsonl.Each(result, func(_ string, v gjson.Result) bool {
			addPiece(&p, v)
			return true
		})
	}
	shown := c.Get("resultDisplay")
	if shown.IsObject() {
		p.Structured = jsonl.Raw(shown)
	} else if len(p.Result) == 0 && p.Structured == nil {
		p.Result = contentParts(shown)
	}
	return p
}

// addPiece adds a piece of a result: what the function answered, or a part of the API beside it.
func addPiece(p *core.Part, v gjson.Result) {
	if answer := v.Get("functionResponse"); answer.IsObject() {
		addResponse(p, answer.Get("response"))
		jsonl.Each(answer.Get("parts"), func(_ string, v gjson.Result) bool {
			p.Result = append(p.Result, contentParts(v)...)
			return true
		})
		return
	}
	p.Result = append(p.Result, contentParts(v)...)
}

// addResponse adds what a function answered: an output, an error, or data.
func addResponse(p *core.Part, v gjson.Result) {
	output, failure := v.Get("output"), v.Get("error")
	switch {
	case output.Type == gjson.String:
		p.Result = append(p.Result, contentParts(output)...)
	case failure.Type == gjson.String:
		p.Result = append(p.Result, contentParts(failure)...)
		p.IsError = true
	case !jsonl.Empty(v):
		p.Structured = jsonl.Raw(v)
	}
}
