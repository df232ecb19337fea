package pi

import (
	"encoding/base64"
	"encoding/json"
	"strings"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
	"coppice/backend/importer/jsonl"
	"coppice/backend/importer/transcript"
)

func textParts(text string) []core.Part {
	if text == "" {
		return nil
	}
	return []core.Part{{Type: core.PartText, Text: text}}
}

// contentParts turns a content into parts: a string, or a list of blocks.
func contentParts(c gjson.Result) []core.Part {
	if c.Type == gjson.String {
		return textParts(jsonl.Text(c))
	}
	var parts []core.Part
	if c.IsArray() {
		jsonl.Each(c, func(_ string, v gjson.Result) bool {
			parts = append(parts, part(v))
			return true
		})
	}
	return parts
}

// part reads a block; one of an unknown type is stored verbatim.
func part(v gjson.Result) core.Part {
	switch jsonl.Text(v.Get("type")) {
	case "text":
		return core.Part{Type: core.PartText, Text: jsonl.Text(v.Get("text"))}
	case "thinking":
		return core.Part{Type: core.PartReasoning, Text: jsonl.Text(v.Get("thinking")), Redacted: v.Get("redacted").Bool(), Native: transcript.Rest(v, "type", "thinking", "redacted")}
	case "toolCall":
		p := core.Part{Type: core.PartToolCall, ID: jsonl.Text(v.Get("id")), Name: jsonl.Text(v.Get("name")), Native: transcript.Rest(v, "type", "id", "name", "arguments")}
		switch arguments := v.Get("arguments"); {
		case arguments.IsObject():
			p.Arguments = jsonl.Raw(arguments)
		default:
			p.Text = jsonl.Text(arguments)
		}
		return p
	case "image":
		return media(v, "data", "mimeType")
	default:
		return core.Part{Type: core.PartOther, Native: orNull(v)}
	}
}

// attachment reads a file beside a prompt, as version 1 had them.
func attachment(v gjson.Result) core.Part {
	p := media(v, "content", "mimeType")
	if p.Media != nil {
		p.Media.Name = jsonl.Text(v.Get("fileName"))
	}
	return p
}

// media reads a picture or a file. What cannot be decoded is stored verbatim.
func media(v gjson.Result, data, mimeType string) core.Part {
	bytes, err := base64.StdEncoding.DecodeString(jsonl.Text(v.Get(data)))
	if err != nil || len(bytes) == 0 {
		return core.Part{Type: core.PartOther, Native: orNull(v)}
	}
	return core.Part{Type: core.PartMedia, Media: &core.Media{MimeType: jsonl.Text(v.Get(mimeType)), Data: bytes, SizeBytes: int64(len(bytes))}}
}

func orNull(v gjson.Result) json.RawMessage {
	if raw := jsonl.Raw(v); raw != nil {
		return raw
	}
	return json.RawMessage("null")
}

// words returns the text of a content.
func words(c gjson.Result) string {
	if c.Type == gjson.String {
		return jsonl.Text(c)
	}
	var all []string
	jsonl.Each(c, func(_ string, v gjson.Result) bool {
		if t := jsonl.Text(v.Get("text")); t != "" {
			all = append(all, t)
		}
		return true
	})
	return strings.Join(all, "\n")
}
