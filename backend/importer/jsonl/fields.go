package jsonl

import "encoding/json"

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
	b, err := json.Marshal(map[string]json.RawMessage(f))
	if err != nil {
		return nil // cannot be: the values come out of a valid line
	}
	return b
}

// Quote encodes a string.
func Quote(s string) json.RawMessage {
	b, _ := json.Marshal(s) // strings always encode
	return b
}
