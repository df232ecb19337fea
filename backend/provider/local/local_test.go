package local_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"coppice/backend/core"
	"coppice/backend/provider/endpoint"
	"coppice/backend/provider/local"
)

// serve answers each path with its text, and all others with 404.
func serve(t *testing.T, answers map[string]string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, ok := answers[r.Method+" "+r.URL.Path]
		if r.Method == http.MethodPost {
			body, _ := io.ReadAll(r.Body)
			var asked struct{ Model string }
			json.Unmarshal(body, &asked)
			text, ok = answers["POST "+r.URL.Path+" "+asked.Model]
		}
		if !ok {
			http.NotFound(w, r)
			return
		}
		io.WriteString(w, text)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// find allows for a busy machine.
func find(t *testing.T, places ...local.Endpoint) []local.Server {
	t.Helper()
	f := &local.Finder{Endpoints: places, AnswerTimeout: 20 * time.Second, DetailTimeout: 20 * time.Second}
	return f.Find(t.Context())
}

func one(t *testing.T, provider string, answers map[string]string) *local.Server {
	t.Helper()
	servers := find(t, local.Endpoint{Provider: provider, URL: serve(t, answers)})
	if len(servers) == 0 {
		return nil
	}
	return &servers[0]
}

func list(models ...string) string {
	return `{"object":"list","data":[` + strings.Join(models, ",") + `]}`
}

func TestOllama(t *testing.T) {
	s := one(t, "ollama", map[string]string{
		"GET /api/version": `{"version":"0.14.0"}`,
		"GET /api/tags":    `{"models":[{"name":"new:latest"},{"name":"embed:latest"},{"name":"llama3.2:3b"},{"name":"gone:1b"},{"name":"gpt-oss:120b-cloud"}]}`,
		"GET /api/ps":      `{"models":[{"name":"llama3.2:3b"}]}`,
		"POST /api/show new:latest": `{"parameters":"stop \"<|x|>\"\nnum_ctx                        65536","capabilities":["completion","thinking"],
			"model_info":{"general.architecture":"qwen3","qwen3.context_length":40960}}`,
		"POST /api/show embed:latest": `{"capabilities":["embedding"],"model_info":{}}`,
		"POST /api/show llama3.2:3b": `{"capabilities":["completion","tools","vision"],
			"model_info":{"general.architecture":"llama","llama.context_length":131072,"tokenizer.ggml.tokens":null}}`,
	})
	if s == nil || s.Protocol != endpoint.OllamaChat || !strings.HasPrefix(s.BaseURL, "http://127.0.0.1:") || s.Err != nil || len(s.Models) != 4 {
		t.Fatalf("got %+v", s)
	}
	want := []core.ModelInfo{
		{ID: "llama3.2:3b", ContextTokens: 32768, Tools: true, Images: true},
		{ID: "new:latest", ContextTokens: 65536, Reasoning: true},
		{ID: "gone:1b"},
	}
	if m := s.Models[3]; m.Local || m.InputNanoUSD != nil {
		t.Errorf("a model that runs elsewhere is local: %+v", m)
	}
	for i, m := range s.Models[:3] {
		if m.Provider != "ollama" || !m.Local || *m.InputNanoUSD != 0 || *m.OutputNanoUSD != 0 {
			t.Errorf("got %+v", m)
		}
		m.Provider, m.Name, m.Local, m.InputNanoUSD, m.OutputNanoUSD = "", "", false, nil, nil
		if m != want[i] {
			t.Errorf("got %+v, want %+v", m, want[i])
		}
	}
}

func TestLMStudio(t *testing.T) {
	s := one(t, "lmstudio", map[string]string{"GET /api/v0/models": `{"data":[
		{"id":"a","type":"llm","state":"not-loaded","max_context_length":8192},
		{"id":"e","type":"embeddings","state":"loaded"},
		{"id":"b","type":"vlm","state":"loaded","max_context_length":131072,"loaded_context_length":4096,"capabilities":["tool_use"]}]}`})
	if s == nil || len(s.Models) != 2 || !strings.HasSuffix(s.BaseURL, "/v1") || s.Protocol != endpoint.OpenAIChat {
		t.Fatalf("got %+v", s)
	}
	if b := s.Models[0]; b.ID != "b" || b.ContextTokens != 4096 || !b.Images || !b.Tools {
		t.Errorf("got %+v", b)
	}
	if a := s.Models[1]; a.ID != "a" || a.ContextTokens != 8192 || a.Images || a.Tools {
		t.Errorf("got %+v", a)
	}
	if s := one(t, "lmstudio", map[string]string{"GET /v1/models": list(`{"id":"old"}`)}); s == nil || s.Models[0].ID != "old" {
		t.Errorf("without its own interface: %+v", s)
	}
}

// Both use port 8080: each must be found as itself only.
func TestLlamaCPPIsDistinguishedFromLocalAI(t *testing.T) {
	llama := serve(t, map[string]string{
		"GET /props":     `{"default_generation_settings":{"n_ctx":4096},"modalities":{"vision":true}}`,
		"GET /v1/models": list(`{"id":"model.gguf","owned_by":"llamacpp"}`),
	})
	ai := serve(t, map[string]string{"GET /v1/models": list(`{"id":"gpt-4"}`, `{"id":""}`)})
	web := serve(t, map[string]string{"GET /props": `{}`, "GET /v1/models": `{"hello":"world"}`})
	page := serve(t, map[string]string{"GET /props": `<html>`, "GET /v1/models": `<html>`})
	for address, want := range map[string]string{llama: "llamacpp", ai: "localai", web: "", page: ""} {
		servers := find(t, local.Endpoint{Provider: "llamacpp", URL: address}, local.Endpoint{Provider: "localai", URL: address})
		got := ""
		for _, s := range servers {
			got += s.Provider
		}
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		if want == "llamacpp" && (servers[0].Models[0].ContextTokens != 4096 || !servers[0].Models[0].Images) {
			t.Errorf("got %+v", servers[0])
		}
	}
}

func TestOthers(t *testing.T) {
	cases := map[string]struct {
		answers map[string]string
		context int64
	}{
		"vllm":      {map[string]string{"GET /v1/models": list(`{"id":"m","owned_by":"vllm","max_model_len":32768}`)}, 32768},
		"jan":       {map[string]string{"GET /v1/models": list(`{"id":"m"}`)}, 0},
		"koboldcpp": {map[string]string{"GET /api/extra/version": `{"result":"KoboldCpp","version":"1.99"}`, "GET /v1/models": list(`{"id":"m"}`), "GET /api/extra/true_max_context_length": `{"value":8192}`}, 8192},
	}
	for provider, c := range cases {
		s := one(t, provider, c.answers)
		if s == nil || len(s.Models) != 1 || s.Models[0].ID != "m" || s.Models[0].ContextTokens != c.context {
			t.Errorf("%s: got %+v", provider, s)
		}
	}
	if s := one(t, "koboldcpp", map[string]string{"GET /v1/models": list(`{"id":"m"}`)}); s != nil {
		t.Errorf("any server is KoboldCpp: %+v", s)
	}
	if s := one(t, "nobody", map[string]string{"GET /v1/models": list(`{"id":"m"}`)}); s != nil {
		t.Errorf("got %+v", s)
	}
}

func TestServerThatAsksForAKey(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer k" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		io.WriteString(w, list(`{"id":"m"}`))
	}))
	defer server.Close()
	without := find(t, local.Endpoint{Provider: "jan", URL: server.URL})
	if len(without) != 1 || core.CodeOf(without[0].Err) != core.Auth || core.HintOf(without[0].Err) == "" {
		t.Errorf("got %+v", without)
	}
	with := find(t, local.Endpoint{Provider: "jan", URL: server.URL, Key: "k"})
	if len(with) != 1 || with[0].Err != nil || len(with[0].Models) != 1 {
		t.Errorf("got %+v", with)
	}
}

// Only this machine is called, whatever an endpoint, a name or a redirect contains.
func TestOnlyThisMachineIsAsked(t *testing.T) {
	var asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		http.Redirect(w, r, "http://192.0.2.1/v1/models", http.StatusFound)
	}))
	defer server.Close()
	places := []local.Endpoint{
		{Provider: "vllm", URL: server.URL},
		{Provider: "vllm", URL: "http://192.0.2.1:8000"},
		{Provider: "vllm", URL: "http://example.com:8000"},
		{Provider: "vllm", URL: "http://127.0.0.1.example.com"},
		{Provider: "vllm", URL: "://"},
	}
	if servers := find(t, places...); len(servers) != 0 {
		t.Errorf("got %+v", servers)
	}
	if asked.Load() != 1 {
		t.Errorf("asked %d times", asked.Load())
	}
}

func TestSilentServersAreLeft(t *testing.T) {
	gone := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-gone }))
	defer server.Close()
	defer close(gone)
	there := serve(t, map[string]string{"GET /v1/models": list(`{"id":"m"}`)})
	f := &local.Finder{AnswerTimeout: time.Millisecond, Endpoints: []local.Endpoint{{Provider: "vllm", URL: server.URL}}}
	if servers := f.Find(t.Context()); len(servers) != 0 {
		t.Errorf("got %+v", servers)
	}
	if servers := find(t, local.Endpoint{Provider: "vllm", URL: there}); len(servers) != 1 {
		t.Errorf("got %+v", servers)
	}
}

func TestOllamaHost(t *testing.T) {
	cases := map[string]string{
		"":                             "http://127.0.0.1:11434",
		" ":                            "http://127.0.0.1:11434",
		"0.0.0.0":                      "http://127.0.0.1:11434",
		"0.0.0.0:1234":                 "http://127.0.0.1:1234",
		":1234":                        "http://127.0.0.1:1234",
		"[::]:1234":                    "http://127.0.0.1:1234",
		"[::1]":                        "http://[::1]:11434",
		"localhost":                    "http://localhost:11434",
		"10.0.0.5:99":                  "http://10.0.0.5:99",
		"http://box":                   "http://box:80",
		"https://box.example/ollama/":  "https://box.example:443/ollama",
		`"http://127.0.0.1:11434"`:     "http://127.0.0.1:11434",
		"https://box.example:8443/a/b": "https://box.example:8443/a/b",
	}
	for host, want := range cases {
		places := local.Usual(func(name string) string {
			if name == "OLLAMA_HOST" {
				return host
			}
			return ""
		})
		if places[0].Provider != "ollama" || places[0].URL != want {
			t.Errorf("%q: got %s, want %s", host, places[0].URL, want)
		}
	}
}

func TestLoopback(t *testing.T) {
	for address, want := range map[string]bool{
		"http://127.0.0.1:1": true, "http://localhost/v1": true, "http://[::1]:8080": true, "http://127.8.9.10": true,
		"http://0.0.0.0": false, "http://localhost.example.com": false, "https://api.openai.com/v1": false, "": false, "127.0.0.1:80": false,
	} {
		if got := local.IsLoopback(address); got != want {
			t.Errorf("%s: got %v", address, got)
		}
	}
}
