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

// contentParts converts a content, a string or a list of blocks, to parts.
func contentParts(c content) []core.Part {
	if c.Type == gjson.String {
		text := jsonl.Text(c.Result)
		if text == "" {
			return nil
		}
		return []core.Part{{Type: core.PartText, Text: text}}
	}
	if !c.IsArray() {
		if jsonl.Empty(c.Result) {
			return nil
		}
		return []core.Part{{Type: core.PartOther, Native: jsonl.Raw(c.Result)}}
	}
	var parts []core.Part
	for i := range c.blocks {
		parts = append(parts, blockPart(&c.blocks[i]))
	}
	return parts
}

// blockPart converts one block to a part; one of an unknown type is stored verbatim.
func blockPart(b *block) core.Part {
	switch b.kind {
	case "text":
		return withExtra(core.Part{Type: core.PartText, Text: jsonl.Text(b.text)}, b, "citations")
	case "thinking":
		return core.Part{Type: core.PartReasoning, Text: jsonl.Text(b.text), Native: jsonl.Without(b.all, "thinking")}
	case "redacted_thinking":
		return core.Part{Type: core.PartReasoning, Redacted: true, Native: jsonl.Raw(b.all)}
	case "tool_use", "server_tool_use", "mcp_tool_use":
		return callPart(b)
	case "image", "document":
		return mediaPart(b)
	}
	if b.toolUseID != "" && strings.HasSuffix(b.kind, "_tool_result") {
		return core.Part{
			Type: core.PartToolResult, ID: b.toolUseID, Server: true, IsError: b.isError, Structured: jsonl.Raw(b.content), Native: jsonl.Without(b.all, "content"),
		}
	}
	return core.Part{Type: core.PartOther, Native: jsonl.Raw(b.all)}
}

func callPart(b *block) core.Part {
	p := core.Part{Type: core.PartToolCall, ID: b.id, Name: b.name, Server: b.kind != "tool_use"}
	switch {
	case b.input.IsObject():
		p.Arguments = jsonl.Raw(b.input)
	case b.input.Type == gjson.String:
		p.Text = jsonl.Text(b.input)
	default:
		p.Text = b.input.Raw
	}
	return withExtra(p, b, "caller", "server_name")
}

// withExtra keeps fields of a block that parts do not have.
func withExtra(p core.Part, b *block, keys ...string) core.Part {
	if !b.others {
		return p
	}
	jsonl.Each(b.all, func(key string, v gjson.Result) bool {
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

// mediaPart reads an image or a document. What cannot be decoded is stored verbatim.
func mediaPart(b *block) core.Part {
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
