package mcp

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"coppice/backend/core"
	"coppice/backend/tools/excerpt"
)

func open(t *testing.T, servers ...Server) *Pool {
	t.Helper()
	pool, err := Open(t.Context(), servers, Options{Version: "test", FirstDelay: time.Millisecond, listenTimeout: 100 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return pool
}

func find(t *testing.T, pool *Pool, tool string) *Tool {
	t.Helper()
	for _, candidate := range pool.Tools() {
		if candidate.definition.tool == tool {
			return candidate
		}
	}
	t.Fatalf("no tool %s; %+v", tool, pool.States())
	return nil
}

func run(t *testing.T, pool *Pool, tool, arguments string) core.ToolResult {
	t.Helper()
	return find(t, pool, tool).Run(t.Context(), core.ToolCall{ID: "1", Arguments: json.RawMessage(arguments)})
}

func textOf(r core.ToolResult) string {
	var text strings.Builder
	for _, part := range r.Parts {
		text.WriteString(part.Text)
	}
	return text.String()
}

// eventually waits until a condition holds in the background.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for range 1000 {
		if holds() {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatalf("never: %s", what)
}

// overHTTP serves the fake server over HTTP.
func overHTTP(t *testing.T) (Server, *httptest.Server) {
	t.Helper()
	fake := fakeServer()
	server := httptest.NewServer(sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return fake }, nil))
	t.Cleanup(server.Close)
	t.Cleanup(server.CloseClientConnections)
	return Server{Name: "fake", URL: server.URL}, server
}

// Both transports behave the same.
func TestTransports(t *testing.T) {
	t.Parallel()
	for _, transport := range []string{"stdio", "http"} {
		t.Run(transport, func(t *testing.T) {
			t.Parallel()
			config := fakeCommand(t, "tools")
			if transport == "http" {
				config, _ = overHTTP(t)
			}
			pool := open(t, config)
			if state := pool.States()[0]; state.Status != StatusReady || state.Error != "" || len(state.Problems) != 0 {
				t.Fatalf("%+v", state)
			}
			t.Run("names", func(t *testing.T) { checkNames(t, pool) })
			t.Run("arguments", func(t *testing.T) { checkAccess(t, pool) })
			t.Run("contents", func(t *testing.T) { checkContents(t, pool) })
			t.Run("bounds", func(t *testing.T) { checkBounds(t, pool) })
			t.Run("errors", func(t *testing.T) { checkErrors(t, pool) })
			t.Run("cancel", func(t *testing.T) { checkCancel(t, pool) })
			t.Run("turn", func(t *testing.T) { checkTurn(t, pool) })
		})
	}
}

func checkNames(t *testing.T, pool *Pool) {
	seen := map[string]bool{}
	for _, tool := range pool.Tools() {
		name := tool.Spec().Name
		if len(name) > 64 || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789_-") != "" || seen[name] {
			t.Errorf("name %q", name)
		}
		seen[name] = true
		if !strings.Contains(string(tool.Spec().Parameters), `"type":"object"`) {
			t.Errorf("%s has parameters %s", name, tool.Spec().Parameters)
		}
	}
	if !seen["fake__echo"] {
		t.Errorf("fake__echo is not among %v", seen)
	}
}

func checkAccess(t *testing.T, pool *Pool) {
	echo := find(t, pool, "echo")
	access, err := echo.Access(t.Context(), json.RawMessage(`{"text":"hello"}`))
	if err != nil {
		t.Fatal(err)
	}
	if access.Effect != core.EffectExecute || access.Safe || access.Idempotent || len(access.Targets) != 1 || len(access.Prefixes) != 1 ||
		!strings.HasPrefix(access.Targets[0], "fake/echo@") || len(access.Targets[0]) != len("fake/echo@")+16 {
		t.Errorf("%+v", access)
	}
	if access.Title != "fake/echo (declared read-only)" || !strings.Contains(access.Preview, `"hello"`) {
		t.Errorf("%q, %q", access.Title, access.Preview)
	}
	for _, bad := range []string{`{}`, `{"text":1}`, `{"text":"a","more":1}`, `[]`, `{`, `null`} {
		_, err := echo.Access(t.Context(), json.RawMessage(bad))
		if core.CodeOf(err) != core.Invalid || strings.Contains(err.Error(), schemaURL) {
			t.Errorf("%s: %v", bad, err)
		}
	}
	// A schema that cannot be checked here is left for the server to check; no schema makes us read a file.
	for _, tool := range []string{"lookahead", "spy"} {
		if _, err := find(t, pool, tool).Access(t.Context(), json.RawMessage(`{"a":"x"}`)); err != nil {
			t.Errorf("%s: %v", tool, err)
		}
	}
}

func checkContents(t *testing.T, pool *Pool) {
	got := run(t, pool, "contents", `{}`)
	want := []core.Part{
		{Type: core.PartText, Text: "before"},
		{Type: core.PartMedia, Media: &core.Media{MimeType: "image/png", Data: []byte("pixels"), SizeBytes: 6}},
		{Type: core.PartText, Text: "after"},
		{Type: core.PartMedia, Media: &core.Media{MimeType: "audio/wav", Data: []byte("waves"), SizeBytes: 5}},
		{Type: core.PartText, Text: "[resource memo://1]\na memo\n[resource memo://2, 3 bytes of application/zip, not shown]\n" +
			"[resource file:///etc/passwd, passwd, text/plain]"},
	}
	gotJSON, _ := json.Marshal(got.Parts)
	wantJSON, _ := json.Marshal(want)
	if string(gotJSON) != string(wantJSON) || string(got.Parts[1].Media.Data) != "pixels" || got.IsError {
		t.Errorf("%s, want %s", gotJSON, wantJSON)
	}
	got = run(t, pool, "structured", `{}`)
	if string(got.Structured) != `{"degrees":21,"sky":"clear"}` || textOf(got) != string(got.Structured) {
		t.Errorf("structured: %+v", got)
	}
	got = run(t, pool, "echo", `{"text":""}`)
	if len(got.Parts) != 1 || got.IsError {
		t.Errorf("empty: %+v", got)
	}
}

func checkBounds(t *testing.T, pool *Pool) {
	got := run(t, pool, "lines", `{"count":50000}`)
	part := got.Parts[0]
	if len(part.Text) > excerpt.MaxBytes+200 || part.Truncated == nil || !part.Truncated.Shown || part.Truncated.LineCount != 50000 {
		t.Fatalf("%d bytes, %+v", len(part.Text), part.Truncated)
	}
	if !strings.HasPrefix(part.Text, "line 0\nline 1\n") || !strings.HasSuffix(part.Text, "line 49998\nline 49999\n") {
		t.Errorf("%.40q … %q", part.Text, part.Text[len(part.Text)-40:])
	}
	if len(got.Blobs) != 1 || got.Blobs[0].Hash != part.Truncated.Blob || int64(len(got.Blobs[0].Data)) != part.Truncated.SizeBytes ||
		core.Hash(got.Blobs[0].Data) != part.Truncated.Blob {
		t.Errorf("the whole is not in the blob")
	}
}

func checkErrors(t *testing.T, pool *Pool) {
	if got := run(t, pool, "fail", `{}`); !got.IsError || textOf(got) != "no such city" {
		t.Errorf("%+v", got)
	}
	echo := find(t, pool, "echo")
	gone := *echo
	gone.definition.tool = "gone"
	if got := gone.Run(t.Context(), core.ToolCall{}); !got.IsError || !strings.Contains(textOf(got), "has no tool gone") {
		t.Errorf("%+v", got)
	}
}

func checkCancel(t *testing.T, pool *Pool) {
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	got := find(t, pool, "wait").Run(ctx, core.ToolCall{})
	if !got.IsError || !strings.Contains(textOf(got), "was stopped") {
		t.Errorf("%+v", got)
	}
	if got := run(t, pool, "echo", `{"text":"still here"}`); textOf(got) != "still here" {
		t.Errorf("after it: %+v", got)
	}
}

// checkTurn lets a tool change its definition after it was permitted.
func checkTurn(t *testing.T, pool *Pool) {
	before := find(t, pool, "shifty")
	permitted, _ := before.Access(t.Context(), nil)
	if got := run(t, pool, "turn", `{}`); textOf(got) != "turned" {
		t.Fatalf("%+v", got)
	}
	eventually(t, "the new definition is known", func() bool {
		return strings.Contains(find(t, pool, "shifty").Spec().Description, ".env")
	})
	if got := before.Run(t.Context(), core.ToolCall{}); !got.IsError || !strings.Contains(textOf(got), "has changed its tool shifty") {
		t.Errorf("the old one ran: %+v", got)
	}
	asked, _ := find(t, pool, "shifty").Access(t.Context(), nil)
	if slices.Equal(asked.Targets, permitted.Targets) {
		t.Errorf("the permission of %v still holds", permitted.Targets)
	}
}

func TestTimeout(t *testing.T) {
	t.Parallel()
	config := fakeCommand(t, "tools")
	config.Timeout = 50 * time.Millisecond
	pool := open(t, config)
	if got := run(t, pool, "wait", `{}`); !got.IsError || !strings.Contains(textOf(got), "fake/wait did not answer within 50ms") {
		t.Errorf("%+v", got)
	}
	if got := run(t, pool, "echo", `{"text":"next"}`); textOf(got) != "next" {
		t.Errorf("after it: %+v", got)
	}
}

// A server that dies during a call is reported and restarted, and its tools work again.
func TestDeath(t *testing.T) {
	t.Parallel()
	pool := open(t, fakeCommand(t, "tools"))
	got := run(t, pool, "die", `{}`)
	if said := textOf(got); !got.IsError || !strings.Contains(said, "fake/die ended before it answered") ||
		!strings.Contains(said, "exit status 3") || !strings.Contains(said, "out of memory") {
		t.Errorf("%+v", got)
	}
	eventually(t, "it is back", func() bool {
		return textOf(run(t, pool, "echo", `{"text":"back"}`)) == "back"
	})
}

// A server that always dies is finally left alone; calling its tools returns an error.
func TestGiveUp(t *testing.T) {
	t.Parallel()
	pool := open(t, fakeCommand(t, "broken"))
	eventually(t, "it has failed", func() bool { return pool.States()[0].Status != StatusStarting })
	if said := pool.States()[0].Error; !strings.Contains(said, "exit status 7") || !strings.Contains(said, "cannot find my settings") {
		t.Errorf("%q", said)
	}
	pool = open(t, fakeCommand(t, "tools"))
	echo := find(t, pool, "echo")
	for range maxRestarts + 1 {
		eventually(t, "it runs", func() bool { return pool.States()[0].Status != StatusRestarting })
		if pool.States()[0].Status == StatusReady {
			find(t, pool, "die").Run(t.Context(), core.ToolCall{})
		}
		eventually(t, "it is down", func() bool { return pool.States()[0].Status != StatusReady })
	}
	eventually(t, "it is left alone", func() bool { return pool.States()[0].Status == StatusFailed })
	if got := echo.Run(t.Context(), core.ToolCall{Arguments: json.RawMessage(`{"text":"a"}`)}); !got.IsError || !strings.Contains(textOf(got), "is not running") {
		t.Errorf("%+v", got)
	}
}

func TestOneFailsAlone(t *testing.T) {
	t.Parallel()
	good, silent := fakeCommand(t, "tools"), fakeCommand(t, "silent")
	silent.Name = "silent"
	missing := Server{Name: "missing", Command: "no-such-program-of-this-name"}
	refused := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }))
	t.Cleanup(refused.Close)
	pool, err := Open(t.Context(), []Server{missing, silent, good, {Name: "refused", URL: refused.URL}}, Options{ConnectTimeout: 2 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	states := pool.States()
	if states[0].Status != StatusFailed || !strings.Contains(states[0].Error, "executable file not found") {
		t.Errorf("missing: %+v", states[0])
	}
	if states[1].Status != StatusRestarting || !strings.Contains(states[1].Error, "connect to the MCP server silent") {
		t.Errorf("silent: %+v", states[1])
	}
	if states[2].Status != StatusReady {
		t.Errorf("good: %+v", states[2])
	}
	if states[3].Status != StatusFailed || !strings.Contains(states[3].Error, "Unauthorized") {
		t.Errorf("refused: %+v", states[3])
	}
}

func TestOpenChecks(t *testing.T) {
	t.Parallel()
	for name, servers := range map[string][]Server{
		"no way":       {{Name: "a"}},
		"two ways":     {{Name: "a", Command: "a", URL: "http://a"}},
		"no address":   {{Name: "a", URL: "file:///etc/passwd"}},
		"no name":      {{Command: "a"}},
		"two readings": {{Name: "a__b", Command: "a"}},
		"same name":    {{Name: "a", Command: "a"}, {Name: "a", Command: "b"}},
	} {
		if _, err := Open(t.Context(), servers, Options{}); core.CodeOf(err) != core.Invalid {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestEnvironment(t *testing.T) {
	t.Parallel()
	config := fakeCommand(t, "tools")
	config.Env["MY_TOKEN"] = "given"
	pool, err := Open(t.Context(), []Server{config}, Options{Environ: []string{"PATH=/bin", "OPENAI_API_KEY=secret", "LC_ALL=C", "MY_TOKEN=ours", "HTTPS_PROXY=http://me:pw@proxy"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	got := strings.Split(textOf(run(t, pool, "environment", `{}`)), "\n")
	slices.Sort(got)
	if want := []string{asServer + "=tools", "LC_ALL=C", "MY_TOKEN=given", "PATH=/bin"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestHeadersStayAtHome(t *testing.T) {
	t.Parallel()
	var leaked atomic.Bool
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		leaked.Store(leaked.Load() || r.Header.Get("Authorization") != "")
		w.WriteHeader(http.StatusNotFound)
	}))
	t.Cleanup(other.Close)
	var greeted atomic.Bool
	home := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		greeted.Store(greeted.Load() || r.Header.Get("Authorization") == "Bearer key")
		http.Redirect(w, r, other.URL, http.StatusTemporaryRedirect)
	}))
	t.Cleanup(home.Close)
	open(t, Server{Name: "a", URL: home.URL, Headers: map[string]string{"Authorization": "Bearer key"}})
	if !greeted.Load() || leaked.Load() {
		t.Errorf("the server got the key: %v, the other one: %v", greeted.Load(), leaked.Load())
	}
}

// A server over HTTP that restarts has forgotten the session; a new session is started.
func TestHTTPRestart(t *testing.T) {
	t.Parallel()
	var current atomic.Pointer[sdk.StreamableHTTPHandler]
	begin := func() {
		fake := fakeServer()
		current.Store(sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return fake }, nil))
	}
	begin()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { current.Load().ServeHTTP(w, r) }))
	t.Cleanup(server.Close)
	t.Cleanup(server.CloseClientConnections)
	pool := open(t, Server{Name: "fake", URL: server.URL})
	begin()
	server.CloseClientConnections()
	eventually(t, "it answers again", func() bool { return textOf(run(t, pool, "echo", `{"text":"back"}`)) == "back" })
}
