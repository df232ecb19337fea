package opencode

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"strings"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
	"coppice/backend/importer/jsonl"
)

// plainPart reads a part that is not a tool call; one of an unknown type is stored verbatim.
func plainPart(v gjson.Result) core.Part {
	switch jsonl.Text(v.Get("type")) {
	case "text":
		p := core.Part{Type: core.PartText, Text: jsonl.Text(v.Get("text"))}
		for _, key := range []string{"synthetic", "ignored"} {
			if v.Get(key).Bool() {
				p.Extra = map[string]json.RawMessage{key: json.RawMessage("true")}
			}
		}
		return p
	case "reasoning":
		native := jsonl.Fields{}
		for _, key := range []string{"metadata", "providerMetadata", "state"} {
			native.Set(key, jsonl.Raw(v.Get(key)))
		}
		return core.Part{Type: core.PartReasoning, Text: jsonl.Text(v.Get("text")), Native: native.JSON()}
	case "file":
		return filePart(v)
	default:
		return core.Part{Type: core.PartOther, Native: rest(v, "id", "sessionID", "messageID")}
	}
}

func textPart(text string) []core.Part {
	if text == "" {
		return nil
	}
	return []core.Part{{Type: core.PartText, Text: text}}
}

// filePart reads a file: its bytes, or its address. What cannot be decoded is stored verbatim.
func filePart(v gjson.Result) core.Part {
	media := core.Media{MimeType: first(v, "mime", "mimeType"), Name: first(v, "filename", "name")}
	address := first(v, "url", "uri", "source.uri")
	data, encoded := jsonl.Text(v.Get("data")), true
	if inline, ok := strings.CutPrefix(address, "data:"); ok {
		address = ""
		var kind string
		kind, data, ok = strings.Cut(inline, ",")
		if !ok {
			return core.Part{Type: core.PartOther, Native: jsonl.Raw(v)}
		}
		kind, encoded = strings.CutSuffix(kind, ";base64")
		if media.MimeType == "" {
			media.MimeType = kind
		}
	}
	if data != "" {
		bytes, err := decode(data, encoded)
		if err != nil {
			return core.Part{Type: core.PartOther, Native: jsonl.Raw(v)}
		}
		media.Data, media.SizeBytes = bytes, int64(len(bytes))
	} else {
		media.URI = address
	}
	return core.Part{Type: core.PartMedia, Media: &media}
}

// decode reads the data of an address, RFC 2397.
func decode(data string, encoded bool) ([]byte, error) {
	if encoded {
		return base64.StdEncoding.DecodeString(data)
	}
	text, err := url.PathUnescape(data)
	return []byte(text), err
}

// first returns the first non-empty one of several members.
func first(v gjson.Result, paths ...string) string {
	for _, path := range paths {
		if text := jsonl.Text(v.Get(path)); text != "" {
			return text
		}
	}
	return ""
}

// tool is a tool call and its result, of both versions.
type tool struct {
	id, name  string
	state     gjson.Result
	status    string
	output    []core.Part
	data      json.RawMessage // beside the output
	startedMs int64
	endedMs   int64
}

// legacyTool reads a part of 1.x.
func legacyTool(p gjson.Result) tool {
	t := tool{id: first(p, "callID", "id"), name: jsonl.Text(p.Get("tool")), state: p.Get("state")}
	t.status = jsonl.Text(t.state.Get("status"))
	t.startedMs, t.endedMs = jsonl.Millis(t.state.Get("time.start")), jsonl.Millis(t.state.Get("time.end"))
	t.output = textPart(first(t.state, "output", "error"))
	jsonl.Each(t.state.Get("attachments"), func(_ string, v gjson.Result) bool {
		t.output = append(t.output, plainPart(v))
		return true
	})
	t.data = dataOf(t.state.Get("metadata"))
	return t
}

// currentTool reads a piece of an answer of 2.x.
func currentTool(v gjson.Result) tool {
	t := tool{id: first(v, "id", "callID"), name: first(v, "name", "tool"), state: v.Get("state")}
	t.status = jsonl.Text(t.state.Get("status"))
	t.startedMs, t.endedMs = jsonl.Millis(v.Get("time.ran")), jsonl.Millis(v.Get("time.completed"))
	jsonl.Each(t.state.Get("content"), func(_ string, v gjson.Result) bool {
		t.output = append(t.output, plainPart(v))
		return true
	})
	if len(t.output) == 0 {
		t.output = textPart(first(t.state, "output", "error.message", "error"))
	}
	t.data = dataOf(t.state.Get("structured"))
	return t
}

// dataOf returns what a tool records beside its output; nil if that is empty.
func dataOf(v gjson.Result) json.RawMessage {
	var data jsonl.Fields
	jsonl.Each(v, func(key string, v gjson.Result) bool {
		if key != "output" && key != "preview" {
			data.Set(key, jsonl.Raw(v))
		}
		return true
	})
	return data.JSON()
}

func (t *tool) call() core.Part {
	p := core.Part{Type: core.PartToolCall, ID: t.id, Name: t.name}
	switch input := t.state.Get("input"); {
	case input.IsObject():
		p.Arguments = jsonl.Raw(input)
	case input.Type == gjson.String: // it is still being written
		p.Text = jsonl.Text(input)
	}
	if title := t.state.Get("title"); !jsonl.Empty(title) {
		p.Extra = map[string]json.RawMessage{"title": jsonl.Raw(title)}
	}
	return p
}

// answered reports whether the tool has ended.
func (t *tool) answered() bool {
	switch t.status {
	case "completed", "success", "error":
		return true
	default:
		return false
	}
}

func (t *tool) result() core.Part {
	p := core.Part{Type: core.PartToolResult, ID: t.id, Name: t.name, IsError: t.status == "error", Result: t.output, Structured: t.data}
	if t.startedMs > 0 && t.endedMs > t.startedMs {
		p.DurationMs = t.endedMs - t.startedMs
	}
	return p
}

// changes returns the file that the tool has changed; empty if it changes none.
func (t *tool) changes() string {
	switch t.name {
	case "edit", "write", "multiedit":
		if t.status != "error" {
			return first(t.state, "input.filePath", "input.path")
		}
	}
	return ""
}
