package mcp

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"coppice/backend/core"
	"coppice/backend/tools/excerpt"
)

// FuzzAnswer converts any answer of a server to a result. Its texts are within the bounds, each whole text is in a
// blob, and images are few.
func FuzzAnswer(f *testing.F) {
	for _, seed := range []string{
		`{"content":[{"type":"text","text":"words"},{"type":"image","mimeType":"image/png","data":"cGl4ZWxz"},{"type":"text","text":"more"}],"isError":true}`,
		`{"content":[{"type":"resource","resource":{"uri":"x","blob":"YQ==","mimeType":"a/b;c"}},{"type":"resource_link","uri":"file:///etc/passwd","name":"n"}]}`,
		`{"content":[],"structuredContent":{"a":[1,{"b":null}]}}`, `{"structuredContent":[]}`, `{"content":null}`,
		`{"content":[{"type":"text","text":"` + strings.Repeat(`long\n`, 20_000) + `"},{"type":"text","text":"\u0000\ud800"}]}`,
		`{"content":[` + strings.TrimSuffix(strings.Repeat(`{"type":"image","mimeType":"image/png","data":"YQ=="},`, 30), ",") + `]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var answer sdk.CallToolResult
		if json.Unmarshal(data, &answer) != nil {
			return
		}
		r := result(&answer)
		texts, pictures, lines := 0, 0, int64(0)
		for _, part := range r.Parts {
			switch part.Type {
			case core.PartText:
				texts += len(part.Text)
				lines += excerpt.CountLines(part.Text)
				if part.Truncated != nil && !holds(r.Blobs, part.Truncated.Blob) {
					t.Error("the whole of a text is lost")
				}
			case core.PartMedia:
				pictures++
			default:
				t.Errorf("a part of type %q", part.Type)
			}
		}
		notes := len(r.Parts) * 200 // notes in cut texts about the rest
		if len(r.Parts) == 0 || texts > excerpt.MaxBytes+notes || lines > int64(excerpt.MaxLines+8*len(r.Parts)) || pictures > maxMedia {
			t.Errorf("%d parts, %d bytes of text in %d lines, %d pictures", len(r.Parts), texts, lines, pictures)
		}
		if r.Structured != nil && !json.Valid(r.Structured) {
			t.Error("the structured value is no JSON")
		}
	})
}

func holds(blobs []core.Blob, hash string) bool {
	for _, b := range blobs {
		if b.Hash == hash && core.Hash(b.Data) == hash {
			return true
		}
	}
	return false
}

// FuzzDefinition reads any tool and checks any arguments against its schema. Definitions are within their bounds, and
// the same tool has the same pin.
func FuzzDefinition(f *testing.F) {
	f.Add([]byte(`{"name":"echo","description":"d","inputSchema":{"type":"object","properties":{"a":{"type":"string","pattern":"^(a|b)*$"}},"required":["a"]}}`), []byte(`{"a":"ab"}`))
	f.Add([]byte(`{"name":"r","inputSchema":{"type":"object","$defs":{"a":{"$ref":"#/$defs/a"}},"$ref":"#/$defs/a"}}`), []byte(`{}`))
	f.Add([]byte(`{"name":"t","inputSchema":{"properties":{"n":{"$ref":"#"}}}}`), []byte(`{"n":{"n":{"n":{}}}}`))
	f.Add([]byte(`{"name":"x","inputSchema":{"$ref":"file:///etc/passwd"}}`), []byte(`[]`))
	f.Fuzz(func(t *testing.T, definition, arguments []byte) {
		var tool sdk.Tool
		if json.Unmarshal(definition, &tool) != nil {
			return
		}
		server := Server{Name: "s", Command: "c"}
		tools, problems := define(server, []*sdk.Tool{&tool, &tool})
		if len(tools) > 1 || len(tools)+len(problems) != 2 {
			t.Fatalf("%d tools, %q", len(tools), problems)
		}
		for _, d := range tools {
			if len(d.spec.Name) > maxModelName || len(d.spec.Parameters) > maxSchemaBytes || len(d.spec.Description) > maxDescriptionBytes+len(tool.Title)+200 {
				t.Errorf("a name of %d bytes, a schema of %d, a description of %d", len(d.spec.Name), len(d.spec.Parameters), len(d.spec.Description))
			}
			if again, err := newDefinition(server, &tool); err != nil || again.target != d.target {
				t.Errorf("%q, then %q, %v", d.target, again.target, err)
			}
			if err := checkArguments(d.schema, arguments); err == nil && !json.Valid(arguments) || err != nil && len(err.Error()) > 4000 {
				t.Errorf("arguments %.200q: %.300v", arguments, err)
			}
		}
	})
}

// FuzzLines splits the output of a server. Every byte is passed on or put aside, however it arrives.
func FuzzLines(f *testing.F) {
	f.Add([]byte("Hello\n{\"a\":1}\n\n [2]\r\nx{"))
	f.Add([]byte("{\n\n}\n"))
	f.Fuzz(func(t *testing.T, printed []byte) {
		var aside, other bytes.Buffer
		got, err := io.ReadAll(newLines(bytes.NewReader(printed), &aside))
		slow, slowErr := io.ReadAll(newLines(iotest.OneByteReader(bytes.NewReader(printed)), &other))
		if err != nil || slowErr != nil || !bytes.Equal(got, slow) || !bytes.Equal(aside.Bytes(), other.Bytes()) {
			t.Fatalf("%q and %q, %v, %v", got, slow, err, slowErr)
		}
		if len(got)+aside.Len() != len(printed) {
			t.Errorf("%d bytes of %d are lost", len(printed)-len(got)-aside.Len(), len(printed))
		}
		for line := range bytes.Lines(got) {
			if !isMessage(line) {
				t.Errorf("%q is passed on", line)
			}
		}
	})
}
