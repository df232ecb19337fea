package app

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/adrg/xdg"

	"coppice/app/cli"
	"coppice/app/internal/apptest"
	"coppice/app/internal/exit"
	"coppice/app/term"
	"coppice/app/window"
	"coppice/backend/config"
)

// chatServer answers chat completions and counts them.
func chatServer(t *testing.T) (address string, calls *atomic.Int64) {
	t.Helper()
	calls = new(atomic.Int64)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		calls.Add(1)
		w.Header().Set("Content-Type", "text/event-stream")
		for _, data := range []string{
			`{"id":"x","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":"Hello."}}]}`,
			`{"id":"x","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`,
			`[DONE]`,
		} {
			fmt.Fprintf(w, "data: %s\n\n", data)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL + "/v1", calls
}

// commands returns a function that runs the command line on a library of its own, without a user at a terminal.
func commands(t *testing.T) func(args ...string) (out, screen string, code int) {
	t.Helper()
	library := filepath.Join(t.TempDir(), "coppice.db")
	return func(args ...string) (out, screen string, code int) {
		var stdout, stderr bytes.Buffer
		console := term.Terminal{In: strings.NewReader(""), Out: &stdout, Err: &stderr, Now: time.Now, Keys: term.NewKeyboard(strings.NewReader(""))}
		code = cli.Run(t.Context(), console, window.Open, append([]string{"--db", library}, args...))
		return stdout.String(), stderr.String(), code
	}
}

// A conversation with a private server stays with that server, whatever command continues it, until the user selects
// another one.
func TestResumeKeepsTheServer(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "sk-test")
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	xdg.Reload()
	t.Cleanup(xdg.Reload)
	private, called := chatServer(t)
	other, calledOther := chatServer(t)
	work := commands(t)
	workspace := t.TempDir()
	out, screen, code := work("run", "hello", "--model", "openai-chat/m", "--base-url", private, "--workspace", workspace, "--json")
	var o term.RunOutcome
	if err := json.Unmarshal([]byte(out), &o); err != nil || code != exit.OK {
		t.Fatalf("%d %v: %s %s", code, err, out, screen)
	}
	for i, args := range [][]string{
		{"resume", o.SessionID, "more"},
		{"run", "--session", o.SessionID, "more"},
		{"resume", o.SessionID, "more", "--model", "openai-chat/another"},
		{"run", "--session", o.SessionID, "more", "--model", "openai-chat/m", "--model", "openai-chat/another"},
	} {
		before := called.Load()
		if _, screen, code := work(args...); code != exit.OK || called.Load() <= before {
			t.Errorf("%d. %v: %d, %d calls: %s", i, args, code, called.Load()-before, screen)
		}
	}
	_, screen, code = work("resume", o.SessionID, "more", "--base-url", other)
	if code != exit.OK || calledOther.Load() != 1 || !strings.Contains(screen, "server "+other+" instead of "+private) {
		t.Errorf("another server by a flag: %d, %d calls: %s", code, calledOther.Load(), screen)
	}
	_, _, _ = work("resume", o.SessionID, "more", "--base-url", private)

	// An agent whose model is on another server does not select that server.
	agent := filepath.Join(os.Getenv("XDG_CONFIG_HOME"), "coppice", config.AgentsFolder, "elsewhere.yaml")
	check(t, os.MkdirAll(filepath.Dir(agent), 0o700))
	check(t, os.WriteFile(agent, []byte("prompt: Work.\nmodel: mine/m\n"), 0o600))
	check(t, os.WriteFile(config.Path(), []byte("providers: {mine: {base_url: '"+other+"'}}\n"), 0o600))
	_, screen, code = work("resume", o.SessionID, "more", "--agent", "elsewhere")
	if code != exit.Usage || calledOther.Load() != 1 || !strings.Contains(screen, "the conversation would be sent to "+other+", but its last run used "+private) ||
		!strings.Contains(screen, "hint: Add --model openai-chat/m to use the same server, or --model mine/m") {
		t.Errorf("another server by an agent: %d, %d calls: %s", code, calledOther.Load(), screen)
	}
	_, screen, code = work("resume", o.SessionID, "more", "--agent", "elsewhere", "--model", "mine/m")
	if code != exit.OK || calledOther.Load() != 2 {
		t.Errorf("it was named: %d, %d calls: %s", code, calledOther.Load(), screen)
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// sharedSession writes a file of a session that names a workspace.
func sharedSession(t *testing.T, workspace string) string {
	t.Helper()
	return apptest.SharedSession(t, "../backend/archive/testdata/session.v1.json", workspace)
}

// The workspace that an imported session names is confirmed before anything runs there.
func TestImportedWorkspaceIsASuggestion(t *testing.T) {
	t.Parallel()
	work := commands(t)
	elsewhere := t.TempDir()
	if _, screen, code := work("import", sharedSession(t, elsewhere)); code != exit.OK {
		t.Fatal(screen)
	}
	for _, args := range [][]string{
		{"resume", "greeting", "more", "--model", "script/demo", "--mode", "yolo"},
		{"run", "more", "--session", "greeting", "--model", "script/demo"},
		{"chat", "--resume", "greeting", "--model", "script/demo"},
	} {
		_, screen, code := work(args...)
		if code != exit.Usage || !strings.Contains(screen, "the session names the workspace "+elsewhere) || !strings.Contains(screen, "hint: Add --workspace "+elsewhere) {
			t.Errorf("%v: %d %s", args, code, screen)
		}
	}
	_, screen, code := work("resume", "greeting", "more", "--model", "script/demo", "--workspace", elsewhere)
	if code != exit.OK {
		t.Fatalf("%d %s", code, screen)
	}
	if _, screen, code = work("resume", "greeting", "and more", "--model", "script/demo"); code != exit.OK { // the user has agreed
		t.Errorf("%d %s", code, screen)
	}
}

// A session whose workspace no run accepts, such as the home folder, is imported like any other session.
func TestWideWorkspaceIsImported(t *testing.T) {
	t.Parallel()
	work := commands(t)
	for _, folder := range []string{xdg.Home, filepath.Dir(xdg.Home), "/", "/usr", "/etc"} {
		if _, screen, code := work("import", sharedSession(t, folder)); code != exit.OK {
			t.Fatal(screen)
		}
	}
}
