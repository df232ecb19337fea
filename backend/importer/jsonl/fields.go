package jsonl

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	"github.com/tidwall/gjson"

	"coppice/backend/jsontext"
)

// Fields are the fields of a JSON object under construction. The zero value is empty.
type Fields map[string]json.RawMessage

// Set adds a field, unless its value is empty.
func (f *Fields) Set(key string, value json.RawMessage) {
	if len(value) == 0 {
		return
	}
	if *f == nil {
		*f = Fields{}
	}
	(*f)[key] = value
}

// JSON encodes the object with its keys in order; nil if it is empty.
func (f Fields) JSON() json.RawMessage {
	if len(f) == 0 {
		return nil
	}
	b := []byte{'{'}
	for _, key := range slices.Sorted(maps.Keys(f)) {
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(append(b, Quote(key)...), ':')
		from, ok := len(b), false
		if b, ok = jsontext.AppendCompact(b, f[key]); !ok || isMarkup(b[from:]) {
			return f.marshal()
		}
	}
	return append(b, '}')
}

// Without returns an object verbatim without one field; nil if nothing is left.
func Without(object gjson.Result, field string) json.RawMessage {
	var kept Fields
	Each(object, func(key string, v gjson.Result) bool {
		if key != field {
			kept.Set(key, json.RawMessage(v.Raw))
		}
		return true
	})
	return kept.JSON()
}

// marshal encodes as the standard library does, which also escapes possible markup.
func (f Fields) marshal() json.RawMessage {
	b, err := json.Marshal(map[string]json.RawMessage(f))
	if err != nil {
		return nil // cannot happen: the values come from a valid line
	}
	return b
}

// isMarkup reports whether encoding/json would escape part of a value.
func isMarkup(value []byte) bool {
	return bytes.ContainsAny(value, "<>&") || bytes.Contains(value, []byte("\u2028")) || bytes.Contains(value, []byte("\u2029"))
}

// Quote encodes a string.
func Quote(s string) json.RawMessage {
	b, _ := json.Marshal(s) // strings always encode
	return b
}
