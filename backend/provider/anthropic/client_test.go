package anthropic_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"coppice/backend/core"
	"coppice/backend/provider/anthropic"
	"coppice/backend/provider/anthropic/fake"
	"coppice/backend/provider/endpoint"
	"coppice/backend/provider/fault"
	"coppice/backend/provider/providertest"
)

const model = "claude-sonnet-4-5"

// client returns a client of a server, which retries without waiting.
func client(t *testing.T, server http.Handler) *anthropic.Client {
	t.Helper()
	return anthropic.New(at(t, server))
}

func at(t *testing.T, server http.Handler) endpoint.Endpoint {
	t.Helper()
	url, client := providertest.Serve(t, server)
	return endpoint.Endpoint{
		Provider: "anthropic", Protocol: endpoint.AnthropicMessages, BaseURL: url, Key: "secret-key-123",
		Client: client,
	}
}

func ask(text string) core.Request {
	return core.Request{Model: model, Messages: []core.Message{providertest.User(text)}}
}

func results(parts ...core.Part) core.Message { return core.Message{Role: core.RoleTool, Parts: parts} }

func result(id, text string) core.Part {
	return core.Part{Type: core.PartToolResult, ID: id, Result: []core.Part{{Type: core.PartText, Text: text}}}
}

// rich is an answer with everything that an answer can have.
func rich() fake.Reply {
	return fake.Reply{
		Blocks: []fake.Block{
			fake.Thinking("I need <the> \"weather\" twice. ☂", "SIG+abc=="),
			fake.Redacted("ENCRYPTED"),
			fake.Text("Let me look — 見る."),
			fake.Call("toolu_A", "weather", `{"city":"Paris","id":12345678901234567890}`),
			fake.Call("toolu_B", "weather", ""),
			fake.Raw(`{"type":"x_future","blob":"FUT","text":"a"}`, `{"type":"x_delta","text":"b","n":2}`),
		},
		Usage: fake.Usage{Input: 20, CacheWrite: 5, CacheRead: 100, Output: 45},
	}
}

func TestAnswer(t *testing.T) {
	server := fake.New(rich())
	events, m, err := providertest.Run(t, client(t, server), ask("how is the weather?"))
	if err != nil {
		t.Fatal(err)
	}
	wantOrigin := &core.Origin{
		Protocol: "anthropic.messages", Provider: "anthropic", RequestModel: model,
		ResponseModel: model + "-20260901", ResponseID: "msg_fake",
	}
	if !reflect.DeepEqual(m.Origin, wantOrigin) {
		t.Errorf("origin %+v", m.Origin)
	}
	u := *m.Usage
	u.Native = nil
	if !reflect.DeepEqual(u, core.Usage{InputTokens: 125, OutputTokens: 45, CacheReadTokens: 100, CacheWriteTokens: 5}) {
		t.Errorf("usage %+v", u)
	}
	if !strings.Contains(string(m.Usage.Native), `"input_tokens":20`) || !strings.Contains(string(m.Usage.Native), `"output_tokens":45`) {
		t.Errorf("native usage %s", m.Usage.Native)
	}
	if m.FinishReason != core.FinishToolCall || m.FinishRaw != "tool_use" {
		t.Errorf("finish %q, %q", m.FinishReason, m.FinishRaw)
	}
	want := []core.Part{
		{Type: core.PartReasoning, Text: "I need <the> \"weather\" twice. ☂", Native: json.RawMessage(`{"signature":"SIG+abc==","thinking":"I need <the> \"weather\" twice. ☂","type":"thinking"}`)},
		{Type: core.PartReasoning, Redacted: true, Native: json.RawMessage(`{"data":"ENCRYPTED","type":"redacted_thinking"}`)},
		{Type: core.PartText, Text: "Let me look — 見る."},
		{Type: core.PartToolCall, ID: "toolu_A", Name: "weather", Arguments: json.RawMessage(`{"city":"Paris","id":12345678901234567890}`)},
		{Type: core.PartToolCall, ID: "toolu_B", Name: "weather", Arguments: json.RawMessage(`{}`)},
		{Type: core.PartOther, Native: json.RawMessage(`{"blob":"FUT","n":2,"text":"ab","type":"x_future"}`)},
	}
	for i := range want {
		if i >= len(m.Parts) || !reflect.DeepEqual(m.Parts[i], want[i]) {
			t.Errorf("part %d: %+v, want %+v", i, m.Parts[i], want[i])
		}
	}
	checkPieces(t, events, m)
	if b := server.Billed(); b != rich().Usage {
		t.Errorf("billed %+v", b)
	}
	if key := server.Requests()[0].Header.Get("X-Api-Key"); key != "secret-key-123" {
		t.Errorf("key %q", key)
	}
}

// checkPieces checks that the pieces of a stream make the parts of its message.
func checkPieces(t *testing.T, events []core.StreamEvent, m *core.Message) {
	t.Helper()
	types := map[core.StreamEventType]core.PartType{core.StreamText: core.PartText, core.StreamReasoning: core.PartReasoning, core.StreamToolCall: core.PartToolCall}
	texts, ids := map[int]string{}, map[int]string{}
	for _, e := range events {
		if m.Parts[e.Index].Type != types[e.Type] {
			t.Errorf("event %+v is of part %+v", e, m.Parts[e.Index])
		}
		texts[e.Index] += e.Text
		ids[e.Index] += e.ID + e.Name
	}
	for i, p := range m.Parts {
		text := p.Text + string(p.Arguments)
		if p.Type == core.PartToolCall && text == "{}" {
			text = ""
		}
		if texts[i] != text && p.Type != core.PartOther || ids[i] != p.ID+p.Name {
			t.Errorf("pieces of part %d: %q %q, want %q", i, texts[i], ids[i], text)
		}
	}
}

func TestStopReasons(t *testing.T) {
	tests := []struct{ raw, want string }{
		{"end_turn", core.FinishStop},
		{"stop_sequence", core.FinishStop},
		{"max_tokens", core.FinishLength},
		{"model_context_window_exceeded", core.FinishLength},
		{"pause_turn", core.FinishLength},
		{"refusal", core.FinishContentFilter},
		{"a_future_one", core.FinishStop},
	}
	for _, test := range tests {
		reply := fake.Say("hello")
		reply.Stop = test.raw
		m := providertest.Must(t, client(t, fake.New(reply)), ask("hi"))
		if m.FinishReason != test.want || m.FinishRaw != test.raw {
			t.Errorf("%s: %q, %q", test.raw, m.FinishReason, m.FinishRaw)
		}
	}
}

// TestLimitedCall checks that a call that was cut by the limit cannot run.
func TestLimitedCall(t *testing.T) {
	for _, written := range []string{"", `{"path":"a.txt","content":"half`} {
		m := providertest.Must(t, client(t, fake.New(fake.Reply{Blocks: []fake.Block{fake.Call("toolu_A", "write", written)}, Stop: "max_tokens"})), ask("write"))
		if p := m.Parts[0]; p.Arguments != nil || p.Text != written || m.FinishReason != core.FinishLength {
			t.Errorf("%q: %+v, %s", written, p, m.FinishReason)
		}
	}
	m := providertest.Must(t, client(t, fake.New(fake.Reply{Blocks: []fake.Block{fake.Call("toolu_A", "write", `[1]`)}})), ask("write"))
	if p := m.Parts[0]; p.Arguments != nil || p.Text != "[1]" {
		t.Errorf("no object: %+v", p)
	}
}

// TestCut cuts an answer at every byte: the result is the complete answer or an error, never a partial call.
func TestCut(t *testing.T) {
	whole := strings.Join(rich().Frames(model), "")
	server := fake.New()
	cut := 0
	server.Answer = func(providertest.Request) fake.Reply {
		r := rich()
		r.Fault = fault.Fault{Kind: fault.End, At: cut}
		return r
	}
	c := client(t, server)
	for ; cut < len(whole); cut++ {
		_, m, err := providertest.Run(t, c, ask("hi"))
		if core.CodeOf(err) != core.TruncatedStream {
			t.Fatalf("cut at byte %d of %d: %v", cut, len(whole), err)
		}
		providertest.CheckPartial(t, m)
	}
	if providertest.Must(t, c, ask("hi")).FinishReason != core.FinishToolCall {
		t.Error("the whole answer is not whole")
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
	told := func(kind, message string) string {
		return `{"type":"error","error":{"type":"` + kind + `","message":"` + message + `"}}`
	}
	tests := []struct {
		name    string
		replies []fake.Reply
		code    core.Code
		says    string
	}{
		{"dropped at once", in(fault.Fault{Kind: fault.Drop}), core.TruncatedStream, ""},
		{"dropped half-way", in(fault.Fault{Kind: fault.Drop, At: 900}), core.TruncatedStream, ""},
		{"overloaded in mid-stream", in(fault.Fault{Kind: fault.Event, At: 900}), core.Overloaded, "Overloaded"},
		{"error in mid-stream", in(fault.Fault{Kind: fault.Event, At: 900, Body: "event: error\ndata: " + told("api_error", "Internal server error") + "\n\n"}), core.Unavailable, "Internal"},
		{"no JSON in mid-stream", in(fault.Fault{Kind: fault.Event, At: 900, Body: "event: content_block_delta\ndata: {oops\n\n"}), core.TruncatedStream, ""},
		{"a page instead of a stream", in(fault.Fault{Kind: fault.Event, Body: "<html>hello</html>"}), core.TruncatedStream, ""},
		{"overloaded", status(529, ""), core.Overloaded, ""},
		{"rate limit", status(429, ""), core.RateLimit, ""},
		{"bad key", status(401, ""), core.Auth, "rejected the key"},
		{"server error", status(500, ""), core.Unavailable, ""},
		{"proxy's page", status(502, "<html><title>Bad</title>Bad Gateway</html>"), core.Unavailable, "Bad Gateway"},
		{"too long", status(400, told("invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum")), core.ContextOverflow, "210000"},
		{"too large", status(413, told("request_too_large", "Request exceeds the maximum size")), core.ContextOverflow, ""},
		{"no credit", status(400, told("invalid_request_error", "Your credit balance is too low")), core.Auth, ""},
		{"bad request", status(400, told("invalid_request_error", "tools.0: wrong")), core.Invalid, "tools.0: wrong"},
		{"no such model", status(404, told("not_found_error", "model: claude-9")), core.NotFound, ""},
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
}

func TestRetry(t *testing.T) {
	server := fake.New(fake.Fail(529), fake.Fail(429), fake.Say("hello"))
	if m := providertest.Must(t, client(t, server), ask("hi")); m.Parts[0].Text != "hello" {
		t.Errorf("answer %+v", m.Parts)
	}
	if n := len(server.Requests()); n != 3 {
		t.Errorf("%d calls", n)
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
	hang.Fault = fault.Fault{Kind: fault.Hang, At: 900}
	connect := func(h http.Handler) providertest.Model { return client(t, h) }
	providertest.CheckLeave(t, fake.New(hang, hang, hang), "/v1/messages", connect, ask("hi"))
}

func TestNoServer(t *testing.T) {
	s := httptest.NewServer(http.NotFoundHandler())
	s.Close()
	e := endpoint.Endpoint{Provider: "anthropic", BaseURL: s.URL, Client: &http.Client{}}
	_, _, err := providertest.Run(t, anthropic.New(e), ask("hi"))
	if core.CodeOf(err) != core.Unavailable || core.HintOf(err) == "" {
		t.Errorf("%v, hint %q", err, core.HintOf(err))
	}
}

func TestModels(t *testing.T) {
	server := fake.New()
	server.Models = []fake.Model{
		{ID: "claude-opus-5-5", Name: "Claude Opus 5.5", MaxInput: 1_000_000, MaxOutput: 128_000},
		{ID: "claude-old", Name: "Old", MaxInput: 200_000, NoImages: true, NoReasoning: true},
	}
	models, err := client(t, server).Models(t.Context())
	want := []core.ModelInfo{
		{Provider: "anthropic", ID: "claude-opus-5-5", Name: "Claude Opus 5.5", ContextTokens: 1_000_000, MaxOutputTokens: 128_000, Images: true, Tools: true, Reasoning: true},
		{Provider: "anthropic", ID: "claude-old", Name: "Old", ContextTokens: 200_000, Tools: true},
	}
	if err != nil || !reflect.DeepEqual(models, want) {
		t.Errorf("%+v, %v", models, err)
	}
	refused := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fault.Refuse(w, fault.Fault{Status: 401, Body: `{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}`})
	})
	if _, err := client(t, refused).Models(t.Context()); core.CodeOf(err) != core.Auth {
		t.Errorf("refused: %v", err)
	}
}
