package mcp

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"coppice/backend/jsontext"
)

// deepLevels is more than a recursive parser can take: its stack ends the process.
const deepLevels = 12 << 20

// deepAnswer returns a server's answer to a request, without its SDK, which could not write it: results of calls nest deeply.
func deepAnswer(request []byte) string {
	var call struct {
		ID     json.RawMessage
		Method string
	}
	if err := json.Unmarshal(request, &call); err != nil || call.ID == nil {
		return ""
	}
	result := `{}`
	switch call.Method {
	case "initialize":
		result = `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"deep","version":"1"}}`
	case "tools/list":
		result = `{"tools":[{"name":"dig","inputSchema":{"type":"object"}}]}`
	case "tools/call":
		result = `{"content":[],"structuredContent":` + strings.Repeat("[", deepLevels) + strings.Repeat("]", deepLevels) + `}`
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, call.ID, result)
}

// serveDeep is a server over the standard input and output.
func serveDeep() {
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		if answer := deepAnswer(in.Bytes()); answer != "" {
			fmt.Println(answer)
		}
	}
}

func deepOverHTTP(t *testing.T, contentType, form string) Server {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		answer := deepAnswer(body)
		switch {
		case err != nil || r.Method != http.MethodPost:
			w.WriteHeader(http.StatusMethodNotAllowed)
		case answer == "":
			w.WriteHeader(http.StatusAccepted)
		default:
			w.Header().Set("Content-Type", contentType)
			_, _ = fmt.Fprintf(w, form, answer)
		}
	}))
	t.Cleanup(server.Close)
	return Server{Name: "fake", URL: server.URL}
}

// TestDenseStructuredResult leaves out a structured result of more values than an archive may hold, and names the reason.
func TestDenseStructuredResult(t *testing.T) {
	values := make([]any, jsontext.MaxValues+1)
	got := result(&sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "many"}}, StructuredContent: values})
	if want := "many\n[structured result left out: it " + jsontext.TooDense + "]"; got.Structured != nil || textOf(got) != want {
		t.Errorf("%d bytes, %q", len(got.Structured), textOf(got))
	}
}

// TestDeepAnswers calls tools whose results nest so deeply that a recursive parser would end the process.
func TestDeepAnswers(t *testing.T) {
	for name, server := range map[string]Server{
		"stdio":           fakeCommand(t, "deep"),
		"HTTP":            deepOverHTTP(t, "application/json", "%s"),
		"HTTP, as events": deepOverHTTP(t, "text/event-stream", "event: message\ndata: %s\n\n"),
	} {
		t.Run(name, func(t *testing.T) {
			got := run(t, open(t, server), "dig", `{}`)
			if !got.IsError || !strings.Contains(textOf(got), "ended before it answered") {
				t.Errorf("%+v", got)
			}
		})
	}
}
