package jsonl

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"coppice/backend/jsontext"
)

func TestParse(t *testing.T) {
	for name, c := range map[string]struct {
		line string
		want []string
	}{
		"an object":              {`{"a":1}`, []string{`{"a":1}`}},
		"space around it":        {"  {\"a\":1}\t", []string{`{"a":1}`}},
		"two of two writers":     {`{"a":"}{"}{"b":2}`, []string{`{"a":"}{"}`, `{"b":2}`}},
		"a quote that is cited":  {`{"a":"\"}"} {"b":"\\"}`, []string{`{"a":"\"}"}`, `{"b":"\\"}`}},
		"an array":               {`[1]`, nil},
		"half":                   {`{"a":`, nil},
		"one and a half":         {`{"a":1}{"b"`, nil},
		"nothing":                {``, nil},
		"as deep as is read":     {deep(jsontext.MaxDepth), []string{deep(jsontext.MaxDepth)}},
		"too deep":               {deep(jsontext.MaxDepth + 1), nil},
		"brackets in a text":     {`{"a":"` + strings.Repeat("[", 2*jsontext.MaxDepth) + `"}`, []string{`{"a":"` + strings.Repeat("[", 2*jsontext.MaxDepth) + `"}`}},
		"bytes that are no text": {"{\"a\":\"\xff\"}", []string{"{\"a\":\"\uFFFD\"}"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := Parse([]byte(c.line))
			if len(got) != len(c.want) {
				t.Fatalf("%d objects, want %d", len(got), len(c.want))
			}
			for i := range got {
				if got[i].Raw != c.want[i] {
					t.Errorf("object %d is %s", i, got[i].Raw)
				}
				part := int32(-1)
				if len(got) > 1 {
					part = int32(i)
				}
				if again := ParseAgain([]byte(c.line), part); again.Raw != got[i].Raw {
					t.Errorf("object %d is %s when it is read again", i, again.Raw)
				}
			}
		})
	}
}

// deep returns an object with n nested values.
func deep(n int) string { return `{"a":` + strings.Repeat("[", n-1) + strings.Repeat("]", n-1) + `}` }

// plain returns what encoding/json reads of a string; empty for other values.
func plain(v gjson.Result) (s string) {
	if v.Type == gjson.String {
		_ = json.Unmarshal([]byte(v.Raw), &s)
	}
	return s
}

// wellFormed replaces invalid bytes by U+FFFD, as encoding/json does.
func wellFormed(s string) string { return string([]rune(s)) }

// TestHalfOfAPair loses nothing beside an escape that is only half of a character: gjson takes what follows for the other half.
func TestHalfOfAPair(t *testing.T) {
	for raw, want := range map[string]string{
		`"\ud83d\ude00!"`: "😀!", `"cut\ud83d\u2026"`: "cut\uFFFD…", `"\ud83d\ud83d\ude00"`: "\uFFFD😀", `"\ude00\n"`: "\uFFFD\n", `"\ud83dA"`: "\uFFFDA",
	} {
		object := Parse([]byte(`{"a":` + raw + `}`))[0]
		if got := Text(object.Get("a")); got != want || plain(object.Get("a")) != want {
			t.Errorf("%s is %q, want %q", raw, got, want)
		}
		Each(object, func(_ string, v gjson.Result) bool {
			if got := Text(v); got != want {
				t.Errorf("%s is %q as a member, want %q", raw, got, want)
			}
			return true
		})
	}
}

// Each yields what gjson yields, and Text returns what encoding/json returns.
func FuzzEach(f *testing.F) {
	for _, seed := range []string{
		`{}`, `{"a":1,"b":[true,null,"x\"y"],"c":{"d":-1.5e3}}`, `{ "a" : "\\" , "\u0061" : "" }`, `{"a":{"b":[[],{}]},"c":"[{"}`, `{"a":"\ud83d\ude00\n"}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		for _, object := range Parse(line) {
			type member struct{ key, raw, text string }
			var want, got []member
			object.ForEach(func(k, v gjson.Result) bool {
				want = append(want, member{plain(k), v.Raw, plain(v)})
				return true
			})
			Each(object, func(key string, v gjson.Result) bool {
				got = append(got, member{wellFormed(key), v.Raw, wellFormed(Text(v))})
				return true
			})
			if len(got) != len(want) {
				t.Fatalf("%d members of %s, gjson has %d", len(got), object.Raw, len(want))
			}
			for i := range want {
				if got[i] != want[i] {
					t.Fatalf("member %d of %s is %q, encoding/json's %q", i, object.Raw, got[i], want[i])
				}
			}
		}
	})
}
