package core

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
		if got, want := string(AppendText([]byte("x"), text)), "x"+standard(text); got != want {
			t.Fatalf("got %s, want %s", got, want)
		}
	})
}

func TestPartIsWrittenAsEncodingJSONDoes(t *testing.T) {
	type plain Part
	rapid.Check(t, func(t *rapid.T) {
		raw := rapid.SampledFrom([]json.RawMessage{nil, json.RawMessage("null"), json.RawMessage(`{ "a" : [1 , "\u0041 b"] }`), json.RawMessage(`"< >"`)})
		text := rapid.SampledFrom([]string{"", "a", "<b>\n\u2028"})
		var draw func(deep bool) Part
		draw = func(deep bool) Part {
			p := Part{
				Type: PartType(text.Draw(t, "type")), Text: text.Draw(t, "text"), Injected: rapid.Bool().Draw(t, "injected"), Redacted: rapid.Bool().Draw(t, "redacted"), ID: text.Draw(t, "id"),
				Name: text.Draw(t, "name"), Arguments: raw.Draw(t, "arguments"), Server: rapid.Bool().Draw(t, "server"),
				IsError: rapid.Bool().Draw(t, "isError"), Structured: raw.Draw(t, "structured"), DurationMs: rapid.Int64().Draw(t, "durationMs"),
				Native: raw.Draw(t, "native"), StructuredBlob: text.Draw(t, "structuredBlob"),
			}
			if rapid.Bool().Draw(t, "truncated") {
				p.Truncated = &Truncated{SizeBytes: 1, Blob: "b"}
			}
			if rapid.Bool().Draw(t, "media") {
				p.Media = &Media{MimeType: "image/png"}
			}
			if deep {
				p.Result = []Part{draw(false), draw(false)}
			}
			return p
		}
		p := draw(rapid.Bool().Draw(t, "deep"))
		if got, want := string(p.AppendJSON(nil)), standard(plain(p)); got != want {
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
		if IsJSON(value, maxNesting) != ok {
			t.Fatalf("%q: IsJSON says otherwise", value)
		}
		if ok && string(got[1:]) != want.String() {
			t.Fatalf("%q: got %s, want %s", value, got[1:], want.String())
		}
	})
}
