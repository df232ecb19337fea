package ollama_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"coppice/backend/core"
	"coppice/backend/provider/endpoint"
	"coppice/backend/provider/fault"
	"coppice/backend/provider/ollama"
	"coppice/backend/provider/ollama/fake"
	"coppice/backend/provider/providertest"
)

const model = "qwen3:8b"

func at(t *testing.T, server http.Handler) endpoint.Endpoint {
	t.Helper()
	url, client := providertest.Serve(t, server)
	return endpoint.Endpoint{Provider: "ollama", Protocol: endpoint.OllamaChat, BaseURL: url, Client: client}
}

func client(t *testing.T, server http.Handler) *ollama.Client {
	t.Helper()
	return ollama.New(at(t, server))
}

func ask(text string) core.Request {
	return core.Request{Model: model, Messages: []core.Message{providertest.User(text)}}
}

// rich is an answer with everything that an answer can have.
func rich() fake.Reply {
	return fake.Reply{
		Thinking: "I need the weather twice. ☂",
		Text:     "Let me look — 見る.",
		Calls:    []fake.Call{{Name: "weather", Arguments: `{"city":"Paris","n":12345678901234567890}`}, {Name: "weather", Arguments: `{"city":"Paris","n":12345678901234567890}`}, {ID: "c3", Name: "now", Arguments: `null`}},
		Usage:    fake.Usage{Input: 120, Output: 45},
	}
}

func TestAnswer(t *testing.T) {
	server := fake.New(rich(), rich())
	c := client(t, server)
	events, m, err := providertest.Run(t, c, ask("how is the weather?"))
	if err != nil {
		t.Fatal(err)
	}
	if want := (&core.Origin{Protocol: "ollama.chat", Provider: "ollama", RequestModel: model, ResponseModel: model}); !reflect.DeepEqual(m.Origin, want) {
		t.Errorf("origin %+v", m.Origin)
	}
	if m.Usage.InputTokens != 120 || m.Usage.OutputTokens != 45 || !strings.Contains(string(m.Usage.Native), `"eval_count":45`) || strings.Contains(string(m.Usage.Native), "message") {
		t.Errorf("usage %+v", m.Usage)
	}
	if m.FinishReason != core.FinishToolCall || m.FinishRaw != "stop" {
		t.Errorf("finish %q, %q", m.FinishReason, m.FinishRaw)
	}
	arguments := json.RawMessage(`{"city":"Paris","n":12345678901234567890}`)
	want := []core.Part{
		{Type: core.PartReasoning, Text: "I need the weather twice. ☂"},
		{Type: core.PartText, Text: "Let me look — 見る."},
		{Type: core.PartToolCall, ID: m.Parts[2].ID, Name: "weather", Arguments: arguments},
		{Type: core.PartToolCall, ID: m.Parts[3].ID, Name: "weather", Arguments: arguments},
		{Type: core.PartToolCall, ID: "c3", Name: "now", Arguments: json.RawMessage(`{}`)},
	}
	if !reflect.DeepEqual(m.Parts, want) {
		t.Errorf("parts %+v", m.Parts)
	}
	again := providertest.Must(t, c, ask("how is the weather?"))
	ids := map[string]bool{m.Parts[2].ID: true, m.Parts[3].ID: true, again.Parts[2].ID: true, again.Parts[3].ID: true}
	if len(ids) != 4 || ids[""] {
		t.Errorf("ids %v", ids)
	}
	texts := map[int]string{}
	for _, e := range events {
		texts[e.Index] += e.Text
	}
	if texts[0] != want[0].Text || texts[1] != want[1].Text || texts[3] != string(arguments) {
		t.Errorf("pieces %v", texts)
	}
	if b := server.Billed(); b != (fake.Usage{Input: 240, Output: 90}) {
		t.Errorf("billed %+v", b)
	}
}

func TestDoneReasons(t *testing.T) {
	for raw, want := range map[string]string{"stop": core.FinishStop, "length": core.FinishLength, "load": core.FinishError, "a_future_one": core.FinishStop} {
		m := providertest.Must(t, client(t, fake.New(fake.Reply{Text: "hello", Done: raw})), ask("hi"))
		if m.FinishReason != want || m.FinishRaw != raw || (want == core.FinishError) != (m.Error != "") {
			t.Errorf("%s: %q, %q, %q", raw, m.FinishReason, m.FinishRaw, m.Error)
		}
	}
}

// TestCut cuts an answer at every byte: the result is the complete answer or an error, never a partial call.
func TestCut(t *testing.T) {
	whole := strings.Join(rich().Lines(model, 1), "")
	server := fake.New()
	cut := 0
	server.Answer = func(providertest.Request) fake.Reply {
		r := rich()
		r.Fault = fault.Fault{Kind: fault.End, At: cut}
		return r
	}
	c := client(t, server)
	for ; cut < len(whole)-1; cut++ { // without the line's end it is still complete
		_, m, err := providertest.Run(t, c, ask("hi"))
		if core.CodeOf(err) != core.TruncatedStream {
			t.Fatalf("cut at byte %d of %d: %v", cut, len(whole), err)
		}
		providertest.CheckPartial(t, m)
	}
	for ; cut <= len(whole); cut++ {
		if m := providertest.Must(t, c, ask("hi")); len(m.Parts) != 5 {
			t.Errorf("the whole answer: %+v", m.Parts)
		}
	}
}

func TestFaults(t *testing.T) {
	in := func(f fault.Fault) []fake.Reply {
		r := rich()
		r.Fault = f
		return []fake.Reply{r}
	}
	status := func(status int, body string) []fake.Reply {
		f := fake.Fail(status)
		f.Fault.Body = body
		return []fake.Reply{f, f, f, f}
	}
	tests := []struct {
		name    string
		replies []fake.Reply
		code    core.Code
		hint    string
	}{
		{"dropped", in(fault.Fault{Kind: fault.Drop, At: 500}), core.TruncatedStream, ""},
		{"error in mid-stream", in(fault.Fault{Kind: fault.Event, At: 300}), core.Unavailable, ""},
		{"overflow in mid-stream", in(fault.Fault{Kind: fault.Event, At: 300, Body: `{"error":"the prompt is too long; exceeded max context length by 10 tokens"}` + "\n"}), core.ContextOverflow, ""},
		{"no JSON in mid-stream", in(fault.Fault{Kind: fault.Event, At: 300, Body: "{oops\n"}), core.TruncatedStream, ""},
		{"a page", in(fault.Fault{Kind: fault.Event, Body: "<html>hello</html>"}), core.TruncatedStream, ""},
		{"no model", status(404, `{"error":"model \"qwen3:8b\" not found, try pulling it first"}`), core.NotFound, "ollama pull qwen3:8b"},
		{"no tools", status(400, `{"error":"registry.ollama.ai/library/gemma:2b does not support tools"}`), core.Invalid, "calls tools"},
		{"no thinking", status(400, `{"error":"\"gemma:2b\" does not support thinking"}`), core.Invalid, "effort"},
		{"too long", status(400, `{"error":"the input length exceeds the context length"}`), core.ContextOverflow, ""},
		{"busy", status(503, `{"error":"server busy, please try again.  maximum pending requests exceeded"}`), core.Unavailable, ""},
		{"broken", status(500, `{"error":"model runner has unexpectedly stopped"}`), core.Unavailable, ""},
		{"key", status(401, `{"error":"unauthorized"}`), core.Auth, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, m, err := providertest.Run(t, client(t, fake.New(test.replies...)), ask("hi"))
			if core.CodeOf(err) != test.code || !strings.Contains(core.HintOf(err), test.hint) {
				t.Errorf("%s: %v; hint %q", core.CodeOf(err), err, core.HintOf(err))
			}
			providertest.CheckPartial(t, m)
		})
	}
}

func TestRetry(t *testing.T) {
	server := fake.New(fake.Fail(503), fake.Fail(500), fake.Say("hello"))
	if m := providertest.Must(t, client(t, server), ask("hi")); m.Parts[0].Text != "hello" || len(server.Requests()) != 3 {
		t.Errorf("answer %+v after %d calls", m.Parts, len(server.Requests()))
	}
}

// A call whose caller leaves ends, and so does its connection.
func TestLeave(t *testing.T) {
	hang := rich()
	hang.Fault = fault.Fault{Kind: fault.Hang, At: 300}
	connect := func(h http.Handler) providertest.Model { return client(t, h) }
	providertest.CheckLeave(t, fake.New(hang, hang, hang), "/api/chat", connect, ask("hi"))
}

func TestNoServer(t *testing.T) {
	s := httptest.NewServer(http.NotFoundHandler())
	s.Close()
	c := ollama.New(endpoint.Endpoint{Provider: "ollama", BaseURL: s.URL, Client: &http.Client{}})
	_, _, err := providertest.Run(t, c, ask("hi"))
	if core.CodeOf(err) != core.Unavailable || core.HintOf(err) == "" {
		t.Errorf("%v, hint %q", err, core.HintOf(err))
	}
	if _, err := c.Models(t.Context()); core.CodeOf(err) != core.Unavailable {
		t.Errorf("models: %v", err)
	}
}

func TestModels(t *testing.T) {
	server := fake.New()
	server.Models = []fake.Model{
		{Name: model, Context: 40960, Capabilities: []string{"completion", "tools", "thinking"}},
		{Name: "llava:7b", Context: 4096, Capabilities: []string{"completion", "vision"}},
		{Name: "nomic-embed-text", Context: 2048, Capabilities: []string{"embedding"}},
		{Name: "glm-5:cloud", Context: 200_000, Capabilities: []string{"completion"}, RemoteHost: "https://ollama.com"},
	}
	models, err := client(t, server).Models(t.Context())
	want := []core.ModelInfo{
		{Provider: "ollama", ID: model, Name: model, ContextTokens: 40960, Tools: true, Reasoning: true, Local: true},
		{Provider: "ollama", ID: "llava:7b", Name: "llava:7b", ContextTokens: 4096, Images: true, Local: true},
		{Provider: "ollama", ID: "glm-5:cloud", Name: "glm-5:cloud", ContextTokens: 200_000},
	}
	if err != nil || !reflect.DeepEqual(models, want) {
		t.Errorf("%+v, %v", models, err)
	}
}
