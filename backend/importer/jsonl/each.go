package jsonl

import (
	"strings"

	"github.com/tidwall/gjson"
)

// Each yields the members of an object, or the elements of an array without keys. Unlike gjson's own loop it does not
// decode strings, see Text: most of a file is long strings that this pass does not need.
func Each(r gjson.Result, yield func(key string, v gjson.Result) bool) {
	s := r.Raw
	if r.Type != gjson.JSON || len(s) < 2 {
		return
	}
	keyed := s[0] == '{'
	for i := next(s, 1); i < len(s) && s[i] != '}' && s[i] != ']'; i = next(s, i) {
		key := ""
		if keyed {
			end := valueEnd(s, i)
			key = unquote(s[i:end])
			i = next(s, end)
		}
		end := valueEnd(s, i)
		if !yield(key, value(s[i:end])) {
			return
		}
		i = end
	}
}

// next skips what separates values.
func next(s string, i int) int {
	for i < len(s) && (s[i] <= ' ' || s[i] == ',' || s[i] == ':') {
		i++
	}
	return i
}

// valueEnd returns the end of the value that begins at from.
func valueEnd(s string, from int) int {
	switch s[from] {
	case '"':
		return quoteEnd(s, from) + 1
	case '{', '[':
		depth := 0
		for i := from; ; i++ {
			switch s[i] {
			case '"':
				i = quoteEnd(s, i)
			case '{', '[':
				depth++
			case '}', ']':
				depth--
				if depth == 0 {
					return i + 1
				}
			}
		}
	default:
		end := from + 1
		for end < len(s) && s[end] > ' ' && s[end] != ',' && s[end] != '}' && s[end] != ']' {
			end++
		}
		return end
	}
}

// quoteEnd returns the index of the quote that closes the string opened at from.
func quoteEnd(s string, from int) int {
	for i := from + 1; ; i++ {
		i += strings.IndexByte(s[i:], '"')
		slashes := 0
		for s[i-1-slashes] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			return i
		}
	}
}

// value wraps a JSON value without decoding it.
func value(raw string) gjson.Result {
	switch raw[0] {
	case '"':
		return gjson.Result{Type: gjson.String, Raw: raw}
	case '{', '[':
		return gjson.Result{Type: gjson.JSON, Raw: raw}
	default:
		return gjson.Parse(raw)
	}
}
