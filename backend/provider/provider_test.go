package provider_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/zalando/go-keyring"

	"coppice/backend/core"
	"coppice/backend/provider"
	"coppice/backend/provider/endpoint"
	"coppice/backend/provider/local"
	"coppice/backend/provider/openai"
	"coppice/backend/provider/price"
)

// The keyring is empty in all tests, because a pending read may continue while the next test runs.
func TestMain(m *testing.M) {
	keyring.MockInit()
	os.Exit(m.Run())
}

// elsewhere refuses every call to another machine.
type elsewhere struct{ t *testing.T }

func (e elsewhere) RoundTrip(r *http.Request) (*http.Response, error) {
	if !local.IsLoopback(r.URL.String()) {
		return nil, errors.New("no network: " + r.URL.Host)
	}
	return http.DefaultTransport.RoundTrip(r)
}

// open returns a registry with these environment variables and no servers on this machine, unless o sets others.
func open(t *testing.T, variables map[string]string, o provider.Options) *provider.Registry {
	t.Helper()
	o.Getenv = func(name string) string { return variables[name] }
	o.Client = &http.Client{Transport: elsewhere{t}}
	if o.Endpoints == nil {
		o.Endpoints = []local.Endpoint{{Provider: "ollama", URL: "http://127.0.0.1:1"}, {Provider: "lmstudio", URL: "http://127.0.0.1:1"}}
	}
	o.AnswerTimeout, o.CatalogTimeout = 20*time.Second, 20*time.Second
	r, err := provider.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// chatServer implements enough of OpenAI's protocol to show in its answer what it was asked.
func chatServer(t *testing.T, asked *[]string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		*asked = append(*asked, r.Method+" "+r.URL.Path+" "+strings.TrimSpace(r.Header.Get("Authorization")+" "+r.Header.Get("X-Team")))
		switch {
		case strings.HasSuffix(r.URL.Path, "/v0/models"):
			http.NotFound(w, r)
		case strings.HasSuffix(r.URL.Path, "/models"):
			w.Header().Set("Content-Type", "application/json")
			io.WriteString(w, `{"object":"list","data":[{"id":"gpt-5","object":"model"},{"id":"mine","object":"model"}]}`)
		case strings.HasSuffix(r.URL.Path, "/chat/completions"):
			w.Header().Set("Content-Type", "text/event-stream")
			io.WriteString(w, `data: {"id":"1","choices":[{"index":0,"delta":{"role":"assistant","content":"hello"}}]}`+"\n\n"+
				`data: {"id":"1","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`+"\n\n"+
				`data: {"id":"1","choices":[],"usage":{"prompt_tokens":10,"completion_tokens":2,"total_tokens":12}}`+"\n\ndata: [DONE]\n\n")
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func say(t *testing.T, m provider.Model, model, text string) (*core.Message, error) {
	t.Helper()
	prompt := core.Message{Role: core.RoleUser, Kind: core.KindMessage, Parts: []core.Part{{Type: core.PartText, Text: text}}}
	var last *core.Message
	var failure error
	for event, err := range m.Stream(t.Context(), core.Request{Model: model, Messages: []core.Message{prompt}}) {
		last, failure = event.Message, err
	}
	if last == nil {
		t.Fatal("no last event")
	}
	return last, failure
}

func TestOpenReportsErrors(t *testing.T) {
	r := open(t, nil, provider.Options{})
	cases := []struct {
		ref, url      string
		code          core.Code
		message, hint string
	}{
		{"gpt-5", "", core.Invalid, `invalid model "gpt-5": want PROVIDER/MODEL`, "openai/gpt-5.5"},
		{"openai/", "", core.Invalid, "", "openai/gpt-5.5"},
		{"", "", core.Invalid, "", "script/demo"},
		{"nobody/x", "", core.NotFound, `unknown provider "nobody"`, "anthropic, openai, openai-chat, google"},
		{"openai/gpt-5", "", core.Auth, "no API key for openai", "Set OPENAI_API_KEY"},
		{"openai-chat/gpt-5", "", core.Auth, "no API key for openai", "OPENAI_API_KEY"},
		{"google/gemini-2.5-pro", "", core.Auth, "no API key for google", "Set GEMINI_API_KEY or GOOGLE_API_KEY"},
		{"ollama/llama3.2", "", core.Unavailable, "ollama does not respond at http://127.0.0.1:1", "Start it"},
		{"lmstudio/x", "", core.Unavailable, "lmstudio does not respond at http://127.0.0.1:1/v1", "Start it"},
		{"openai/gpt-5", "localhost:8080", core.Invalid, `invalid base URL "localhost:8080" of openai: want an http or https address`, "http://127.0.0.1:8080/v1"},
		{"script/demo", "http://127.0.0.1", core.Invalid, "script has no base URL", ""},
		{"script/no/such.json", "", core.NotFound, `no script "no/such.json"`, "script/demo"},
		{"replay/x", "", core.Invalid, "no library", ""},
	}
	for _, c := range cases {
		m, _, err := r.Open(t.Context(), c.ref, c.url)
		if m != nil || core.CodeOf(err) != c.code || !strings.Contains(err.Error(), c.message) || !strings.Contains(core.HintOf(err), c.hint) {
			t.Errorf("%s: got %v (%s), hint %q", c.ref, err, core.CodeOf(err), core.HintOf(err))
		}
	}
}

func TestCustomProviders(t *testing.T) {
	var asked []string
	address := chatServer(t, &asked)
	r := open(t, map[string]string{"MY_KEY": "secret"}, provider.Options{Custom: []provider.Custom{
		{Name: "mine", BaseURL: address + "/v1/", KeyEnv: "MY_KEY", Headers: map[string]string{"X-Team": "red"}},
		{Name: "keyless", BaseURL: "https://models.example.com/v1", KeyEnv: "UNSET"},
		{Name: "second", Protocol: endpoint.AnthropicMessages},
	}})
	moved, _ := provider.New(provider.Options{Custom: []provider.Custom{{Name: "openai", BaseURL: address + "/v1"}}})
	if m, _, err := moved.Open(t.Context(), "openai/x", ""); err != nil {
		t.Error(err)
	} else if _, ok := m.(*openai.Chat); !ok {
		t.Errorf("a moved openai is %T", m)
	}
	chosen, _ := provider.New(provider.Options{Custom: []provider.Custom{{Name: "openai", BaseURL: address + "/v1", Protocol: endpoint.OpenAIResponses}}})
	if m, _, err := chosen.Open(t.Context(), "openai/x", address); err != nil {
		t.Error(err)
	} else if _, ok := m.(*openai.Responses); !ok {
		t.Errorf("an openai with its protocol chosen is %T", m)
	}
	m, info, err := r.Open(t.Context(), "mine/some/model", "")
	if err != nil {
		t.Fatal(err)
	}
	answer, err := say(t, m, "some/model", "hi")
	if err != nil || answer.Parts[0].Text != "hello" || answer.Origin.Provider != "mine" {
		t.Errorf("got %+v, %v", answer, err)
	}
	if want := []string{"POST /v1/chat/completions Bearer secret red"}; !slices.Equal(asked, want) {
		t.Errorf("asked %q, want %q", asked, want)
	}
	if info.Provider != "mine" || info.ID != "some/model" || *info.InputNanoUSD != 0 || !info.Local {
		t.Errorf("got %+v", info)
	}
	if _, _, err := r.Open(t.Context(), "keyless/x", ""); core.CodeOf(err) != core.Auth || !strings.Contains(core.HintOf(err), "UNSET") {
		t.Errorf("got %v, %s", err, core.HintOf(err))
	}
	if _, _, err := r.Open(t.Context(), "second/x", ""); core.CodeOf(err) != core.Auth || !strings.Contains(core.HintOf(err), "SECOND_API_KEY") {
		t.Errorf("got %v, %s", err, core.HintOf(err))
	}
}

func TestCustomProvidersThatAreNone(t *testing.T) {
	for _, c := range []provider.Custom{
		{Name: ""},
		{Name: "a/b", BaseURL: "http://x"},
		{Name: "mine"},
		{Name: "mine", BaseURL: "ftp://x"},
		{Name: "mine", BaseURL: "127.0.0.1:8080"},
		{Name: "script", BaseURL: "http://x"},
	} {
		if _, err := provider.New(provider.Options{Custom: []provider.Custom{c}}); core.CodeOf(err) != core.Invalid {
			t.Errorf("%+v: got %v", c, err)
		}
	}
}

func TestBaseURLGoesFirst(t *testing.T) {
	var asked []string
	address := chatServer(t, &asked)
	r := open(t, map[string]string{"OPENAI_API_KEY": "k"}, provider.Options{})
	for _, ref := range []string{"unknown/gpt-5", "openai/gpt-5", "openai-chat/gpt-5", "mistral/gpt-5", "lmstudio/gpt-5"} {
		m, _, err := r.Open(t.Context(), ref, address+"/v1")
		if err != nil {
			t.Errorf("%s: %v", ref, err)
			continue
		}
		if answer, err := say(t, m, "gpt-5", "hi"); err != nil || answer.Parts[0].Text != "hello" {
			t.Errorf("%s: got %+v, %v", ref, answer, err)
		}
	}
	want := []string{
		"POST /v1/chat/completions ", "POST /v1/chat/completions Bearer k", "POST /v1/chat/completions Bearer k",
		"POST /v1/chat/completions ", "POST /v1/chat/completions ",
	}
	if !slices.Equal(asked, want) {
		t.Errorf("asked %q", asked)
	}
	usage := core.Usage{InputTokens: 1000}
	for model, free := range map[string]bool{"llama3.2": true, "gpt-oss:120b-cloud": false} {
		if cost, known := r.Cost("ollama", model, usage, 0); cost != 0 || known != free {
			t.Errorf("%s: %d, %v", model, cost, known)
		}
	}
	for name, known := range map[string]bool{"unknown": true, "openai": true, "never-opened": false} {
		cost, ok := r.Cost(name, "gpt-5", usage, 0)
		if ok != known || (name == "openai") != (cost > 0) {
			t.Errorf("%s: %d, %v", name, cost, ok)
		}
	}
}

func TestOwnPricesReachTheModel(t *testing.T) {
	own, err := price.ParseOwn("p", []byte(`{"mine/m": {"input": 2, "output": 4}}`))
	if err != nil {
		t.Fatal(err)
	}
	r := open(t, nil, provider.Options{Prices: own, Custom: []provider.Custom{{Name: "mine", BaseURL: "https://models.example.com/v1"}}})
	_, info, err := r.Open(t.Context(), "mine/m", "")
	if err != nil || *info.InputNanoUSD != 2_000_000_000 || *info.OutputNanoUSD != 4_000_000_000 || info.Local {
		t.Errorf("got %+v, %v", info, err)
	}
	if _, info, err := r.Open(t.Context(), "mine/other", ""); err != nil || info.InputNanoUSD != nil {
		t.Errorf("got %+v, %v", info, err)
	}
}

// A script continues over the runs of a process, until its file changes.
func TestScriptsAreOpenedOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.json")
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(`{"name":"s","turns":[{"alternatives":[[{"text":"one"}],[{"text":"two"}]]}]}`)
	r := open(t, nil, provider.Options{})
	for _, want := range []string{"one", "two", "one"} {
		m, info, err := r.Open(t.Context(), "script/"+path, "")
		if err != nil {
			t.Fatal(err)
		}
		if answer, err := say(t, m, path, "hi"); err != nil || answer.Parts[0].Text != want || !info.Local {
			t.Errorf("got %+v, %v", answer, err)
		}
	}
	write(`{"name":"s","turns":[{"alternatives":[[{"text":"another script"}]]}]}`)
	m, _, err := r.Open(t.Context(), "script/"+path, "")
	if err != nil {
		t.Fatal(err)
	}
	if answer, err := say(t, m, path, "hi"); err != nil || answer.Parts[0].Text != "another script" {
		t.Errorf("got %+v, %v", answer, err)
	}
	if cost, known := r.Cost("script", path, core.Usage{InputTokens: 5}, 0); cost != 0 || !known {
		t.Errorf("%d, %v", cost, known)
	}
}

func TestReplay(t *testing.T) {
	text := func(s string) []core.Part { return []core.Part{{Type: core.PartText, Text: s}} }
	r := open(t, nil, provider.Options{Sessions: func(_ context.Context, session string) (iter.Seq2[core.Message, error], error) {
		if session != "abc" {
			return nil, core.E(core.NotFound, "no session %q", session)
		}
		return func(yield func(core.Message, error) bool) {
			_ = yield(core.Message{UID: "a", Role: core.RoleUser, Kind: core.KindMessage, Parts: text("hi")}, nil) &&
				yield(core.Message{UID: "b", ParentUID: "a", Role: core.RoleAssistant, Kind: core.KindMessage, Parts: text("hello again")}, nil)
		}, nil
	}})
	m, info, err := r.Open(t.Context(), "replay/abc", "")
	if err != nil || info.Provider != "replay" || info.ID != "abc" {
		t.Fatalf("got %+v, %v", info, err)
	}
	if answer, err := say(t, m, "abc", "hi"); err != nil || answer.Parts[0].Text != "hello again" {
		t.Errorf("got %+v, %v", answer, err)
	}
	if _, _, err := r.Open(t.Context(), "replay/xyz", ""); core.CodeOf(err) != core.NotFound {
		t.Errorf("got %v", err)
	}
}

func TestCatalog(t *testing.T) {
	var asked []string
	address := chatServer(t, &asked)
	lm := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/api/v0/models" {
			http.NotFound(w, r)
			return
		}
		io.WriteString(w, `{"data":[{"id":"qwen","type":"llm","state":"loaded","max_context_length":32768,"loaded_context_length":8192}]}`)
	}))
	defer lm.Close()
	r := open(t, map[string]string{"OPENAI_API_KEY": "k", "MISTRAL_API_KEY": "k"}, provider.Options{
		Custom:    []provider.Custom{{Name: "openai", BaseURL: address + "/v1"}},
		Endpoints: []local.Endpoint{{Provider: "ollama", URL: "http://127.0.0.1:1"}, {Provider: "lmstudio", URL: lm.URL}},
	})
	c, err := r.Models(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	status := map[string]provider.Status{}
	for _, s := range c.Providers {
		status[s.Provider] = s
	}
	if s := status["openai"]; s.Problem != "" || s.From != "OPENAI_API_KEY" || s.ModelCount != 2 {
		t.Errorf("got %+v", s)
	}
	if s := status["mistral"]; s.Code != core.Unavailable || s.Problem == "" {
		t.Errorf("got %+v", s)
	}
	if s := status["anthropic"]; s.Code != core.Auth || !strings.Contains(s.Hint, "ANTHROPIC_API_KEY") {
		t.Errorf("got %+v", s)
	}
	if s := status["ollama"]; s.Code != core.Unavailable || !strings.Contains(s.Problem, "http://127.0.0.1:1") {
		t.Errorf("got %+v", s)
	}
	if s := status["lmstudio"]; s.Problem != "" || s.ModelCount != 1 || s.From != lm.URL+"/v1" {
		t.Errorf("got %+v", s)
	}
	if s := status["script"]; s.Problem != "" || s.ModelCount != 1 {
		t.Errorf("got %+v", s)
	}
	models := map[string]core.ModelInfo{}
	for _, m := range c.Models {
		models[m.Provider+"/"+m.ID] = m
	}
	if m := models["openai/gpt-5"]; m.ContextTokens != 400_000 || m.InputNanoUSD == nil || *m.InputNanoUSD != 1_250_000_000 || m.Local {
		t.Errorf("got %+v", m)
	}
	if m := models["openai/mine"]; m.ID != "mine" || m.InputNanoUSD != nil || m.ContextTokens != 0 {
		t.Errorf("got %+v", m)
	}
	if m := models["lmstudio/qwen"]; m.ContextTokens != 8192 || !m.Local || *m.InputNanoUSD != 0 {
		t.Errorf("got %+v", m)
	}
	if _, ok := models["script/demo"]; !ok {
		t.Errorf("no demo in %v", models)
	}
	data, err := json.Marshal(c)
	if err != nil || strings.Contains(string(data), "null,\"providers\"") || !strings.Contains(string(data), `"modelCount":2`) {
		t.Errorf("%s, %v", data, err)
	}
	for _, ref := range []string{"openai/gpt-5", "lmstudio/qwen"} {
		if _, info, err := r.Open(t.Context(), ref, ""); err != nil || !reflect.DeepEqual(info, models[ref]) {
			t.Errorf("what the catalog told is forgotten: %+v, %v, want %+v", info, err, models[ref])
		}
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := r.Models(cancelled); core.CodeOf(err) != core.Canceled {
		t.Errorf("got %v", err)
	}
}

func TestDefault(t *testing.T) {
	ollama := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/api/version":
			io.WriteString(w, `{"version":"0.14.0"}`)
		case "/api/tags":
			io.WriteString(w, `{"models":[{"name":"a:1b"},{"name":"b:1b"}]}`)
		case "/api/ps":
			io.WriteString(w, `{"models":[{"name":"b:1b"}]}`)
		case "/api/show":
			io.WriteString(w, `{"capabilities":["completion","tools"],"model_info":{"general.architecture":"x","x.context_length":4096}}`)
		}
	}))
	defer ollama.Close()
	running := []local.Endpoint{{Provider: "ollama", URL: ollama.URL}}
	cases := []struct {
		name      string
		variables map[string]string
		options   provider.Options
		want      string
		code      core.Code
	}{
		{"chosen", map[string]string{"OPENAI_API_KEY": "k"}, provider.Options{Default: "mistral/x", Endpoints: running}, "mistral/x", ""},
		{"chosen wrongly", nil, provider.Options{Default: "x"}, "", core.Invalid},
		{"a key", map[string]string{"OPENAI_API_KEY": "k", "GROQ_API_KEY": "k"}, provider.Options{Endpoints: running}, "openai/gpt-5.5", ""},
		{"the second name of a key", map[string]string{"GOOGLE_API_KEY": "k"}, provider.Options{}, "google/gemini-3.5-flash", ""},
		{"a server", nil, provider.Options{Endpoints: running}, "ollama/b:1b", ""},
		{"a server not to be asked", nil, provider.Options{Endpoints: running, NoLocalServers: true}, "", core.NotFound},
		{"nothing", nil, provider.Options{}, "", core.NotFound},
	}
	for _, c := range cases {
		got, err := open(t, c.variables, c.options).Default(t.Context())
		if core.CodeOf(err) != c.code || (c.code == "" && got != c.want) {
			t.Errorf("%s: got %q, %v", c.name, got, err)
		}
		if _, remedy := core.HelpOf(err); c.code == core.NotFound && (remedy.Kind != core.AddModel || remedy.Args[0] != "script/demo") {
			t.Errorf("%s: remedy %v", c.name, remedy)
		}
	}
	_, info, err := open(t, nil, provider.Options{Endpoints: running}).Open(t.Context(), "ollama/a:1b", "")
	if err != nil || info.ContextTokens != 4096 || !info.Tools || !info.Local {
		t.Errorf("got %+v, %v", info, err)
	}
	if _, _, err := open(t, nil, provider.Options{Endpoints: running}).Open(t.Context(), "Ollama/unlisted", ""); err != nil {
		t.Errorf("a model that is not listed may still be loaded: %v", err)
	}
}

// The default models must be in the price table, with a price and a context length.
func TestUsualModelsAreKnown(t *testing.T) {
	for _, variable := range []string{
		"ANTHROPIC", "OPENAI", "GEMINI", "OPENROUTER", "MISTRAL", "DEEPSEEK", "XAI", "GROQ", "TOGETHER", "FIREWORKS",
	} {
		r := open(t, map[string]string{variable + "_API_KEY": "k"}, provider.Options{Now: func() time.Time { return time.UnixMilli(1_795_000_000_000) }})
		ref, err := r.Default(t.Context())
		if err != nil {
			t.Errorf("%s: %v", variable, err)
			continue
		}
		_, info, err := r.Open(t.Context(), ref, "")
		if err != nil || info.InputNanoUSD == nil || *info.InputNanoUSD == 0 {
			t.Errorf("%s: got %+v, %v", ref, info, err)
		}
	}
	if r := open(t, nil, provider.Options{}); !strings.Contains(r.PriceVersion(), "genai-prices") {
		t.Error(r.PriceVersion())
	}
}

func TestEveryProtocolIsSpoken(t *testing.T) {
	for _, p := range []endpoint.Protocol{
		endpoint.OpenAIChat, endpoint.OpenAIResponses, endpoint.AnthropicMessages, endpoint.GoogleGenAI, endpoint.OllamaChat,
	} {
		r := open(t, map[string]string{"MINE_API_KEY": "k"}, provider.Options{Custom: []provider.Custom{{Name: "mine", Protocol: p, BaseURL: "http://127.0.0.1:1"}}})
		if m, _, err := r.Open(t.Context(), "mine/x", ""); m == nil || err != nil {
			t.Errorf("%s: %v", p, err)
		}
	}
	r := open(t, nil, provider.Options{Custom: []provider.Custom{{Name: "mine", Protocol: "smoke", BaseURL: "http://127.0.0.1:1"}}})
	if _, _, err := r.Open(t.Context(), "mine/x", ""); core.CodeOf(err) != core.Invalid {
		t.Errorf("got %v", err)
	}
}
