package transcript

import (
	"encoding/json"
	"math"
	"slices"

	"github.com/tidwall/gjson"

	"coppice/backend/importer/jsonl"
)

// Rest returns the non-empty members of an object that are not among the given ones; nil if there are no others.
func Rest(object gjson.Result, without ...string) json.RawMessage {
	var rest jsonl.Fields
	AddRest(&rest, object, without...)
	return rest.JSON()
}

// AddRest adds the result of Rest to fields.
func AddRest(to *jsonl.Fields, object gjson.Result, without ...string) {
	if !object.IsObject() {
		return
	}
	object.ForEach(func(key, v gjson.Result) bool {
		if !slices.Contains(without, key.String()) && !jsonl.Empty(v) {
			to.Set(key.String(), jsonl.Raw(v))
		}
		return true
	})
}

// NanoUSD reads an amount of US dollars; nil for anything else.
func NanoUSD(v gjson.Result) *int64 {
	if v.Type != gjson.Number || !(v.Num >= 0 && v.Num < 1e9) {
		return nil
	}
	n := int64(math.Round(v.Num * 1e9))
	return &n
}

// Seconds reads a Unix time in seconds as milliseconds; 0 for anything else.
func Seconds(v gjson.Result) int64 {
	if v.Type != gjson.Number || !(v.Num > 0 && v.Num < 1e11) {
		return 0
	}
	return int64(math.Round(v.Num * 1000))
}
