package app

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"coppice/app/cli"
	"coppice/app/internal/exit"
	"coppice/app/term"
	"coppice/app/window"
)

// TestUnknownCostIsNoZero runs a model without a known price.
func TestUnknownCostIsNoZero(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, data := range []string{
			`{"id":"x","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":"Hello."}}]}`,
			`{"id":"x","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`,
			`{"id":"x","object":"chat.completion.chunk","model":"m","choices":[],"usage":{"prompt_tokens":1200,"completion_tokens":34,"total_tokens":1234}}`,
			`[DONE]`,
		} {
			fmt.Fprintf(w, "data: %s\n\n", data)
		}
	}))
	defer server.Close()
	library := filepath.Join(t.TempDir(), "coppice.db")
	work := func(args ...string) (out, screen string, code int) {
		var stdout, stderr bytes.Buffer
		console := term.Terminal{In: strings.NewReader(""), Out: &stdout, Err: &stderr, Now: time.Now}
		code = cli.Run(t.Context(), console, window.Open, append([]string{"--db", library}, args...))
		return stdout.String(), stderr.String(), code
	}
	out, screen, code := work("run", "hello", "--model", "openai-chat/nobody-prices-this", "--base-url", server.URL+"/v1", "--workspace", t.TempDir(), "--json")
	var o term.RunOutcome
	if err := json.Unmarshal([]byte(out), &o); err != nil || code != exit.OK {
		t.Fatalf("%d %v: %s %s", code, err, out, screen)
	}
	if o.CostNanoUSD != nil || o.InputTokens != 1200 || o.OutputTokens != 34 || o.Answer != "Hello." || !strings.Contains(out, `"costNanoUsd":null`) {
		t.Errorf("the outcome is %s", out)
	}
	if !strings.Contains(screen, "1,234 tok · cost unknown · ") || strings.Contains(screen, "$0") {
		t.Errorf("the screen says %s", screen)
	}
	_, screen, code = work("resume", o.SessionID, "go on", "--budget", "1.00", "--base-url", server.URL+"/v1")
	if code != exit.OK || !strings.Contains(screen, "cost unknown") {
		t.Errorf("%d: %s", code, screen)
	}
}
