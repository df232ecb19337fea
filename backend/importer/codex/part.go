package codex

import (
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
	"coppice/backend/importer/jsonl"
)

// contentParts converts the content of a message, a string or a list, to parts.
func contentParts(item gjson.Result) []core.Part {
	content := item.Get("content")
	if !content.Exists() {
		content = item.Get("message")
	}
	if content.Type == gjson.String {
		if words := jsonl.Text(content); words != "" {
			return []core.Part{{Type: core.PartText, Text: words}}
		}
		return nil
	}
	if !content.IsArray() {
		if jsonl.Empty(content) {
			return nil
		}
		return []core.Part{{Type: core.PartOther, Native: jsonl.Raw(content)}}
	}
	var parts []core.Part
	jsonl.Each(content, func(_ string, v gjson.Result) bool {
		if p, ok := blockPart(v); ok {
			parts = append(parts, p)
		}
		return true
	})
	return parts
}

// blockPart converts one block of a content to a part; one of an unknown type is stored verbatim. The marks around
// pictures are dropped.
func blockPart(v gjson.Result) (core.Part, bool) {
	if v.Type == gjson.String {
		return core.Part{Type: core.PartText, Text: jsonl.Text(v)}, true
	}
	switch jsonl.Text(v.Get("type")) {
	case "input_text", "output_text", "text", "Text", "inputText", "reasoning_text", "summary_text":
		words := jsonl.Text(v.Get("text"))
		if isImageMark(words) {
			return core.Part{}, false
		}
		return core.Part{Type: core.PartText, Text: words}, true
	case "input_image", "image", "inputImage", "output_image":
		return imagePart(v)
	case "local_image":
		return core.Part{Type: core.PartMedia, Media: &core.Media{MimeType: "image/*", Name: jsonl.Text(v.Get("path"))}}, true
	default:
		return core.Part{Type: core.PartOther, Native: jsonl.Raw(v)}, !jsonl.Empty(v)
	}
}

// imagePart reads a picture: a data URL, an address, or MCP's own form. It returns false for a picture that was left out.
func imagePart(v gjson.Result) (core.Part, bool) {
	for _, key := range []string{"image_url", "imageUrl"} {
		if url := v.Get(key); url.Exists() {
			return urlPart(jsonl.Text(url), v)
		}
	}
	if data := jsonl.Text(v.Get("data")); data != "" {
		return dataPart(jsonl.Text(v.Get("mimeType")), data, v)
	}
	return core.Part{Type: core.PartOther, Native: jsonl.Raw(v)}, true
}

func urlPart(url string, v gjson.Result) (core.Part, bool) {
	if url == "" {
		return core.Part{}, false
	}
	rest, isData := strings.CutPrefix(url, "data:")
	if !isData {
		return core.Part{Type: core.PartMedia, Media: &core.Media{MimeType: "image/*", URI: url}}, true
	}
	mimeType, data, isBase64 := strings.Cut(rest, ";base64,")
	if !isBase64 {
		return core.Part{Type: core.PartOther, Native: jsonl.Raw(v)}, true
	}
	return dataPart(mimeType, data, v)
}

func dataPart(mimeType, data string, v gjson.Result) (core.Part, bool) {
	bytes, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		return core.Part{Type: core.PartOther, Native: jsonl.Raw(v)}, true
	}
	if mimeType == "" {
		mimeType = "image/png"
	}
	return core.Part{Type: core.PartMedia, Media: &core.Media{MimeType: mimeType, SizeBytes: int64(len(bytes)), Data: bytes}}, true
}

// reasoningPart reads a reasoning item. Most of it is often encrypted; it is stored verbatim, to be sent back.
func reasoningPart(item gjson.Result) core.Part {
	words := strings.Join(thoughts(item), "\n\n")
	p := core.Part{Type: core.PartReasoning, Text: words, Native: without(item, "type", "summary", "content", "internal_chat_message_metadata_passthrough", "metadata")}
	p.Redacted = words == "" && item.Get("encrypted_content").Exists()
	return p
}

// callParts reads a tool call. One that the provider ran has its result beside it.
func (b *builder) callParts(r *record, i int32) []core.Part {
	p := core.Part{Type: core.PartToolCall, ID: b.idOf(r, i), Name: toolName(r)}
	switch r.sub {
	case "web_search_call":
		p.Server = true
		setArguments(&p, r.payload.Get("action"))
	case "image_generation_call":
		return imageCall(r, p)
	case "local_shell_call":
		setArguments(&p, r.payload.Get("action"))
	case "custom_tool_call":
		setArguments(&p, r.payload.Get("input"))
	default:
		setArguments(&p, r.payload.Get("arguments"))
	}
	for _, key := range []string{"namespace", "summary"} {
		if v := r.payload.Get(key); !jsonl.Empty(v) {
			if p.Extra == nil {
				p.Extra = map[string]json.RawMessage{}
			}
			p.Extra[key] = jsonl.Raw(v)
		}
	}
	return []core.Part{p}
}

// idOf returns the id of a call or a result, its own or what the first pass assigned.
func (b *builder) idOf(r *record, i int32) string {
	n, numbered := b.numbers[i]
	if id := callID(r); id != "" || !numbered {
		return id
	}
	return namelessID(n)
}

// setArguments sets a tool's arguments: an object, or a string that holds one, or what the model wrote.
func setArguments(p *core.Part, v gjson.Result) {
	if v.Type == gjson.String {
		words := jsonl.Text(v)
		if within := strings.TrimSpace(words); strings.HasPrefix(within, "{") {
			if parsed := jsonl.Parse([]byte(within)); len(parsed) == 1 {
				p.Arguments = json.RawMessage(parsed[0].Raw)
				return
			}
		}
		p.Text = words
		return
	}
	if v.IsObject() {
		p.Arguments = jsonl.Raw(v)
	} else if v.Type != gjson.Null {
		p.Text = v.Raw
	}
}

// imageCall reads a picture that the provider made.
func imageCall(r *record, p core.Part) []core.Part {
	p.Server = true
	if prompt := r.payload.Get("revised_prompt"); !jsonl.Empty(prompt) {
		p.Arguments, _ = json.Marshal(map[string]json.RawMessage{"prompt": jsonl.Raw(prompt)}) // it was valid before
	}
	data := jsonl.Text(r.payload.Get("result"))
	if data == "" {
		return []core.Part{p}
	}
	answer := core.Part{Type: core.PartToolResult, ID: p.ID, Name: p.Name, Server: true}
	if picture, ok := dataPart("", data, r.payload.Get("result")); ok {
		answer.Result = []core.Part{picture}
	}
	return []core.Part{p, answer}
}

// without returns an object without some fields, which the part already has, and without null values.
func without(all gjson.Result, fields ...string) json.RawMessage {
	var left jsonl.Fields
	jsonl.Each(all, func(key string, v gjson.Result) bool {
		if !slices.Contains(fields, key) && v.Type != gjson.Null {
			left.Set(key, json.RawMessage(v.Raw))
		}
		return true
	})
	return left.JSON()
}

// compactionParts reads the summary that replaces what came before it. What Codex keeps of that beside the summary is
// in the tree already.
func compactionParts(r *record) []core.Part {
	if words := jsonl.Text(r.payload.Get("message")); words != "" {
		return []core.Part{{Type: core.PartSummary, Text: words}}
	}
	if sealed := r.payload.Get("encrypted_content"); sealed.Exists() {
		return []core.Part{{Type: core.PartOther, Native: without(r.payload, "internal_chat_message_metadata_passthrough")}}
	}
	last := ""
	jsonl.Each(r.payload.Get("replacement_history"), func(_ string, item gjson.Result) bool {
		if words := contentText(item); strings.HasPrefix(words, "Another language model started") {
			last = words
		}
		return true
	})
	if last == "" {
		return nil
	}
	return []core.Part{{Type: core.PartSummary, Text: last}}
}
