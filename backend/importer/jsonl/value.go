package jsonl

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"
)

// maxDepth is how deep the values of a line may nest. Tool results seen stay below 30; the limit
// keeps the recursive parser's stack small.
const maxDepth = 1000

// Parse returns the JSON objects of a line. More than one means that two writers shared the line; a
// nil result that it is damaged. Invalid UTF-8 is replaced, so that all text that leaves here is
// valid.
func Parse(line []byte) []gjson.Result {
	line = clean(line)
	if len(line) == 0 || line[0] != '{' || tooDeep(line) {
		return nil
	}
	if gjson.ValidBytes(line) {
		return []gjson.Result{gjson.ParseBytes(line)}
	}
	return split(line)
}

// ParseAgain returns an object of a line that Parse has accepted; part -1 is the whole line.
func ParseAgain(line []byte, part int32) gjson.Result {
	line = clean(line)
	if part < 0 {
		return gjson.ParseBytes(line)
	}
	return split(line)[part]
}

// clean takes away white space, and the byte order mark that some editors put before the first line.
func clean(line []byte) []byte {
	line = bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\uFEFF")))
	if utf8.Valid(line) {
		return line
	}
	return bytes.ToValidUTF8(line, []byte("\uFFFD"))
}

// split parts objects that stand on one line.
func split(text []byte) []gjson.Result {
	var values []gjson.Result
	for len(text) > 0 {
		end := objectEnd(text)
		if end < 0 || !gjson.ValidBytes(text[:end]) {
			return nil
		}
		values = append(values, gjson.ParseBytes(text[:end]))
		text = bytes.TrimSpace(text[end:])
	}
	return values
}

// objectEnd returns where the object that text begins with ends; -1 where it does not.
func objectEnd(text []byte) int {
	if text[0] != '{' {
		return -1
	}
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			i = stringEnd(text, i)
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

// tooDeep says whether the values of a line nest deeper than maxDepth.
func tooDeep(text []byte) bool {
	if bytes.Count(text, []byte("["))+bytes.Count(text, []byte("{")) <= maxDepth {
		return false // the usual case, and the fast one
	}
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			i = stringEnd(text, i)
		case '{', '[':
			depth++
			if depth > maxDepth {
				return true
			}
		case '}', ']':
			depth--
		}
	}
	return false
}

// stringEnd returns the index of the quote that closes the string opened at from, or the end.
func stringEnd(text []byte, from int) int {
	for i := from + 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return len(text)
}

// Text returns a string's value, and nothing for any other type.
func Text(r gjson.Result) string {
	if r.Type != gjson.String || r.Str != "" || len(r.Raw) < 2 {
		return r.Str
	}
	return unquote(r.Raw)
}

// unquote returns what a JSON string says.
func unquote(quoted string) string {
	if strings.IndexByte(quoted, '\\') < 0 {
		return quoted[1 : len(quoted)-1]
	}
	return gjson.Parse(quoted).Str
}

// Raw returns a copy of a value as it stands in the file; nil where there is none.
func Raw(r gjson.Result) json.RawMessage {
	if r.Raw == "" || r.Type == gjson.Null {
		return nil
	}
	return json.RawMessage(r.Raw)
}

// Empty says whether a value says nothing: null, false, 0, "", [] and {}.
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
