package jsontext

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// DecodeObject reads each field of a JSON object into the target for its name. Names match exactly, so that a field
// that differs only in case is not lost. It returns the fields without a target, or nil. A field whose
// value is not of the target's type is an error, or is returned with the others if lenient reports true for it.
func DecodeObject(data []byte, target func(name string) any, lenient func(name string) bool) (map[string]json.RawMessage, error) {
	if !IsObject(data) {
		return nil, errors.New("not an object")
	}
	var extra map[string]json.RawMessage
	for name, value := range Fields(data) {
		to := target(name)
		if to != nil {
			err := decode(value, to)
			if err == nil {
				continue
			}
			if !lenient(name) {
				return nil, fmt.Errorf("field %q: %w", name, err)
			}
			reflect.ValueOf(to).Elem().SetZero() // clear what was read before the error
		}
		if !json.Valid(value) {
			return nil, fmt.Errorf("field %q is not valid JSON", name)
		}
		if extra == nil {
			extra = map[string]json.RawMessage{}
		}
		extra[name] = slices.Clone(value)
	}
	return extra, nil
}

// IsObject reports whether a JSON value is an object.
func IsObject(value []byte) bool {
	trimmed := bytes.TrimSpace(value)
	return len(trimmed) > 0 && trimmed[0] == '{'
}

// decode reads a JSON value as json.Unmarshal does, with a fast path for frequent, simple values.
func decode(value []byte, to any) error {
	switch to := to.(type) {
	case *string:
		if text, ok := plainString(value); ok {
			*to = text
			return nil
		}
	case *int64:
		if n, err := strconv.ParseInt(string(value), 10, 64); err == nil && strings.IndexByte("+-0", value[0]) < 0 {
			*to = n
			return nil
		}
	}
	return json.Unmarshal(value, to)
}

// plainString returns the value of a JSON string that has no escapes.
func plainString(value []byte) (string, bool) {
	if len(value) < 2 || value[0] != '"' || value[len(value)-1] != '"' {
		return "", false
	}
	inner := value[1 : len(value)-1]
	for _, c := range inner {
		if c < ' ' || c == '"' || c == '\\' {
			return "", false
		}
	}
	return string(inner), utf8.Valid(inner)
}

// EncodeObject writes plain, a struct, followed by the extra fields ordered by name. A field that plain already has is
// left out, and an extra value with invalid JSON becomes a string. Unlike json.Marshal it leaves < > & as they are, for
// users who read and grep the result.
func EncodeObject(plain any, extra map[string]json.RawMessage) ([]byte, error) {
	data, err := Encode(plain)
	if err != nil || len(extra) == 0 {
		return data, err
	}
	return append(AppendExtra(data[:len(data)-1], 0, extra), '}'), nil
}

// Encode returns v as JSON on one line. Unlike json.Marshal it leaves < > & as they are: for users who read and grep a
// file, and for providers that compare their output with what they get back.
func Encode(v any) (json.RawMessage, error) {
	var buf bytes.Buffer
	e := json.NewEncoder(&buf)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
}

// Sound returns raw if it is valid JSON or empty, else a JSON string that holds it.
func Sound(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return raw
	}
	return AppendRaw(nil, raw)
}

// Fields yields the names and values of a JSON object, which must be valid; at an invalid one it stops early, and never
// fails.
func Fields(object []byte) iter.Seq2[string, json.RawMessage] {
	return func(yield func(string, json.RawMessage) bool) {
		at := bytes.IndexByte(object, '{') + 1
		for at > 0 && at < len(object) {
			key := skipSpace(object, at)
			colon := skipSpace(object, valueEnd(object, key))
			if key >= len(object) || object[key] != '"' || colon >= len(object) || object[colon] != ':' {
				return
			}
			var name string
			if decode(bytes.TrimSpace(object[key:colon]), &name) != nil {
				return
			}
			value := skipSpace(object, colon+1)
			end := valueEnd(object, value)
			if !yield(name, json.RawMessage(bytes.TrimSpace(object[value:end]))) {
				return
			}
			at = skipSpace(object, end) + 1 // after the comma, or the closing brace
		}
	}
}

func skipSpace(data []byte, at int) int {
	for at < len(data) && isSpace(data[at]) {
		at++
	}
	return at
}

// valueEnd returns the end of the JSON value that begins at index at: the comma or brace after it, or the closing quote
// of a string.
func valueEnd(data []byte, at int) int {
	for depth, start := 0, at; at < len(data); at++ {
		switch data[at] {
		case '"':
			at = StringEnd(data, at)
			if depth == 0 && data[start] == '"' {
				return min(at+1, len(data))
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return at
			}
			depth--
		case ',', ':':
			if depth == 0 {
				return at
			}
		}
	}
	return len(data)
}

// StringEnd returns the index of the quote that closes the string opened at from, or the end of the text.
func StringEnd(text []byte, from int) int {
	for at := from + 1; ; {
		n := bytes.IndexByte(text[at:], '"')
		if n < 0 {
			return len(text)
		}
		end := at + n
		if at = end + 1; !isEscaped(text[from+1 : end]) {
			return end
		}
	}
}

// isEscaped reports whether a text ends with a backslash that escapes what follows.
func isEscaped(text []byte) bool {
	slashes := 0
	for slashes < len(text) && text[len(text)-1-slashes] == '\\' {
		slashes++
	}
	return slashes%2 == 1
}
