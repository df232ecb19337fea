package anthropic

import (
	"bytes"
	"encoding/json"
	"maps"
	"strings"

	"coppice/backend/core"
	"coppice/backend/jsontext"
)

// block is a content block that is being received: its first form, and what its deltas added.
type block struct {
	kind  string
	start fields
	texts map[string]*strings.Builder // by field
	lists map[string][]json.RawMessage
	other fields          // the latest value of any other field
	input strings.Builder // the arguments of a call
}

func newBlock(start fields) *block {
	if start == nil {
		start = fields{}
	}
	return &block{
		kind:  start.text("type"),
		start: start,
		texts: map[string]*strings.Builder{},
		lists: map[string][]json.RawMessage{},
		other: fields{},
	}
}

// text returns a field that is a text, or the empty string.
func (f fields) text(name string) string {
	var s string
	if json.Unmarshal(f[name], &s) != nil {
		return ""
	}
	return s
}

func (b *block) text(name string) string { return b.start.text(name) }

// calls reports whether the block is a tool call, including those that the server runs.
func (b *block) calls() bool {
	return b.kind == "tool_use" || b.kind == "server_tool_use" || b.kind == "mcp_tool_use"
}

// add adds a delta and returns its visible piece. Every delta except that of a call's arguments has the block's own
// fields: text is appended, citations are added to a list. So a block of an unknown kind grows too.
func (b *block) add(delta fields) string {
	piece := ""
	for name, value := range delta {
		switch {
		case name == "type":
		case name == "partial_json":
			piece = delta.text(name)
			b.input.WriteString(piece)
		case name == "citation":
			b.lists["citations"] = append(b.lists["citations"], value)
		case bytes.HasPrefix(value, []byte(`"`)):
			b.grow(name, delta.text(name))
			if name == b.kind { // text has text, thinking has thinking
				piece = delta.text(name)
			}
		case !b.known():
			b.other[name] = value
		}
	}
	return piece
}

func (b *block) grow(name, piece string) {
	if b.texts[name] == nil {
		b.texts[name] = &strings.Builder{}
		b.texts[name].WriteString(b.text(name))
	}
	b.texts[name].WriteString(piece)
}

func (b *block) known() bool {
	return b.kind == "text" || b.kind == "thinking" || b.kind == "redacted_thinking" || b.calls()
}

// native returns the block as the server would have sent it in one piece.
func (b *block) native() json.RawMessage {
	whole := maps.Clone(b.start)
	for name, text := range b.texts {
		whole[name] = encoded(text.String())
	}
	for name, list := range b.lists {
		whole[name] = encoded(list)
	}
	maps.Copy(whole, b.other)
	if input, ok := b.arguments(); ok {
		whole["input"] = input
	}
	return encoded(whole)
}

// arguments returns the arguments of a call; false if they are not an object, or the block is not a call.
func (b *block) arguments() (json.RawMessage, bool) {
	written := json.RawMessage(b.input.String())
	if len(bytes.TrimSpace(written)) == 0 { // a call without arguments has no deltas
		written = b.start["input"]
	}
	var object fields
	if !b.calls() || json.Unmarshal(written, &object) != nil || object == nil {
		return nil, false
	}
	return written, true
}

// part returns the block as a part of a message. A call that was cut is complete only if it has arguments. The result
// of a server's tool is kept in native form, like a block of an unknown kind.
func (b *block) part(cut bool) core.Part {
	switch b.kind {
	case "text":
		return core.Part{Type: core.PartText, Text: b.wholeText("text"), Native: b.nativeBeyond("text", "citations")}
	case "thinking":
		return core.Part{Type: core.PartReasoning, Text: b.wholeText("thinking"), Native: b.native()}
	case "redacted_thinking":
		return core.Part{Type: core.PartReasoning, Redacted: true, Native: b.native()}
	case "tool_use", "server_tool_use", "mcp_tool_use":
		return b.call(cut)
	}
	return core.Part{Type: core.PartOther, Native: b.native()}
}

func (b *block) call(cut bool) core.Part {
	p := core.Part{Type: core.PartToolCall, ID: b.text("id"), Name: b.text("name"), Server: b.kind != "tool_use"}
	arguments, ok := b.arguments()
	if !ok || cut && b.input.Len() == 0 {
		p.Text = b.input.String()
		return p
	}
	p.Arguments, p.Native = arguments, b.nativeBeyond("id", "name", "input")
	return p
}

// wholeText returns the whole text.
func (b *block) wholeText(name string) string {
	if text, ok := b.texts[name]; ok {
		return text.String()
	}
	return b.text(name)
}

// nativeBeyond returns the native form if it holds more than these fields, else nil, so that nothing is stored twice.
func (b *block) nativeBeyond(names ...string) json.RawMessage {
	more := len(b.lists) > 0 || len(b.other) > 0 || b.kind == "server_tool_use" || b.kind == "mcp_tool_use"
	said := map[string]bool{"type": true}
	for _, name := range names {
		said[name] = true
	}
	for name, value := range b.start {
		more = more || !said[name] && string(value) != "null"
	}
	if !more {
		return nil
	}
	return b.native()
}

// encoded returns a decoded value as JSON.
func encoded(value any) json.RawMessage {
	data, _ := jsontext.Encode(value) // a decoded value can be encoded
	return data
}
