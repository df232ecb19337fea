package claudecode

import (
	"encoding/base64"
	"encoding/json"
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
	content.ForEach(func(_, block gjson.Result) bool {
		parts = append(parts, blockPart(block))
		return true
	})
	return parts
}

// blockPart turns one block into a part; one of an unknown type is kept as it is.
func blockPart(block gjson.Result) core.Part {
	if block.Type == gjson.String {
		return core.Part{Type: core.PartText, Text: text(block)}
	}
	switch kind := text(block.Get("type")); kind {
	case "text":
		p := core.Part{Type: core.PartText, Text: text(block.Get("text"))}
		return withExtra(p, block, "citations")
	case "thinking":
		return core.Part{Type: core.PartReasoning, Text: text(block.Get("thinking")), Native: without(block, "thinking")}
	case "redacted_thinking":
		return core.Part{Type: core.PartReasoning, Redacted: true, Native: raw(block)}
	case "tool_use", "server_tool_use", "mcp_tool_use":
		return callPart(block, kind != "tool_use")
	case "image", "document":
		return mediaPart(block)
	default:
		if id := text(block.Get("tool_use_id")); id != "" && strings.HasSuffix(kind, "_tool_result") {
			return core.Part{
				Type: core.PartToolResult, ID: id, Server: true, IsError: block.Get("is_error").Bool(),
				Structured: raw(block.Get("content")), Native: without(block, "content"),
			}
		}
		return core.Part{Type: core.PartOther, Native: raw(block)}
	}
}

func callPart(block gjson.Result, server bool) core.Part {
	p := core.Part{Type: core.PartToolCall, ID: text(block.Get("id")), Name: text(block.Get("name")), Server: server}
	switch input := block.Get("input"); {
	case input.IsObject():
		p.Arguments = raw(input)
	case input.Type == gjson.String:
		p.Text = text(input)
	default:
		p.Text = input.Raw
	}
	return withExtra(p, block, "caller", "server_name")
}

// withExtra keeps fields of a block that parts have no place for.
func withExtra(p core.Part, block gjson.Result, keys ...string) core.Part {
	for _, k := range keys {
		v := block.Get(k)
		if empty(v) {
			continue
		}
		if p.Extra == nil {
			p.Extra = map[string]json.RawMessage{}
		}
		p.Extra[k] = raw(v)
	}
	return p
}

// without returns a block less one field, which stands in the part already.
func without(block gjson.Result, field string) json.RawMessage {
	var kept fields
	block.ForEach(func(key, v gjson.Result) bool {
		if key.Str != field {
			kept.set(key.Str, json.RawMessage(v.Raw))
		}
		return true
	})
	return kept.json()
}

// mediaPart reads an image or a document. What cannot be decoded is kept as it is.
func mediaPart(block gjson.Result) core.Part {
	source := block.Get("source")
	media := &core.Media{MimeType: text(source.Get("media_type")), Name: text(block.Get("title"))}
	switch text(source.Get("type")) {
	case "base64":
		data, err := base64.StdEncoding.DecodeString(text(source.Get("data")))
		if err != nil {
			return core.Part{Type: core.PartOther, Native: raw(block)}
		}
		media.Data, media.SizeBytes = data, int64(len(data))
	case "url":
		media.URI = text(source.Get("url"))
	case "text":
		media.Data = []byte(text(source.Get("data")))
		media.SizeBytes = int64(len(media.Data))
	default:
		return core.Part{Type: core.PartOther, Native: raw(block)}
	}
	return core.Part{Type: core.PartMedia, Media: media}
}
