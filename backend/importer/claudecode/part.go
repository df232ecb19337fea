package claudecode

import (
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
	"coppice/backend/importer/jsonl"
)

// contentParts turns a content, a string or a list of blocks, into parts.
func contentParts(content gjson.Result) []core.Part {
	if content.Type == gjson.String {
		if jsonl.Text(content) == "" {
			return nil
		}
		return []core.Part{{Type: core.PartText, Text: jsonl.Text(content)}}
	}
	if !content.IsArray() {
		if jsonl.Empty(content) {
			return nil
		}
		return []core.Part{{Type: core.PartOther, Native: jsonl.Raw(content)}}
	}
	var parts []core.Part
	jsonl.Each(content, func(_ string, v gjson.Result) bool {
		parts = append(parts, blockPart(readBlock(v)))
		return true
	})
	return parts
}

// block is a piece of a message's content, its fields that matter.
type block struct {
	all       gjson.Result
	kind      string // its "type"; "text" for a plain string
	text      string // text or thinking
	id        string
	toolUseID string
	name      string
	title     string
	isError   bool
	input     gjson.Result
	content   gjson.Result
	source    gjson.Result
}

func readBlock(v gjson.Result) block {
	b := block{all: v}
	if v.Type == gjson.String {
		b.kind, b.text = "text", jsonl.Text(v)
		return b
	}
	if !v.IsObject() {
		return b
	}
	jsonl.Each(v, func(key string, v gjson.Result) bool {
		switch key {
		case "type":
			b.kind = jsonl.Text(v)
		case "text", "thinking":
			b.text = jsonl.Text(v)
		case "id":
			b.id = jsonl.Text(v)
		case "tool_use_id":
			b.toolUseID = jsonl.Text(v)
		case "name":
			b.name = jsonl.Text(v)
		case "title":
			b.title = jsonl.Text(v)
		case "is_error":
			b.isError = v.Bool()
		case "input":
			b.input = v
		case "content":
			b.content = v
		case "source":
			b.source = v
		}
		return true
	})
	return b
}

// blockPart turns one block into a part; one of an unknown type is kept as it is.
func blockPart(b block) core.Part {
	switch b.kind {
	case "text":
		return withExtra(core.Part{Type: core.PartText, Text: b.text}, b.all, "citations")
	case "thinking":
		return core.Part{Type: core.PartReasoning, Text: b.text, Native: without(b.all, "thinking")}
	case "redacted_thinking":
		return core.Part{Type: core.PartReasoning, Redacted: true, Native: jsonl.Raw(b.all)}
	case "tool_use", "server_tool_use", "mcp_tool_use":
		return callPart(b)
	case "image", "document":
		return mediaPart(b)
	}
	if b.toolUseID != "" && strings.HasSuffix(b.kind, "_tool_result") {
		return core.Part{
			Type: core.PartToolResult, ID: b.toolUseID, Server: true, IsError: b.isError, Structured: jsonl.Raw(b.content), Native: without(b.all, "content"),
		}
	}
	return core.Part{Type: core.PartOther, Native: jsonl.Raw(b.all)}
}

func callPart(b block) core.Part {
	p := core.Part{Type: core.PartToolCall, ID: b.id, Name: b.name, Server: b.kind != "tool_use"}
	switch {
	case b.input.IsObject():
		p.Arguments = jsonl.Raw(b.input)
	case b.input.Type == gjson.String:
		p.Text = jsonl.Text(b.input)
	default:
		p.Text = b.input.Raw
	}
	return withExtra(p, b.all, "caller", "server_name")
}

// withExtra keeps fields of a block that parts have no place for.
func withExtra(p core.Part, all gjson.Result, keys ...string) core.Part {
	if !all.IsObject() {
		return p
	}
	jsonl.Each(all, func(key string, v gjson.Result) bool {
		if !slices.Contains(keys, key) || jsonl.Empty(v) {
			return true
		}
		if p.Extra == nil {
			p.Extra = map[string]json.RawMessage{}
		}
		p.Extra[key] = jsonl.Raw(v)
		return true
	})
	return p
}

// without returns a block less one field, which stands in the part already.
func without(all gjson.Result, field string) json.RawMessage {
	var kept jsonl.Fields
	jsonl.Each(all, func(key string, v gjson.Result) bool {
		if key != field {
			kept.Set(key, json.RawMessage(v.Raw))
		}
		return true
	})
	return kept.JSON()
}

// mediaPart reads an image or a document. What cannot be decoded is kept as it is.
func mediaPart(b block) core.Part {
	media := &core.Media{MimeType: jsonl.Text(b.source.Get("media_type")), Name: b.title}
	data := jsonl.Text(b.source.Get("data"))
	switch jsonl.Text(b.source.Get("type")) {
	case "base64":
		decoded, err := base64.StdEncoding.DecodeString(data)
		if err != nil {
			return core.Part{Type: core.PartOther, Native: jsonl.Raw(b.all)}
		}
		media.Data = decoded
	case "url":
		media.URI = jsonl.Text(b.source.Get("url"))
	case "text":
		media.Data = []byte(data)
	default:
		return core.Part{Type: core.PartOther, Native: jsonl.Raw(b.all)}
	}
	media.SizeBytes = int64(len(media.Data))
	return core.Part{Type: core.PartMedia, Media: media}
}
