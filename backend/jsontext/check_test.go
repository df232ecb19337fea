package jsontext

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// FuzzCheck compares Check with encoding/json. Within the bounds both agree on whether a text is valid; beyond the bounds Check refuses
// it.
func FuzzCheck(f *testing.F) {
	for _, seed := range []string{
		`{"a":[1,2.5e-3,true,null,"\u00e9\n"]}`, `[`, `]`, `{"a":}`, `01`, `-`, `"\x"`, "\"\x01\"", `  {}  `, `{} {}`, `{"a":1,}`, `1e`, "\xff", `"` + "\xff" + `"`, `nul`, `truefalse`,
		strings.Repeat("[", MaxDepth) + strings.Repeat("]", MaxDepth), strings.Repeat(`{"a":`, MaxDepth+1) + "1" + strings.Repeat("}", MaxDepth+1),
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		depth, deepest := 0, 0
		for decoder := json.NewDecoder(bytes.NewReader(text)); ; {
			token, err := decoder.Token()
			if err != nil {
				break
			}
			if d, ok := token.(json.Delim); ok && (d == '{' || d == '[') {
				depth++
				deepest = max(deepest, depth)
			} else if ok {
				depth--
			}
		}
		problem := Check(text)
		switch valid := json.Valid(text); {
		case valid && deepest <= MaxDepth && problem != "":
			t.Errorf("%.200q is refused: %s", text, problem)
		case valid && deepest > MaxDepth && problem != TooDeep:
			t.Errorf("%d levels: %q", deepest, problem)
		case !valid && problem == "":
			t.Errorf("%.200q is accepted", text)
		}
		if problem == "" && Check(append([]byte(" "), text...)) != "" {
			t.Error("white space before it changes the answer")
		}
	})
}

// TestCheckBounds checks values at the bounds and one beyond.
func TestCheckBounds(t *testing.T) {
	t.Parallel()
	nested := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	list := func(n int) string { return "[" + strings.TrimSuffix(strings.Repeat("1,", n), ",") + "]" }
	for name, c := range map[string]struct{ text, want string }{
		"deepest":       {nested(MaxDepth), ""},
		"too deep":      {nested(MaxDepth + 1), TooDeep},
		"far too deep":  {strings.Repeat("[", 50_000_000), TooDeep},
		"densest":       {list(MaxValues - 1), ""},
		"too dense":     {list(MaxValues + 1), TooDense},
		"far too dense": {"[" + strings.Repeat("1,", 20_000_000), TooDense},
	} {
		if got := Check([]byte(c.text)); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
