package claudeai

import (
	"encoding/base64"
	"encoding/json"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
	"coppice/backend/importer/jsonl"
	"coppice/backend/importer/transcript"
)

// callPart reads a call; exports of most years give it no id.
func callPart(v gjson.Result, id string) core.Part {
	p := core.Part{Type: core.PartToolCall, ID: jsonl.Text(v.Get("id")), Name: jsonl.Text(v.Get("name"))}
	if p.ID == "" {
		p.ID = id
	}
	if input := v.Get("input"); input.IsObject() {
		p.Arguments = jsonl.Raw(input)
	} else if !jsonl.Empty(input) {
		p.Text = input.String()
	}
	return about(p, v, "input")
}

func resultPart(v gjson.Result) core.Part {
	p := core.Part{
		Type: core.PartToolResult, ID: jsonl.Text(v.Get("tool_use_id")), Name: jsonl.Text(v.Get("name")), IsError: v.Get("is_error").Bool(),
		Structured: jsonl.Raw(v.Get("structured_content")),
	}
	content := v.Get("content")
	if words := jsonl.Text(content); words != "" {
		p.Result = append(p.Result, core.Part{Type: core.PartText, Text: words})
	}
	plain := true
	if content.IsArray() {
		jsonl.Each(content, func(_ string, item gjson.Result) bool {
			part, whole := itemPart(item)
			plain = plain && whole
			if part.Type != "" {
				p.Result = append(p.Result, part)
			}
			return true
		})
	}
	if !plain && p.Structured == nil {
		p.Structured = jsonl.Raw(content)
	}
	return about(p, v, "content", "structured_content", "is_error")
}

// itemPart reads a piece of a result; whole is false if the part does not hold all of it.
func itemPart(v gjson.Result) (p core.Part, whole bool) {
	words := jsonl.Text(v.Get("text"))
	switch jsonl.Text(v.Get("type")) {
	case "text":
		return core.Part{Type: core.PartText, Text: words}, true
	case "knowledge":
		if url := jsonl.Text(v.Get("url")); url != "" {
			words = "[" + jsonl.Text(v.Get("title")) + "](" + url + ")\n\n" + words
		}
		return core.Part{Type: core.PartText, Text: words}, false
	case "image":
		if data, err := base64.StdEncoding.DecodeString(jsonl.Text(v.Get("source.data"))); err == nil && len(data) > 0 {
			m := &core.Media{MimeType: jsonl.Text(v.Get("source.media_type")), Data: data, SizeBytes: int64(len(data))}
			return core.Part{Type: core.PartMedia, Media: m}, true
		}
	}
	if words != "" {
		return core.Part{Type: core.PartText, Text: words}, false
	}
	return core.Part{}, jsonl.Empty(v)
}

// about stores the members of a block for which parts have no fields.
func about(p core.Part, v gjson.Result, without ...string) core.Part {
	rest := transcript.Rest(v, append(without, "type", "id", "tool_use_id", "name", "start_timestamp", "stop_timestamp", "flags")...)
	if rest != nil {
		p.Extra = map[string]json.RawMessage{"block": rest}
	}
	return p
}

// with keeps one more member of a block.
func with(p core.Part, v gjson.Result, key string) core.Part {
	if more := v.Get(key); !jsonl.Empty(more) {
		p.Extra = map[string]json.RawMessage{key: jsonl.Raw(more)}
	}
	return p
}
