package engine_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"coppice/backend/core"
	"coppice/backend/engine"
	"coppice/backend/provider/anthropic"
	anthropicfake "coppice/backend/provider/anthropic/fake"
	"coppice/backend/provider/endpoint"
	"coppice/backend/provider/google"
	googlefake "coppice/backend/provider/google/fake"
	"coppice/backend/provider/ollama"
	ollamafake "coppice/backend/provider/ollama/fake"
	"coppice/backend/provider/openai"
	openaifake "coppice/backend/provider/openai/fake"
	"coppice/backend/provider/providertest"
)

// protocol is a protocol to reach a model: a server with the answers of these tests, and a client for it.
type protocol struct {
	open  func(server string) engine.Model
	serve func() (handler http.Handler, billed func() (input, output int64))
}

// chapter returns how many of the answers a request has seen.
func chapter(body []byte) int {
	switch text := string(body); {
	case strings.Contains(text, "And then that."):
		return 2
	case strings.Contains(text, "First this."):
		return 1
	}
	return 0
}

func protocols() map[string]protocol {
	at := func(name string, protocol endpoint.Protocol, server string) endpoint.Endpoint {
		return endpoint.Endpoint{Provider: name, Protocol: protocol, BaseURL: server, Key: "key"}
	}
	openAI := func() (http.Handler, func() (int64, int64)) {
		call := func(id, name, argument string) openaifake.Call {
			return openaifake.Call{ID: id, Name: name, Arguments: `{"text":"` + argument + `"}`}
		}
		s := openaifake.New()
		s.Answer = func(r providertest.Request) openaifake.Answer {
			return []openaifake.Answer{
				{Reasoning: "hm", Text: "First this.", Calls: []openaifake.Call{call("c1", "read", "a"), call("c2", "write", "b"), call("c3", "run", "c")}},
				{Text: "And then that.", Calls: []openaifake.Call{call("c4", "write", "d")}},
				{Text: "the end"},
			}[chapter(r.Body)]
		}
		return s, func() (int64, int64) { u := s.Billed(); return u.InputTokens, u.OutputTokens }
	}
	return map[string]protocol{
		"openai.chat": {
			open:  func(server string) engine.Model { return openai.NewChat(at("other", endpoint.OpenAIChat, server)) },
			serve: openAI,
		},
		"openai.responses": {
			open: func(server string) engine.Model {
				return openai.NewResponses(at("openai", endpoint.OpenAIResponses, server))
			},
			serve: openAI,
		},
		"anthropic.messages": {
			open: func(server string) engine.Model {
				return anthropic.New(at("anthropic", endpoint.AnthropicMessages, server))
			},
			serve: func() (http.Handler, func() (int64, int64)) {
				call := func(id, name, argument string) anthropicfake.Block {
					return anthropicfake.Call(id, name, `{"text":"`+argument+`"}`)
				}
				s := anthropicfake.New()
				s.Answer = func(r providertest.Request) anthropicfake.Reply {
					return []anthropicfake.Reply{
						{Blocks: []anthropicfake.Block{anthropicfake.Thinking("hm", "signed"), anthropicfake.Text("First this."), call("c1", "read", "a"), call("c2", "write", "b"), call("c3", "run", "c")}},
						{Blocks: []anthropicfake.Block{anthropicfake.Text("And then that."), call("c4", "write", "d")}, Usage: anthropicfake.Usage{Input: 3, CacheRead: 20, CacheWrite: 4, Output: 9}},
						{Blocks: []anthropicfake.Block{anthropicfake.Text("the end")}},
					}[chapter(r.Body)]
				}
				return s, func() (int64, int64) {
					u := s.Billed()
					return u.Input + u.CacheRead + u.CacheWrite, u.Output
				}
			},
		},
		"google.genai": {
			open: func(server string) engine.Model { return google.New(at("google", endpoint.GoogleGenAI, server)) },
			serve: func() (http.Handler, func() (int64, int64)) {
				call := func(name, argument, signature string) googlefake.Part {
					return googlefake.Call("", name, `{"text":"`+argument+`"}`, signature)
				}
				s := googlefake.New()
				s.Answer = func(r providertest.Request) googlefake.Reply {
					return []googlefake.Reply{
						{Parts: []googlefake.Part{googlefake.Thought("hm"), googlefake.Text("First this."), call("read", "a", "c2lnbmVk"), call("write", "b", ""), call("run", "c", "")}},
						{Parts: []googlefake.Part{googlefake.Text("And then that."), call("write", "d", "c2lnbmVkIHRvbw==")}, Usage: googlefake.Usage{Prompt: 90, Cached: 60, Candidates: 7, Thoughts: 5}},
						{Parts: []googlefake.Part{googlefake.Text("the end")}},
					}[chapter(r.Body)]
				}
				return s, func() (int64, int64) { u := s.Billed(); return u.Prompt, u.Candidates + u.Thoughts }
			},
		},
		"ollama.chat": {
			open: func(server string) engine.Model { return ollama.New(at("ollama", endpoint.OllamaChat, server)) },
			serve: func() (http.Handler, func() (int64, int64)) {
				call := func(name, argument string) ollamafake.Call {
					return ollamafake.Call{Name: name, Arguments: `{"text":"` + argument + `"}`}
				}
				s := ollamafake.New()
				s.Models = []ollamafake.Model{{Name: "one", Context: 8192, Capabilities: []string{"completion", "tools"}}}
				s.Answer = func(r providertest.Request) ollamafake.Reply {
					return []ollamafake.Reply{
						{Text: "First this.", Calls: []ollamafake.Call{call("read", "a"), call("write", "b"), call("run", "c")}},
						{Text: "And then that.", Calls: []ollamafake.Call{call("write", "d")}},
						{Text: "the end"},
					}[chapter(r.Body)]
				}
				return s, func() (int64, int64) { u := s.Billed(); return u.Input, u.Output }
			},
		},
	}
}

// A run records the usage that the servers counted.
func TestTotalsAreTheServers(t *testing.T) {
	for name, p := range protocols() {
		t.Run(name, func(t *testing.T) {
			handler, billed := p.serve()
			server := httptest.NewServer(handler)
			defer server.Close()
			b := newBench(t)
			result := must(b.Run(t.Context(), b.task(p.open(server.URL), "tell it")))(t)
			input, output := billed()
			if result.Answer != "the end" || result.Run.InputTokens != input || result.Run.OutputTokens != output || input == 0 {
				t.Errorf("the run says %d in and %d out, the server %d and %d: %+v", result.Run.InputTokens, result.Run.OutputTokens, input, output, result)
			}
			s := must(b.db.Session(t.Context(), result.SessionID))(t)
			if s.InputTokens != input || s.OutputTokens != output || s.StepCount != 3 {
				t.Errorf("session %+v", s)
			}
			b.sound(t)
		})
	}
}

// One failing call makes five requests at most, whichever layer repeats them.
func TestFailingCallMakesFiveRequests(t *testing.T) {
	for name, p := range protocols() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var requests atomic.Int64
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				requests.Add(1)
				w.Header().Set("Retry-After-Ms", "1")
				w.WriteHeader(http.StatusServiceUnavailable)
			}))
			defer server.Close()
			b := newBench(t)
			result, err := b.Run(t.Context(), b.task(p.open(server.URL), "go"))
			if err == nil || result.Run.StopReason != core.StopError || requests.Load() != 5 {
				t.Errorf("%d requests, %+v, %v", requests.Load(), result.Run, err)
			}
		})
	}
}

// Killed at every commit of a run against each protocol, a session is resumed to its end.
func TestKilledAtEveryWriteOfEachProtocol(t *testing.T) {
	if testing.Short() {
		t.Skip("starts hundreds of processes")
	}
	for name, p := range protocols() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			handler, _ := p.serve()
			server := httptest.NewServer(handler)
			defer server.Close()
			died := 0
			for killedAt(t, died+1, name, server.URL) {
				died++
			}
			if died != 20 {
				t.Errorf("killed at %d writes", died)
			}
		})
	}
}
