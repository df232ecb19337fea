package jsonl

import (
	"encoding/json"
	"testing"

	"pgregory.net/rapid"
)

// Fields are encoded as encoding/json does it, byte for byte: a message whose bytes change would count as changed.
func TestFieldsAreWhatEncodingJSONMakes(t *testing.T) {
	values := rapid.SampledFrom([]string{
		`1`, ` [ 1 , 2.50 ] `, `"plain"`, `"<b> & \u003c"`, `"é  "`, `{"b":{"c":null},"a":""}`, `{half`, `"\u2028"`, `"\x7f"`,
	})
	rapid.Check(t, func(t *rapid.T) {
		var f Fields
		for key, value := range rapid.MapOfN(rapid.String(), values, 0, 4).Draw(t, "fields") {
			f.Set(key, json.RawMessage(value))
		}
		want, err := json.Marshal(map[string]json.RawMessage(f))
		if err != nil || len(f) == 0 {
			want = nil
		}
		if got := f.JSON(); string(got) != string(want) {
			t.Fatalf("%s, want %s", got, want)
		}
	})
}
