package app

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"sync"
	"testing"
)

// piece is what a pacedModel sends next: a text, reasoning, a call of a tool, or, if it is empty, nothing before the test continues it.
type piece struct{ text, reasoning, tool, arguments string }

// pause stops an answer until the test continues it.
var pause = piece{}

// pacedModel is a server of a model whose answers stop where the test wants to look at the screen.
type pacedModel struct {
	*httptest.Server
	proceed chan struct{}

	mu      sync.Mutex
	answers [][]piece
	asked   []string // the requests
}

// newPacedModel returns a server that gives one answer for each request.
func newPacedModel(t *testing.T, answers ...[]piece) *pacedModel {
	t.Helper()
	m := &pacedModel{proceed: make(chan struct{}), answers: answers}
	m.Server = httptest.NewServer(m)
	t.Cleanup(m.Close)
	return m
}

// command returns a command of a home that uses the model.
func (m *pacedModel) command(h home, args ...string) *exec.Cmd {
	return h.command(append(args, "--model", "openai-chat/paced", "--base-url", m.URL+"/v1")...)
}

func (m *pacedModel) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet { // the list of models
		fmt.Fprint(w, `{"object":"list","data":[{"id":"paced","object":"model"},{"id":"llama3.2","object":"model"}]}`)
		return
	}
	var body json.RawMessage
	_ = json.NewDecoder(r.Body).Decode(&body) // a request that is no JSON is not answered well either
	m.mu.Lock()
	m.asked = append(m.asked, string(body))
	var answer []piece
	if len(m.answers) > 0 {
		answer, m.answers = m.answers[0], m.answers[1:]
	}
	m.mu.Unlock()
	w.Header().Set("Content-Type", "text/event-stream")
	finish := "stop"
	for i, p := range answer {
		delta := map[string]any{}
		switch {
		case p == pause:
			select {
			case <-m.proceed:
			case <-r.Context().Done():
				return
			}
			continue
		case p.tool != "":
			finish = "tool_calls"
			delta["tool_calls"] = []any{map[string]any{
				"index": i, "id": fmt.Sprintf("call_%d", i), "type": "function",
				"function": map[string]any{"name": p.tool, "arguments": p.arguments},
			}}
		case p.reasoning != "":
			delta["reasoning_content"] = p.reasoning
		default:
			delta["content"] = p.text
		}
		send(w, map[string]any{"index": 0, "delta": delta})
	}
	send(w, map[string]any{"index": 0, "delta": map[string]any{}, "finish_reason": finish})
	fmt.Fprintf(w, "data: %s\n\ndata: [DONE]\n\n", `{"id":"x","object":"chat.completion.chunk","model":"m","choices":[],"usage":{"prompt_tokens":1200,"completion_tokens":34,"total_tokens":1234}}`)
}

// send writes one choice of an answer.
func send(w http.ResponseWriter, choice map[string]any) {
	data, err := json.Marshal(map[string]any{"id": "x", "object": "chat.completion.chunk", "model": "m", "choices": []any{choice}})
	if err != nil {
		panic(err) // maps of texts can be written
	}
	fmt.Fprintf(w, "data: %s\n\n", data)
	if flusher, ok := w.(http.Flusher); ok {
		flusher.Flush()
	}
}
