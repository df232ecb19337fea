package core

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// AppendJSON appends the JSON that MarshalJSON returns. Parts are most of a message's bytes, so they are encoded without
// reflection and without another pass over their texts for every enclosing object.
func (p *Part) AppendJSON(dst []byte) []byte {
	from := len(dst)
	dst = AppendText(append(dst, `{"type":`...), string(p.Type))
	dst = appendTextField(dst, "text", p.Text)
	if p.Truncated != nil {
		dst = appendValue(appendName(dst, "truncated"), p.Truncated)
	}
	dst = appendFlag(dst, "injected", p.Injected)
	dst = appendFlag(dst, "redacted", p.Redacted)
	dst = appendTextField(dst, "id", p.ID)
	dst = appendTextField(dst, "name", p.Name)
	dst = appendRawField(dst, "arguments", p.Arguments)
	dst = appendFlag(dst, "server", p.Server)
	dst = appendFlag(dst, "isError", p.IsError)
	if len(p.Result) > 0 {
		dst = append(appendName(dst, "result"), '[')
		for i := range p.Result {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = p.Result[i].AppendJSON(dst)
		}
		dst = append(dst, ']')
	}
	dst = appendRawField(dst, "structured", p.Structured)
	if p.DurationMs != 0 {
		dst = strconv.AppendInt(appendName(dst, "durationMs"), p.DurationMs, 10)
	}
	if p.Media != nil {
		dst = appendValue(appendName(dst, "media"), p.Media)
	}
	dst = appendRawField(dst, "native", p.Native)
	dst = appendTextField(dst, "structuredBlob", p.StructuredBlob)
	return append(appendExtra(dst, from, p.Extra), '}')
}

func appendName(dst []byte, name string) []byte {
	return append(append(append(dst, `,"`...), name...), `":`...)
}

func appendTextField(dst []byte, name, text string) []byte {
	if text == "" {
		return dst
	}
	return AppendText(appendName(dst, name), text)
}

func appendFlag(dst []byte, name string, set bool) []byte {
	if !set {
		return dst
	}
	return append(appendName(dst, name), "true"...)
}

func appendRawField(dst []byte, name string, raw json.RawMessage) []byte {
	if len(raw) == 0 {
		return dst
	}
	return appendRaw(appendName(dst, name), raw)
}

// appendRaw appends JSON without its white space. Invalid JSON is appended as a string that holds it: one bad value must not
// make the rest unreadable.
func appendRaw(dst []byte, raw json.RawMessage) []byte {
	if compacted, ok := AppendCompact(dst, raw); ok {
		return compacted
	}
	return AppendText(dst, strings.ToValidUTF8(string(raw), "\uFFFD"))
}

// appendValue appends a value whose encoding cannot fail.
func appendValue(dst []byte, v any) []byte {
	data, err := EncodeJSON(v)
	if err != nil {
		return append(dst, "null"...)
	}
	return append(dst, data...)
}

// appendExtra appends fields, ordered by name, to the open object that begins at from. A field that the object already has
// is left out.
func appendExtra(dst []byte, from int, extra map[string]json.RawMessage) []byte {
	if len(extra) == 0 {
		return dst
	}
	taken := map[string]bool{}
	for name := range fields(dst[from:]) {
		taken[name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(extra)) {
		if taken[name] {
			continue
		}
		if len(dst) > from+1 {
			dst = append(dst, ',')
		}
		dst = append(AppendText(dst, name), ':')
		if value := extra[name]; len(value) > 0 {
			dst = appendRaw(dst, value)
		} else {
			dst = append(dst, "null"...)
		}
	}
	return dst
}

// AppendText appends a string as encoding/json does, without its HTML escapes.
func AppendText(dst []byte, text string) []byte {
	dst = append(dst, '"')
	from := 0
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf {
			if c >= ' ' && c != '"' && c != '\\' {
				i++
				continue
			}
			dst = appendEscape(append(dst, text[from:i]...), c)
			i++
			from = i
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			dst = append(append(dst, text[from:i]...), `\ufffd`...)
			from = i + size
		case r == '\u2028' || r == '\u2029': // JavaScript ends lines at them
			dst = append(append(dst, text[from:i]...), `\u202`...)
			dst = append(dst, hexadecimal[r&0xF])
			from = i + size
		}
		i += size
	}
	return append(append(dst, text[from:]...), '"')
}

const hexadecimal = "0123456789abcdef"

func appendEscape(dst []byte, c byte) []byte {
	if at := strings.IndexByte("\"\\\b\f\n\r\t", c); at >= 0 {
		return append(dst, '\\', `"\bfnrt`[at])
	}
	return append(dst, '\\', 'u', '0', '0', hexadecimal[c>>4], hexadecimal[c&0xF])
}
