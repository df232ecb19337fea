package jsontext

import (
	"bytes"
	"encoding/json"
	"testing"

	"pgregory.net/rapid"
)

// The output must stay equal to that of encoding/json: the hashes of messages imported before are of these bytes.

func standard(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err)
	}
	return string(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
}

func TestTextIsWrittenAsEncodingJSONDoes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }),
			rapid.StringOf(rapid.SampledFrom([]rune("a\"\\/<>&\b\f\n\r\t\x00\x1f\x7f\u2027\u2028\u2029\ufffdé😀")))).Draw(t, "text")
		if got, want := string(AppendString([]byte("x"), text)), "x"+standard(text); got != want {
			t.Fatalf("got %s, want %s", got, want)
		}
	})
}

func FuzzCompact(f *testing.F) {
	for _, seed := range []string{
		`{ "a" : [ 1 , -0.5e+10 , true , false , null , "x\"\u00e9" ] }`, ` [ ] `, `{}`, `[1,]`, `{"a":}`, `{"a" 1}`, `{,}`, `01`, `-`, `1.`, `1e`, `"\x"`,
		`"` + "\n" + `"`, `truex`, `[1 2]`, `]`, `{]`, `"\u00g0"`, "", " ", `"a" "b"`, `nul`, `{"a":1}}`, `[[[]]]`, `"\`, `"\u12`, "\"\xff\"", `"12345678\"` + "\x1f" + `3456"`, `"1234567\\"`, `"123456789012345\u00e9"`, "\"1234567\x1f12345678\"", "\"\u00e9\u2028 \x7f\x80\"",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, value []byte) {
		var want bytes.Buffer
		err := json.Compact(&want, value)
		got, ok := AppendCompact([]byte("x"), value)
		if ok != (err == nil) {
			t.Fatalf("%q: ok is %t, encoding/json says %v", value, ok, err)
		}
		if Valid(value, maxNesting) != ok {
			t.Fatalf("%q: Valid says otherwise", value)
		}
		if ok && string(got[1:]) != want.String() {
			t.Fatalf("%q: got %s, want %s", value, got[1:], want.String())
		}
	})
}
