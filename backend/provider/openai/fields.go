package openai

import (
	"encoding/json"
	"math"
	"strconv"
)

// fields is an object in which each server may leave out or add fields. A field of an unexpected type counts as
// missing.
type fields map[string]json.RawMessage

// given reports whether a field is present and not null.
func (f fields) given(name string) bool {
	return len(f[name]) > 0 && string(f[name]) != "null"
}

// text returns a field that is a text, or the empty string.
func (f fields) text(name string) string {
	var s string
	if json.Unmarshal(f[name], &s) != nil {
		return ""
	}
	return s
}

// count returns a field that is a number, or the text of one; 0 and false if it is neither.
func (f fields) count(name string) (int64, bool) {
	var n json.Number // json.Number also accepts a string
	if !f.given(name) || json.Unmarshal(f[name], &n) != nil {
		return 0, false
	}
	if whole, err := strconv.ParseInt(n.String(), 10, 64); err == nil {
		return whole, true
	}
	x, err := n.Float64()
	if err != nil || math.Abs(x) > 1<<53 {
		return 0, false
	}
	return int64(x), true
}

// object returns a field that is an object, or nil.
func (f fields) object(name string) fields {
	return objectOf(f[name])
}

// list returns the objects in a field that is a list.
func (f fields) list(name string) []fields {
	var list []json.RawMessage
	if json.Unmarshal(f[name], &list) != nil {
		return nil
	}
	all := make([]fields, len(list))
	for i, raw := range list {
		all[i] = objectOf(raw)
	}
	return all
}

func objectOf(raw json.RawMessage) fields {
	var object fields
	if json.Unmarshal(raw, &object) != nil {
		return nil
	}
	return object
}
