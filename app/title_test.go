package app

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"coppice/app/cli"
	"coppice/app/internal/exit"
	"coppice/app/term"
	"coppice/app/window"
	"coppice/backend/core"
)

// TestTitlesByAModel lets a model on a server write titles: only after the user agreed, and never in place of the user's own.
func TestTitlesByAModel(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var asked []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		asked = append(asked, string(body))
		mu.Unlock()
		w.Header().Set("Content-Type", "text/event-stream")
		for _, data := range []string{
			`{"id":"x","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":"Title: \"Login page with a session cookie.\"\n"}}]}`,
			`{"id":"x","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`,
			`{"id":"x","object":"chat.completion.chunk","model":"m","choices":[],"usage":{"prompt_tokens":200,"completion_tokens":9,"total_tokens":209}}`,
			`[DONE]`,
		} {
			fmt.Fprintf(w, "data: %s\n\n", data)
		}
	}))
	defer server.Close()
	library := filepath.Join(t.TempDir(), "coppice.db")
	work := func(want int, args ...string) (out, screen string) {
		t.Helper()
		var stdout, stderr bytes.Buffer
		console := term.Terminal{In: strings.NewReader(""), Out: &stdout, Err: &stderr, Now: time.Now}
		if code := cli.Run(t.Context(), console, window.Open, append([]string{"--db", library}, args...)); code != want {
			t.Fatalf("%q: exit code %d, want %d: %s", args, code, want, stderr.String())
		}
		return stdout.String(), stderr.String()
	}
	title := func(more ...string) []string {
		return append([]string{"title", "--model", "openai-chat/m", "--base-url", server.URL + "/v1"}, more...)
	}
	login, build := filepath.Join("testdata", "fixtures", "login.jsonl"), filepath.Join("testdata", "fixtures", "build.jsonl")
	work(exit.OK, "import", login, build)
	work(exit.OK, "rename", "bbbb", "My", "own")

	_, screen := work(exit.Usage, title()...)
	if !strings.Contains(screen, "1 title with openai-chat/m: about ") || !strings.Contains(screen, "an unknown cost") || !strings.Contains(screen, "hint: add --yes") || len(asked) > 0 {
		t.Errorf("%d calls: %s", len(asked), screen)
	}
	out, screen := work(exit.OK, title("--yes")...)
	if out != "Login page with a session cookie\n" || !strings.Contains(screen, "wrote 1 title for an unknown cost") || len(asked) != 1 {
		t.Errorf("%d calls: %s %s", len(asked), out, screen)
	}
	if !strings.Contains(asked[0], "conversation>") || !strings.Contains(asked[0], "login page") {
		t.Errorf("the model was sent %s", asked[0])
	}
	work(exit.OK, "import", login)
	listed, _ := work(exit.OK, "sessions", "--json")
	var sessions []core.Session
	if err := json.Unmarshal([]byte(listed), &sessions); err != nil {
		t.Fatal(err)
	}
	for _, s := range sessions {
		want, origin := "Login page with a session cookie", core.TitleModel
		if s.Title == "My own" {
			want, origin = s.Title, core.TitleUser
		}
		if s.Title != want || s.TitleOrigin != origin {
			t.Errorf("%q of %q", s.Title, s.TitleOrigin)
		}
	}
	if _, screen = work(exit.OK, title("--yes")...); !strings.Contains(screen, "0 titles") || len(asked) != 1 {
		t.Errorf("again: %d calls: %s", len(asked), screen)
	}
	if _, screen = work(exit.OK, title("--yes", "bbbb")...); !strings.Contains(screen, "left out: 1 session with a title of your own") || len(asked) != 1 {
		t.Errorf("the user's own: %d calls: %s", len(asked), screen)
	}
	if out, _ = work(exit.OK, title("--yes", "--json", "aaaa")...); !strings.Contains(out, `"former":"Login page with a session cookie"`) || len(asked) != 2 {
		t.Errorf("named: %d calls: %s", len(asked), out)
	}
	work(exit.Usage, "title")
}
