// Package jsontext writes, checks and takes apart JSON without reflection where messages are large: it compacts values, appends
// fields to objects, and reads objects whose unknown fields survive.
package jsontext

import (
	"encoding/json"
	"maps"
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"
)

// AppendName appends a comma and the name of a field.
func AppendName(dst []byte, name string) []byte {
	return append(append(append(dst, `,"`...), name...), `":`...)
}

// AppendStringField appends a field with a string, unless that is empty.
func AppendStringField(dst []byte, name, text string) []byte {
	if text == "" {
		return dst
	}
	return AppendString(AppendName(dst, name), text)
}

// AppendFlag appends a field that is true, if it is set.
func AppendFlag(dst []byte, name string, set bool) []byte {
	if !set {
		return dst
	}
	return append(AppendName(dst, name), "true"...)
}

// AppendRawField appends a field with a JSON value, unless that is empty.
func AppendRawField(dst []byte, name string, raw json.RawMessage) []byte {
	if len(raw) == 0 {
		return dst
	}
	return AppendRaw(AppendName(dst, name), raw)
}

// AppendRaw appends JSON without its white space. Invalid JSON is appended as a string that holds it: one bad value must not
// make the rest unreadable.
func AppendRaw(dst []byte, raw json.RawMessage) []byte {
	if compacted, ok := AppendCompact(dst, raw); ok {
		return compacted
	}
	return AppendString(dst, strings.ToValidUTF8(string(raw), "\uFFFD"))
}

// AppendValue appends a value whose encoding cannot fail.
func AppendValue(dst []byte, v any) []byte {
	data, err := Encode(v)
	if err != nil {
		return append(dst, "null"...)
	}
	return append(dst, data...)
}

// AppendExtra appends fields, ordered by name, to the open object that begins at from. A field that the object already has
// is left out.
func AppendExtra(dst []byte, from int, extra map[string]json.RawMessage) []byte {
	if len(extra) == 0 {
		return dst
	}
	taken := map[string]bool{}
	for name := range Fields(dst[from:]) {
		taken[name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(extra)) {
		if taken[name] {
			continue
		}
		if len(dst) > from+1 {
			dst = append(dst, ',')
		}
		dst = append(AppendString(dst, name), ':')
		if value := extra[name]; len(value) > 0 {
			dst = AppendRaw(dst, value)
		} else {
			dst = append(dst, "null"...)
		}
	}
	return dst
}

// AppendString appends a string as encoding/json does, without its HTML escapes.
func AppendString(dst []byte, text string) []byte {
	dst = append(dst, '"')
	from := 0
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf {
			if c >= ' ' && c != '"' && c != '\\' {
				i += 1 + asciiLength(text[i+1:])
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

// asciiLength returns a number of characters of ASCII that a text begins with and that need no escape: all of them, except up to seven at
// the end of the text. It tests eight at a time, see plainLength.
func asciiLength(text string) int {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	i := 0
	for ; i+8 <= len(text); i += 8 {
		s := text[i : i+8]
		word := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
			uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
		quote, slash := word^ones*'"', word^ones*'\\'
		if found := (word | (word-ones*' ')&^word | (quote-ones)&^quote | (slash-ones)&^slash) & tops; found != 0 {
			return i + bits.TrailingZeros64(found)/8
		}
	}
	return i
}

func appendEscape(dst []byte, c byte) []byte {
	switch c {
	case '\n': // most of them
		return append(dst, '\\', 'n')
	case '"', '\\':
		return append(dst, '\\', c)
	case '\t':
		return append(dst, '\\', 't')
	}
	if at := strings.IndexByte("\"\\\b\f\n\r\t", c); at >= 0 {
		return append(dst, '\\', `"\bfnrt`[at])
	}
	return append(dst, '\\', 'u', '0', '0', hexadecimal[c>>4], hexadecimal[c&0xF])
}
