package claudecode

import (
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
)

// contentParts turns a content, a string or a list of blocks, into parts.
func contentParts(content gjson.Result) []core.Part {
	if content.Type == gjson.String {
		if text(content) == "" {
			return nil
		}
		return []core.Part{{Type: core.PartText, Text: text(content)}}
	}
	if !content.IsArray() {
		if empty(content) {
			return nil
		}
		return []core.Part{{Type: core.PartOther, Native: raw(content)}}
	}
	var parts []core.Part
	each(content, func(_ string, v gjson.Result) bool {
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
		b.kind, b.text = "text", text(v)
		return b
	}
	if !v.IsObject() {
		return b
	}
	each(v, func(key string, v gjson.Result) bool {
		switch key {
		case "type":
			b.kind = text(v)
		case "text", "thinking":
			b.text = text(v)
		case "id":
			b.id = text(v)
		case "tool_use_id":
			b.toolUseID = text(v)
		case "name":
			b.name = text(v)
		case "title":
			b.title = text(v)
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
		return core.Part{Type: core.PartReasoning, Redacted: true, Native: raw(b.all)}
	case "tool_use", "server_tool_use", "mcp_tool_use":
		return callPart(b)
	case "image", "document":
		return mediaPart(b)
	}
	if b.toolUseID != "" && strings.HasSuffix(b.kind, "_tool_result") {
		return core.Part{
			Type: core.PartToolResult, ID: b.toolUseID, Server: true, IsError: b.isError, Structured: raw(b.content), Native: without(b.all, "content"),
		}
	}
	return core.Part{Type: core.PartOther, Native: raw(b.all)}
}

func callPart(b block) core.Part {
	p := core.Part{Type: core.PartToolCall, ID: b.id, Name: b.name, Server: b.kind != "tool_use"}
	switch {
	case b.input.IsObject():
		p.Arguments = raw(b.input)
	case b.input.Type == gjson.String:
		p.Text = text(b.input)
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
	each(all, func(key string, v gjson.Result) bool {
		if !slices.Contains(keys, key) || empty(v) {
			return true
		}
		if p.Extra == nil {
			p.Extra = map[string]json.RawMessage{}
		}
		p.Extra[key] = raw(v)
		return true
	})
	return p
}

// without returns a block less one field, which stands in the part already.
func without(all gjson.Result, field string) json.RawMessage {
	var kept fields
	each(all, func(key string, v gjson.Result) bool {
		if key != field {
			kept.set(key, json.RawMessage(v.Raw))
		}
		return true
	})
	return kept.json()
}

// mediaPart reads an image or a document. What cannot be decoded is kept as it is.
func mediaPart(b block) core.Part {
	media := &core.Media{MimeType: text(b.source.Get("media_type")), Name: b.title}
	data := text(b.source.Get("data"))
	switch text(b.source.Get("type")) {
	case "base64":
		decoded, err := base64.StdEncoding.DecodeString(data)
		if err != nil {
			return core.Part{Type: core.PartOther, Native: raw(b.all)}
		}
		media.Data = decoded
	case "url":
		media.URI = text(b.source.Get("url"))
	case "text":
		media.Data = []byte(data)
	default:
		return core.Part{Type: core.PartOther, Native: raw(b.all)}
	}
	media.SizeBytes = int64(len(media.Data))
	return core.Part{Type: core.PartMedia, Media: media}
}
