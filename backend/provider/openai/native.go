package openai

import (
	"encoding/json"
	"strings"

	"coppice/backend/core"
	"coppice/backend/jsontext"
)

// nativeOf returns the fields as an object, by name; nil if it would be empty.
func nativeOf(fields map[string]json.RawMessage) json.RawMessage {
	if len(fields) == 0 {
		return nil
	}
	raw, err := jsontext.Encode(fields)
	if err != nil { // cannot happen: the value was decoded before
		return nil
	}
	return raw
}

func quote(text string) json.RawMessage {
	raw, err := jsontext.Encode(text)
	if err != nil { // a string always has a JSON form
		return json.RawMessage(`""`)
	}
	return raw
}

// newCallID returns an id for a call without one.
func newCallID() string {
	return "call_" + strings.ReplaceAll(core.NewID(0), "-", "")
}

// details are the blocks of OpenRouter's reasoning. They arrive in pieces, and are sent back complete.
type details struct {
	blocks []*detail
}

type detail struct {
	kind, at string // the type and the index: equal for all pieces of a block
	fields   map[string]json.RawMessage
	grown    map[string]*strings.Builder
}

// detailTexts are the fields that grow from piece to piece.
var detailTexts = []string{"text", "summary"}

// add adds the blocks of a chunk and returns their text.
func (d *details) add(raw []byte) string {
	var pieces []map[string]json.RawMessage
	if json.Unmarshal(raw, &pieces) != nil {
		return ""
	}
	var said strings.Builder
	for _, fields := range pieces {
		block := d.block(string(fields["type"]), string(fields["index"]))
		for _, name := range detailTexts {
			var text string
			if value, ok := fields[name]; ok && json.Unmarshal(value, &text) == nil && string(value) != "null" {
				block.grow(name, text)
				said.WriteString(text)
				delete(fields, name)
			}
		}
		for name, value := range fields {
			if _, known := block.fields[name]; !known || string(value) != "null" {
				block.fields[name] = value
			}
		}
	}
	return said.String()
}

// block returns the block that a piece belongs to: the last one, if it has the same kind and index and holds text.
func (d *details) block(kind, at string) *detail {
	if n := len(d.blocks); n > 0 {
		if last := d.blocks[n-1]; last.kind == kind && last.at == at && len(last.grown) > 0 {
			return last
		}
	}
	block := &detail{kind: kind, at: at, fields: map[string]json.RawMessage{}, grown: map[string]*strings.Builder{}}
	d.blocks = append(d.blocks, block)
	return block
}

func (d *detail) grow(name, text string) {
	if d.grown[name] == nil {
		d.grown[name] = &strings.Builder{}
	}
	d.grown[name].WriteString(text)
}

// join returns the blocks as a list; nil if it would be empty.
func (d *details) join() json.RawMessage {
	if len(d.blocks) == 0 {
		return nil
	}
	list := make([]json.RawMessage, 0, len(d.blocks))
	for _, block := range d.blocks {
		for name, text := range block.grown {
			block.fields[name] = quote(text.String())
		}
		list = append(list, nativeOf(block.fields))
	}
	raw, err := jsontext.Encode(list)
	if err != nil {
		return nil
	}
	return raw
}
