package google_test

import (
	"encoding/json"
	"errors"
	"log"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"coppice/backend/core"
	"coppice/backend/provider/endpoint"
	"coppice/backend/provider/fault"
	"coppice/backend/provider/google"
	"coppice/backend/provider/google/fake"
	"coppice/backend/provider/providertest"
)

const model = "gemini-3-pro-preview"

func at(t *testing.T, server http.Handler) endpoint.Endpoint {
	t.Helper()
	url, client := providertest.Serve(t, server)
	return endpoint.Endpoint{
		Provider: "google", Protocol: endpoint.GoogleGenAI, BaseURL: url, Key: "secret-key-123",
		Client: client,
	}
}

func client(t *testing.T, server http.Handler) *google.Client {
	t.Helper()
	return google.New(at(t, server))
}

func ask(text string) core.Request {
	return core.Request{Model: model, Messages: []core.Message{providertest.User(text)}}
}

const paris = `{"city":"Paris","n":12345678901234567890}`

// rich is an answer with everything that an answer can have.
func rich() fake.Reply {
	return fake.Reply{
		Parts: []fake.Part{
			fake.Thought("I need <the> weather twice. ☂"),
			fake.Text("Let me look — 見る."),
			fake.Signed("", "U0lHLTE="),
			fake.Call("", "weather", paris, "U0lHLTI="),
			fake.Call("", "weather", paris, ""),
			fake.Call("fc_1", "now", `{}`, ""),
			fake.Raw(`{"executableCode":{"language":"PYTHON","code":"1+1","x_future":[1]}}`),
			fake.Raw(`{}`),
		},
		Usage: fake.Usage{Prompt: 120, Cached: 100, Candidates: 15, Thoughts: 30},
	}
}

func TestAnswer(t *testing.T) {
	server := fake.New(rich(), rich())
	c := client(t, server)
	events, m, err := providertest.Run(t, c, ask("how is the weather?"))
	if err != nil {
		t.Fatal(err)
	}
	wantOrigin := &core.Origin{Protocol: "google.genai", Provider: "google", RequestModel: model, ResponseModel: model + "-001", ResponseID: "resp_000001"}
	if !reflect.DeepEqual(m.Origin, wantOrigin) {
		t.Errorf("origin %+v", m.Origin)
	}
	u := *m.Usage
	u.Native = nil
	if !reflect.DeepEqual(u, core.Usage{InputTokens: 120, OutputTokens: 45, CacheReadTokens: 100, ReasoningTokens: 30}) {
		t.Errorf("usage %+v", u)
	}
	if !strings.Contains(string(m.Usage.Native), `"thoughtsTokenCount":30`) {
		t.Errorf("native usage %s", m.Usage.Native)
	}
	if m.FinishReason != core.FinishToolCall || m.FinishRaw != "STOP" {
		t.Errorf("finish %q, %q", m.FinishReason, m.FinishRaw)
	}
	native := func(s string) json.RawMessage { return json.RawMessage(s) }
	want := []core.Part{
		{Type: core.PartReasoning, Text: "I need <the> weather twice. ☂", Native: native(`{"text":"I need <the> weather twice. ☂","thought":true}`)},
		{Type: core.PartText, Text: "Let me look — 見る."},
		{Type: core.PartReasoning, Redacted: true, Native: native(`{"text":"","thoughtSignature":"U0lHLTE="}`)},
		{Type: core.PartToolCall, ID: m.Parts[3].ID, Name: "weather", Arguments: native(paris), Native: native(`{"functionCall":{"name":"weather","args":` + paris + `},"thoughtSignature":"U0lHLTI="}`)},
		{Type: core.PartToolCall, ID: m.Parts[4].ID, Name: "weather", Arguments: native(paris), Native: native(`{"functionCall":{"name":"weather","args":` + paris + `}}`)},
		{Type: core.PartToolCall, ID: "fc_1", Name: "now", Arguments: native(`{}`)},
		{Type: core.PartOther, Native: native(`{"executableCode":{"language":"PYTHON","code":"1+1","x_future":[1]}}`)},
	}
	for i := range want {
		if i >= len(m.Parts) || !reflect.DeepEqual(m.Parts[i], want[i]) {
			t.Errorf("part %d: %+v", i, m.Parts[i])
		}
	}
	again := providertest.Must(t, c, ask("how is the weather?"))
	ids := map[string]bool{m.Parts[3].ID: true, m.Parts[4].ID: true, again.Parts[3].ID: true, again.Parts[4].ID: true}
	if len(ids) != 4 || ids[""] {
		t.Errorf("ids %v", ids)
	}
	texts := map[int]string{}
	for _, e := range events {
		texts[e.Index] += e.Text
	}
	if texts[0] != want[0].Text || texts[1] != want[1].Text || texts[4] != paris {
		t.Errorf("pieces %v", texts)
	}
	if b := server.Billed(); b != (fake.Usage{Prompt: 240, Cached: 200, Candidates: 30, Thoughts: 60}) {
		t.Errorf("billed %+v", b)
	}
	if key := server.Requests()[0].Header.Get("X-Goog-Api-Key"); key != "secret-key-123" {
		t.Errorf("key %q", key)
	}
}

func TestFinishReasons(t *testing.T) {
	tests := []struct {
		reply   fake.Reply
		want    string
		message bool
	}{
		{fake.Reply{Finish: "STOP"}, core.FinishStop, false},
		{fake.Reply{Finish: "MAX_TOKENS"}, core.FinishLength, false},
		{fake.Reply{Finish: "SAFETY"}, core.FinishContentFilter, true},
		{fake.Reply{Finish: "RECITATION", Message: "it is a song"}, core.FinishContentFilter, true},
		{fake.Reply{Finish: "MALFORMED_FUNCTION_CALL", Message: "bad call"}, core.FinishError, true},
		{fake.Reply{Block: "PROHIBITED_CONTENT"}, core.FinishContentFilter, true},
		{fake.Reply{Finish: "A_FUTURE_ONE"}, core.FinishStop, false},
	}
	for _, test := range tests {
		raw := test.reply.Finish + test.reply.Block
		m := providertest.Must(t, client(t, fake.New(test.reply)), ask("hi"))
		if m.FinishReason != test.want || m.FinishRaw != raw || (m.Error != "") != test.message || !strings.Contains(m.Error, test.reply.Message) {
			t.Errorf("%s: %q, %q, %q", raw, m.FinishReason, m.FinishRaw, m.Error)
		}
	}
	_, _, err := providertest.Run(t, client(t, fake.New(fake.Reply{Finish: "FINISH_REASON_UNSPECIFIED"})), ask("hi"))
	if core.CodeOf(err) != core.TruncatedStream {
		t.Errorf("no finish reason: %v", err)
	}
}

// TestCut cuts an answer at every byte: the result is the complete answer or an error, never a partial call.
func TestCut(t *testing.T) {
	whole := strings.Join(rich().Events(model, 1), "")
	server := fake.New()
	cut := 0
	server.Answer = func(providertest.Request) fake.Reply {
		r := rich()
		r.Fault = fault.Fault{Kind: fault.End, At: cut}
		return r
	}
	e := at(t, server)
	c := google.New(e)
	for ; cut < len(whole)-len("\r\n\r\n"); cut++ { // without the event's end it is still complete
		_, m, err := providertest.Run(t, c, ask("hi"))
		if core.CodeOf(err) != core.TruncatedStream {
			t.Fatalf("cut at byte %d of %d: %v", cut, len(whole), err)
		}
		providertest.CheckPartial(t, m)
	}
	for ; cut <= len(whole); cut++ {
		if m := providertest.Must(t, c, ask("hi")); len(m.Parts) != 7 {
			t.Errorf("the whole answer: %+v", m.Parts)
		}
	}
}

func TestFaults(t *testing.T) {
	var logged strings.Builder // a log would appear in the user's terminal
	log.SetOutput(&logged)
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
		says    string
	}{
		{"dropped at once", in(fault.Fault{Kind: fault.Drop}), core.TruncatedStream, ""},
		{"dropped half-way", in(fault.Fault{Kind: fault.Drop, At: 900}), core.TruncatedStream, ""},
		{"overloaded in mid-stream", in(fault.Fault{Kind: fault.Event, At: 900}), core.Overloaded, "overloaded"},
		{"bare error in mid-stream", in(fault.Fault{Kind: fault.Event, At: 900, Body: `{"error":{"code":500,"message":"Internal error","status":"INTERNAL"}}`}), core.Unavailable, "Internal"},
		{"no JSON in mid-stream", in(fault.Fault{Kind: fault.Event, At: 900, Body: "data: {oops\n\n"}), core.TruncatedStream, ""},
		{"a page instead of a stream", in(fault.Fault{Kind: fault.Event, Body: "<html>hello</html>"}), core.TruncatedStream, ""},
		{"overloaded", status(503, `{"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}}`), core.Overloaded, ""},
		{"rate limit", status(429, ""), core.RateLimit, ""},
		{"bad key", status(400, `{"error":{"code":400,"message":"API key not valid.","status":"INVALID_ARGUMENT","details":[{"reason":"API_KEY_INVALID"}]}}`), core.Auth, "rejected the key"},
		{"no permission", status(403, ""), core.Auth, ""},
		{"server error", status(500, ""), core.Unavailable, ""},
		{"proxy's page", status(502, "<html>Bad Gateway</html>"), core.Unavailable, "Bad Gateway"},
		{"too long", status(400, `{"error":{"code":400,"message":"The input token count exceeds the maximum number of tokens allowed (1048576).","status":"INVALID_ARGUMENT"}}`), core.ContextOverflow, "1048576"},
		{"bad request", status(400, ""), core.Invalid, "Bad Request"},
		{"no such model", status(404, `{"error":{"code":404,"message":"models/gemini-9 is not found for API version v1beta","status":"NOT_FOUND"}}`), core.NotFound, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, m, err := providertest.Run(t, client(t, fake.New(test.replies...)), ask("hi"))
			if core.CodeOf(err) != test.code || !strings.Contains(err.Error(), test.says) {
				t.Errorf("%s: %v", core.CodeOf(err), err)
			}
			if strings.Contains(err.Error(), "secret-key") {
				t.Errorf("the key is told: %v", err)
			}
			providertest.CheckPartial(t, m)
		})
	}
	if logged.Len() > 0 {
		t.Errorf("logged %s", logged.String())
	}
}

// TestComments checks that comments and other fields in a stream are ignored.
func TestComments(t *testing.T) {
	c := client(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = w.Write([]byte(": keep-alive\n\nevent: message\nid: 1\ndata: {\"candidates\":[{\"content\":\ndata: {\"parts\":[{\"text\":\"hello\"}]}}]}\n\n: keep-alive\n\n" +
			"data: {\"candidates\":[{\"finishReason\":\"STOP\"}]}"))
	}))
	if m := providertest.Must(t, c, ask("hi")); len(m.Parts) != 1 || m.Parts[0].Text != "hello" || m.Usage != nil {
		t.Errorf("answer %+v", m)
	}
}

func TestRetry(t *testing.T) {
	server := fake.New(fake.Fail(503), fake.Fail(429), fake.Say("hello"))
	if m := providertest.Must(t, client(t, server), ask("hi")); m.Parts[0].Text != "hello" || len(server.Requests()) != 3 {
		t.Errorf("answer %+v after %d calls", m.Parts, len(server.Requests()))
	}
	wait := fake.Fail(429)
	wait.Fault.RetryAfter = "300"
	_, _, err := providertest.Run(t, client(t, fake.New(wait)), ask("hi"))
	if e, ok := errors.AsType[*core.Error](err); !ok || e.Code != core.RateLimit || e.RetryAfterMs != 300_000 {
		t.Errorf("a wait of minutes: %v", err)
	}
}

// A call whose caller leaves ends, and so does its connection.
func TestLeave(t *testing.T) {
	hang := rich()
	hang.Fault = fault.Fault{Kind: fault.Hang, At: 600}
	connect := func(h http.Handler) providertest.Model { return client(t, h) }
	providertest.CheckLeave(t, fake.New(hang, hang, hang), ":streamGenerateContent", connect, ask("hi"))
}

func TestNoServer(t *testing.T) {
	s := httptest.NewServer(http.NotFoundHandler())
	s.Close()
	c := google.New(endpoint.Endpoint{Provider: "google", BaseURL: s.URL, Client: &http.Client{}})
	_, _, err := providertest.Run(t, c, ask("hi"))
	if core.CodeOf(err) != core.Unavailable || core.HintOf(err) == "" {
		t.Errorf("%v, hint %q", err, core.HintOf(err))
	}
	if _, err := c.Models(t.Context()); core.CodeOf(err) != core.Unavailable {
		t.Errorf("models: %v", err)
	}
}

func TestNoKey(t *testing.T) {
	t.Setenv("GEMINI_API_KEY", "of-the-environment")
	t.Setenv("GOOGLE_GENAI_USE_VERTEXAI", "true")
	server := fake.New(fake.Say("hello"))
	e := at(t, server)
	e.Key, e.BaseURL = "", e.BaseURL+"/v1beta"
	providertest.Must(t, google.New(e), ask("hi"))
	if key, sent := server.Requests()[0].Header["X-Goog-Api-Key"]; sent {
		t.Errorf("key %q", key)
	}
}

func TestModels(t *testing.T) {
	server := fake.New()
	talk := []string{"generateContent", "countTokens"}
	server.Models = []fake.Model{
		{ID: "gemini-3-pro-preview", Name: "Gemini 3 Pro", Input: 1_048_576, Output: 65_536, Actions: talk, Thinking: true},
		{ID: "gemini-embedding-001", Name: "Embedding", Input: 2048, Actions: []string{"embedContent"}},
		{ID: "gemma-3-27b-it", Input: 131_072, Output: 8192, Actions: talk},
	}
	models, err := client(t, server).Models(t.Context())
	want := []core.ModelInfo{
		{Provider: "google", ID: "gemini-3-pro-preview", Name: "Gemini 3 Pro", ContextTokens: 1_048_576, MaxOutputTokens: 65_536, Images: true, Tools: true, Reasoning: true},
		{Provider: "google", ID: "gemma-3-27b-it", Name: "gemma-3-27b-it", ContextTokens: 131_072, MaxOutputTokens: 8192},
	}
	if err != nil || !reflect.DeepEqual(models, want) {
		t.Errorf("%+v, %v", models, err)
	}
	refused := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fault.Refuse(w, fault.Fault{Status: 403, Body: `{"error":{"code":403,"message":"denied","status":"PERMISSION_DENIED"}}`})
	})
	if _, err := client(t, refused).Models(t.Context()); core.CodeOf(err) != core.Auth {
		t.Errorf("refused: %v", err)
	}
}

func TestStrangeModels(t *testing.T) {
	for _, answer := range []string{`{"models":"x"}`, `{"models":[1]}`, `[]`, `<html>`, ``} {
		c := google.New(endpoint.Endpoint{Provider: "google", Key: "key", Client: &http.Client{Transport: providertest.Says(answer)}})
		if models, err := c.Models(t.Context()); err == nil && len(models) > 0 {
			t.Errorf("%s: %+v", answer, models)
		}
	}
}
