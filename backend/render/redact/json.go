package redact

import (
	"bytes"
	"encoding/json"
	"strings"

	"coppice/backend/jsontext"
)

// JSON returns valid JSON with placeholders in its strings, and everything else unchanged. A string value of a member
// with a secret name is always replaced.
func (r *Redactor) JSON(data json.RawMessage) json.RawMessage {
	if len(data) == 0 {
		return data
	}
	var out bytes.Buffer
	out.Grow(len(data))
	name := "" // the last string, while a colon may follow
	secret := false
	for i := 0; i < len(data); {
		if data[i] != '"' {
			switch data[i] {
			case ':':
				secret = r.isSecretName(name)
			case ',', '{', '}', '[', ']':
				secret = false
			}
			out.WriteByte(data[i])
			i++
			continue
		}
		end := min(jsontext.StringEnd(data, i)+1, len(data))
		if value, ok := unquote(data[i:end]); !ok {
			out.Write(data[i:end]) // not JSON; left as it is
		} else {
			out.Write(r.literal(data[i:end], value, secret))
			name, secret = value, false
		}
		i = end
	}
	return out.Bytes()
}

// unquote returns the string that a JSON literal represents.
func unquote(literal []byte) (value string, ok bool) {
	if len(literal) >= 2 && bytes.IndexByte(literal, '\\') < 0 {
		return string(literal[1 : len(literal)-1]), true
	}
	return value, json.Unmarshal(literal, &value) == nil
}

func (r *Redactor) literal(raw []byte, value string, secret bool) []byte {
	var clean string
	if secret && len(value) >= 4 && !strings.Contains(value, "[redacted") {
		if r.stays(Secret, value, 0, len(value)) {
			return raw
		}
		clean = r.placeholder(Secret, value)
	} else {
		clean = r.Text(value)
	}
	if clean == value {
		return raw
	}
	encoded, err := json.Marshal(clean)
	if err != nil { // a string always marshals
		return raw
	}
	return encoded
}
