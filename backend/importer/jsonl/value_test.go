package jsonl

import (
	"strings"
	"testing"

	"github.com/tidwall/gjson"
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
		"as deep as is read":     {deep(maxDepth), []string{deep(maxDepth)}},
		"too deep":               {deep(maxDepth + 1), nil},
		"brackets in a text":     {`{"a":"` + strings.Repeat("[", 2*maxDepth) + `"}`, []string{`{"a":"` + strings.Repeat("[", 2*maxDepth) + `"}`}},
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

// deep is an object in which n values stand in each other.
func deep(n int) string { return `{"a":` + strings.Repeat("[", n-1) + strings.Repeat("]", n-1) + `}` }

// Each goes through what gjson goes through, and Text says what gjson says.
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
				want = append(want, member{k.String(), v.Raw, v.Str})
				return true
			})
			Each(object, func(key string, v gjson.Result) bool {
				got = append(got, member{key, v.Raw, Text(v)})
				return true
			})
			if len(got) != len(want) {
				t.Fatalf("%d members of %s, gjson has %d", len(got), object.Raw, len(want))
			}
			for i := range want {
				if got[i] != want[i] {
					t.Fatalf("member %d of %s is %q, gjson's %q", i, object.Raw, got[i], want[i])
				}
			}
		}
	})
}
