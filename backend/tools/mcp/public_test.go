package mcp

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"coppice/backend/core"
)

// publicServer is a server by others, as npm ci in testdata/servers installs it.
func publicServer(t *testing.T, name string, args ...string) Server {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("testdata", "servers", "node_modules", ".bin", "mcp-server-"+name))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Skip("npm ci in backend/tools/mcp/testdata/servers installs the public servers")
	}
	return Server{Name: name, Command: path, Args: args}
}

func TestServerEverything(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "secret")
	pool := open(t, publicServer(t, "everything"))
	if state := pool.States()[0]; state.Status != StatusReady || state.ToolCount < 10 || len(state.Problems) != 0 {
		t.Fatalf("%+v", state)
	}
	for _, tool := range pool.Tools() {
		if tool.definition.schema == nil {
			t.Errorf("the schema of %s cannot be checked: %s", tool.Spec().Name, tool.Spec().Parameters)
		}
	}
	if got := run(t, pool, "echo", `{"message":"hello"}`); got.IsError || textOf(got) != "Echo: hello" {
		t.Errorf("echo: %+v", got)
	}
	if got := run(t, pool, "get-sum", `{"a":2,"b":3}`); !strings.Contains(textOf(got), "5") {
		t.Errorf("get-sum: %+v", got)
	}
	if _, err := find(t, pool, "get-sum").Access(t.Context(), json.RawMessage(`{"a":"two"}`)); core.CodeOf(err) != core.Invalid {
		t.Errorf("get-sum took words: %v", err)
	}
	image := run(t, pool, "get-tiny-image", `{}`)
	if len(image.Parts) != 3 || image.Parts[1].Media == nil || image.Parts[1].Media.MimeType != "image/png" ||
		!strings.HasPrefix(string(image.Parts[1].Media.Data), "\x89PNG") {
		t.Errorf("get-tiny-image: %d parts", len(image.Parts))
	}
	weather := run(t, pool, "get-structured-content", `{"location":"New York"}`)
	if !json.Valid(weather.Structured) || !strings.Contains(string(weather.Structured), "temperature") {
		t.Errorf("get-structured-content: %+v", weather)
	}
	if got := run(t, pool, "get-env", `{}`); strings.Contains(textOf(got), "secret") || !strings.Contains(textOf(got), "PATH") {
		t.Errorf("get-env: %s", textOf(got))
	}
	if got := run(t, pool, "get-resource-links", `{"count":2}`); strings.Count(textOf(got), "[resource ") != 2 {
		t.Errorf("get-resource-links: %s", textOf(got))
	}
}

func TestServerEverythingTimesOut(t *testing.T) {
	t.Parallel()
	config := publicServer(t, "everything")
	config.Timeout = 100 * time.Millisecond
	pool := open(t, config)
	got := run(t, pool, "trigger-long-running-operation", `{"duration":20,"steps":4}`)
	if !got.IsError || !strings.Contains(textOf(got), "did not answer within 100ms") {
		t.Errorf("%+v", got)
	}
}

func TestServerFilesystem(t *testing.T) {
	t.Parallel()
	inside, outside := t.TempDir(), t.TempDir()
	for _, folder := range []string{inside, outside} {
		if err := os.WriteFile(filepath.Join(folder, "note.txt"), []byte("a note"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	pool := open(t, publicServer(t, "filesystem", inside))
	path := func(folder string) string {
		arguments, _ := json.Marshal(map[string]string{"path": filepath.Join(folder, "note.txt")})
		return string(arguments)
	}
	if got := run(t, pool, "read_text_file", path(inside)); got.IsError || !strings.Contains(textOf(got), "a note") {
		t.Errorf("%+v", got)
	}
	if got := run(t, pool, "read_text_file", path(outside)); !got.IsError || !strings.Contains(textOf(got), "outside allowed directories") {
		t.Errorf("%+v", got)
	}
}
