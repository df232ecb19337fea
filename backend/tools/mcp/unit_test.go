package mcp

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"pgregory.net/rapid"

	"coppice/backend/core"
	"coppice/backend/tools/excerpt"
)

// Many texts share the bounds, and the whole of each is stored.
func TestBoundParts(t *testing.T) {
	t.Parallel()
	var parts []core.Part
	for range 10 {
		parts = append(parts, text(strings.Repeat("word ", 2000)), core.Part{Type: core.PartMedia, Media: &core.Media{}})
	}
	bounded, blobs := boundParts(parts)
	total := 0
	for _, part := range bounded {
		total += len(part.Text)
	}
	if total > excerpt.MaxBytes+10*200 || len(blobs) != 10 || len(bounded) != 20 {
		t.Errorf("%d bytes, %d blobs, %d parts", total, len(blobs), len(bounded))
	}
}

func TestModelName(t *testing.T) {
	t.Parallel()
	for _, c := range [][3]string{
		{"a", "b", "a__b"},
		{"a", "b-c_d", "a__b-c_d"},
		{"a", "b.c", "a__b_c_57a76311"},
	} {
		if got := modelName(c[0], c[1]); got != c[2] {
			t.Errorf("%s, %s is %s, want %s", c[0], c[1], got, c[2])
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		one, two := rapid.StringN(1, 80, 200).Draw(t, "one"), rapid.StringN(1, 80, 200).Draw(t, "two")
		a, b := modelName("server", one), modelName("server", two)
		if len(a) > maxModelName || !utf8.ValidString(a) || (one == two) != (a == b) {
			t.Fatalf("%q is %q, %q is %q", one, a, two, b)
		}
	})
}

func TestDefine(t *testing.T) {
	t.Parallel()
	schema := func(text string) any {
		var value any
		if err := json.Unmarshal([]byte(text), &value); err != nil {
			t.Fatal(err)
		}
		return value
	}
	tools, problems := define(Server{Name: "s", Command: "c"}, []*sdk.Tool{
		{Name: "good", InputSchema: schema(`{"type":"object"}`)},
		{Name: "bare", InputSchema: schema(`{"properties":{"a":{}}}`)},
		{Name: "good", InputSchema: schema(`{"type":"object"}`)},
		{Name: "", InputSchema: schema(`{"type":"object"}`)},
		{Name: "list", InputSchema: schema(`{"type":"array"}`)},
		{Name: "text", InputSchema: schema(`"object"`)},
		{Name: "huge", InputSchema: schema(`{"type":"object","title":"` + strings.Repeat("x", maxSchemaBytes) + `"}`)},
		{Name: "wordy", Description: strings.Repeat("Do as I say. ", 2000), InputSchema: schema(`{"type":"object"}`)},
	})
	if len(tools) != 3 || len(problems) != 5 {
		t.Fatalf("%d tools, %q", len(tools), problems)
	}
	if got := string(tools[1].spec.Parameters); got != `{"properties":{"a":{}},"type":"object"}` {
		t.Errorf("%s", got)
	}
	if got := len(tools[2].spec.Description); got > maxDescriptionBytes+100 {
		t.Errorf("a description of %d bytes", got)
	}
}

// A pin changes with everything that describes a tool, and with the server's address; nothing else changes it.
func TestPin(t *testing.T) {
	t.Parallel()
	server, parameters := Server{Name: "s", Command: "c", Args: []string{"a"}}, json.RawMessage(`{}`)
	tool := sdk.Tool{Name: "n", Description: "d"}
	base := pin(server, &tool, parameters)
	if again := pin(Server{Name: "other", Command: "c", Args: []string{"a"}, Env: map[string]string{"A": "b"}}, &tool, parameters); again != base {
		t.Error("it changes without a reason")
	}
	yes := true
	for name, changed := range map[string]string{
		"name":        pin(server, &sdk.Tool{Name: "m", Description: "d"}, parameters),
		"description": pin(server, &sdk.Tool{Name: "n", Description: "e"}, parameters),
		"title":       pin(server, &sdk.Tool{Name: "n", Description: "d", Title: "t"}, parameters),
		"hints":       pin(server, &sdk.Tool{Name: "n", Description: "d", Annotations: &sdk.ToolAnnotations{DestructiveHint: &yes}}, parameters),
		"schema":      pin(server, &tool, json.RawMessage(`{"a":1}`)),
		"arguments":   pin(Server{Command: "c", Args: []string{"b"}}, &tool, parameters),
		"url":         pin(Server{URL: "http://a"}, &tool, parameters),
	} {
		if changed == base {
			t.Errorf("the %s does not change it", name)
		}
	}
}

// Lines that are not messages are put aside, wherever reads end.
func TestLines(t *testing.T) {
	t.Parallel()
	long := `{"a":"` + strings.Repeat("x", 200_000) + `"}` + "\n"
	printed := "Hello\n" + `{"a":1}` + "\n\n  [2]\r\n" + strings.Repeat("noise", 40_000) + "\n" + long + `{"last":true}`
	for _, in := range []io.Reader{strings.NewReader(printed), iotest.OneByteReader(strings.NewReader(printed)), iotest.DataErrReader(strings.NewReader(printed))} {
		var aside bytes.Buffer
		got, err := io.ReadAll(newLines(in, &aside))
		if want := `{"a":1}` + "\n  [2]\r\n" + long + `{"last":true}`; err != nil || string(got) != want {
			t.Errorf("%d bytes, want %d, %v", len(got), len(want), err)
		}
		if !strings.HasPrefix(aside.String(), "Hello\n\nnoise") || aside.Len() != 200_008 {
			t.Errorf("%d bytes aside: %.20q", aside.Len(), aside.String())
		}
	}
}

func TestTail(t *testing.T) {
	t.Parallel()
	said := &tail{}
	for range 1000 {
		_, _ = said.Write([]byte("a line\n"))
	}
	_, _ = said.Write([]byte(strings.Repeat("x", 3*tailBytes) + "\nthe end\xff\n"))
	if got := said.String(); len(got) > tailBytes || !strings.HasSuffix(got, "x the end") {
		t.Errorf("%d bytes", len(got))
	}
}

// A server may leave the request for its own messages unanswered.
func TestHTTPWithoutListening(t *testing.T) {
	t.Parallel()
	fake := fakeServer()
	handler := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return fake }, nil)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			<-r.Context().Done()
			return
		}
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	t.Cleanup(server.CloseClientConnections)
	pool := open(t, Server{Name: "fake", URL: server.URL})
	if got := run(t, pool, "echo", `{"text":"hello"}`); textOf(got) != "hello" {
		t.Errorf("%+v", got)
	}
}
