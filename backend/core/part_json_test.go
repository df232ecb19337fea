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
