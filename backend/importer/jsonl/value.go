package jsonl

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"coppice/backend/jsontext"
)

// Parse returns the JSON objects of a line. More than one means that two writers shared the line; a nil result that it
// is damaged, or beyond the bounds of jsontext.Check. Invalid UTF-8 is replaced, so that all returned text is valid.
func Parse(line []byte) []gjson.Result {
	line = clean(line)
	if len(line) == 0 || line[0] != '{' {
		return nil
	}
	switch jsontext.Check(line) {
	case "":
		return []gjson.Result{gjson.ParseBytes(line)}
	case jsontext.Invalid:
		return split(line)
	default:
		return nil
	}
}

// ParseAgain returns an object of a line that Parse has accepted; part -1 is the whole line.
func ParseAgain(line []byte, part int32) gjson.Result {
	line = clean(line)
	if part < 0 {
		return gjson.ParseBytes(line)
	}
	return split(line)[part]
}

// maxShared is how many objects may share a line: of two writers that are interrupted repeatedly.
const maxShared = 1000

// clean removes white space, and the byte order mark that some editors write before the first line.
func clean(line []byte) []byte {
	line = bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\uFEFF")))
	if utf8.Valid(line) {
		return line
	}
	return bytes.ToValidUTF8(line, []byte("\uFFFD"))
}

// split separates objects that share a line. Each of them is within the bounds, and so are all together.
func split(text []byte) []gjson.Result {
	var values []gjson.Result
	for len(text) > 0 {
		end := objectEnd(text)
		if end < 0 || len(values) == maxShared || jsontext.Check(text[:end]) != "" {
			return nil
		}
		values = append(values, gjson.ParseBytes(text[:end]))
		text = bytes.TrimSpace(text[end:])
	}
	return values
}

// objectEnd returns the end of the object that text begins with, or -1.
func objectEnd(text []byte) int {
	if text[0] != '{' {
		return -1
	}
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			i = jsontext.StringEnd(text, i)
		case '{', '[':
			depth++
		case '}', ']':
			depth--
			if depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}

// Text returns a string's value, and nothing for any other type.
func Text(r gjson.Result) string {
	if r.Type != gjson.String || len(r.Raw) < 2 {
		return r.Str
	}
	// After half of a pair gjson leaves out the escape that follows.
	if r.Str != "" && !strings.Contains(r.Str, "\uFFFD") {
		return r.Str
	}
	return unquote(r.Raw)
}

// unquote decodes a JSON string.
func unquote(quoted string) string {
	s := quoted[1 : len(quoted)-1]
	at := strings.IndexByte(s, '\\')
	if at < 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for ; at >= 0; at = strings.IndexByte(s, '\\') {
		b.WriteString(s[:at])
		r, size := unescape(s[at:])
		b.WriteRune(r)
		s = s[at+size:]
	}
	b.WriteString(s)
	return b.String()
}

// unescape returns the character of an escape, and the escape's length. Half of a pair becomes U+FFFD.
func unescape(s string) (r rune, size int) {
	switch s[1] {
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	case 'u':
		r = hexadecimal(s)
		if utf16.IsSurrogate(r) && len(s) >= 12 && s[6] == '\\' && s[7] == 'u' {
			if whole := utf16.DecodeRune(r, hexadecimal(s[6:])); whole != utf8.RuneError {
				return whole, 12
			}
		}
		return r, 6
	default:
		return rune(s[1]), 2
	}
}

// hexadecimal returns the four digits of an escape.
func hexadecimal(s string) rune {
	n, _ := strconv.ParseUint(s[2:6], 16, 32) // the line was found to be valid
	return rune(n)
}

// Raw returns a verbatim copy of a value; nil if it does not exist.
func Raw(r gjson.Result) json.RawMessage {
	if r.Raw == "" || r.Type == gjson.Null {
		return nil
	}
	return json.RawMessage(r.Raw)
}

// Empty reports whether a value carries no information: null, false, 0, "", [] and {}.
func Empty(r gjson.Result) bool {
	switch r.Type {
	case gjson.Null, gjson.False:
		return true
	case gjson.Number:
		return r.Num == 0
	case gjson.String:
		return len(r.Raw) <= 2
	case gjson.JSON:
		nothing := true
		Each(r, func(_ string, _ gjson.Result) bool { nothing = false; return false })
		return nothing
	default:
		return false
	}
}
