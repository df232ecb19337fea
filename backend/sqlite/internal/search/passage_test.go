package search

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// What is searched of a tool's input is what encoding/json reads of it.
func TestReadableIsWhatEncodingJSONReads(t *testing.T) {
	var value *rapid.Generator[any]
	text := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"a \"b\" \\ /", "\n\t\u0001", "é \u2028 \U0001F600", "\xff<>&", ""}))
	leaf := rapid.OneOf(
		rapid.Map(text, func(s string) any { return s }), rapid.Map(rapid.Float64Range(-1e30, 1e30), func(f float64) any { return f }),
		rapid.Map(rapid.Int64(), func(n int64) any { return n }), rapid.Map(rapid.Bool(), func(b bool) any { return b }), rapid.Just[any](nil),
	)
	value = rapid.OneOf(leaf, rapid.Map(rapid.SliceOfN(leaf, 0, 3), func(l []any) any { return l }),
		rapid.Map(rapid.MapOfN(text, leaf, 0, 3), func(m map[string]any) any { return map[string]any{"in": m} }))
	rapid.Check(t, func(t *rapid.T) {
		compact, err := json.Marshal(value.Draw(t, "value"))
		if err != nil {
			t.Fatal(err)
		}
		wantReadable(t, string(compact))
		if spread, err := json.MarshalIndent(json.RawMessage(compact), " ", "\t"); err == nil {
			wantReadable(t, string(spread))
		}
	})
	for _, odd := range []string{``, `"\ud83d\u0041"`, `["\ud83d","\uDE00\ud83d\ude00"]`, "{\"\xff\":\"a\xffb\"}", `[-0.5e-7,1E+2]`} {
		wantReadable(t, odd)
	}
}

func wantReadable(t interface{ Fatalf(string, ...any) }, value string) {
	var b strings.Builder
	dec := json.NewDecoder(strings.NewReader(value))
	dec.UseNumber()
	for token, err := dec.Token(); err == nil; token, err = dec.Token() {
		switch v := token.(type) {
		case string:
			b.WriteString(v + "\n")
		case json.Number:
			b.WriteString(v.String() + "\n")
		case bool:
			b.WriteString(strconv.FormatBool(v) + "\n")
		}
	}
	if got := readable(value); got != b.String() {
		t.Fatalf("%s is read as %q, want %q", value, got, b.String())
	}
}
