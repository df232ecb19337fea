package jsonl

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
)

// Fields are the fields of a JSON object that is being put together. The zero value is empty.
type Fields map[string]json.RawMessage

// Set adds a field; an empty value adds none.
func (f *Fields) Set(key string, value json.RawMessage) {
	if len(value) == 0 {
		return
	}
	if *f == nil {
		*f = Fields{}
	}
	(*f)[key] = value
}

// JSON encodes the object, keys in order; nil where it is empty.
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
		if b, ok = core.AppendCompact(b, f[key]); !ok || isMarkup(b[from:]) {
			return f.marshal()
		}
	}
	return append(b, '}')
}

// Without returns an object less one field, as it stands; nil where nothing is left.
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

// marshal is JSON as the standard library does it, which also escapes what may be markup.
func (f Fields) marshal() json.RawMessage {
	b, err := json.Marshal(map[string]json.RawMessage(f))
	if err != nil {
		return nil // cannot be: the values come out of a valid line
	}
	return b
}

// isMarkup says whether encoding/json would escape some of a value.
func isMarkup(value []byte) bool {
	return bytes.ContainsAny(value, "<>&") || bytes.Contains(value, []byte("\u2028")) || bytes.Contains(value, []byte("\u2029"))
}

// Quote encodes a string.
func Quote(s string) json.RawMessage {
	b, _ := json.Marshal(s) // strings always encode
	return b
}
