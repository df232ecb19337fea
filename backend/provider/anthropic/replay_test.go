package anthropic_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"coppice/backend/core"
	"coppice/backend/provider/anthropic"
	"coppice/backend/provider/anthropic/fake"
	"coppice/backend/provider/providertest"
)

// body is what a test reads of a request.
type body struct {
	Model        string           `json:"model"`
	MaxTokens    int64            `json:"max_tokens"`
	System       []map[string]any `json:"system"`
	Thinking     map[string]any   `json:"thinking"`
	OutputConfig map[string]any   `json:"output_config"`
	Temperature  *float64         `json:"temperature"`
	ToolChoice   map[string]any   `json:"tool_choice"`
	Tools        []map[string]any `json:"tools"`
	Messages     []struct {
		Role    string            `json:"role"`
		Content []json.RawMessage `json:"content"`
	} `json:"messages"`
}

// sent returns the last request that a server got.
func sent(t *testing.T, server *fake.Server) body {
	t.Helper()
	requests := server.Requests()
	var b body
	if err := json.Unmarshal(requests[len(requests)-1].Body, &b); err != nil {
		t.Fatal(err)
	}
	return b
}

// blocks returns the blocks of a message as they were sent, with < and > unescaped.
func blocks(b body, i int) []string {
	var all []string
	for _, raw := range b.Messages[i].Content {
		all = append(all, plain.Replace(string(raw)))
	}
	return all
}

var plain = strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&")

// next is the request that follows an answer with the two calls of rich.
func next(m *core.Message) core.Request {
	r := ask("how is the weather?")
	r.Messages = append(r.Messages, *m, results(result("toolu_A", "21C"), result("toolu_B", "19C")))
	return r
}

func TestReplay(t *testing.T) {
	server := fake.New(rich(), fake.Say("fine"))
	c := client(t, server)
	providertest.Must(t, c, next(providertest.Must(t, c, ask("how is the weather?"))))
	want := []string{
		`{"signature":"SIG+abc==","thinking":"I need <the> \"weather\" twice. ☂","type":"thinking"}`,
		`{"data":"ENCRYPTED","type":"redacted_thinking"}`,
		`{"text":"Let me look — 見る.","type":"text"}`,
		`{"id":"toolu_A","input":{"city":"Paris","id":12345678901234567890},"name":"weather","type":"tool_use"}`,
		`{"id":"toolu_B","input":{},"name":"weather","type":"tool_use"}`,
		`{"blob":"FUT","n":2,"text":"ab","type":"x_future"}`,
	}
	if got := blocks(sent(t, server), 1); !reflect.DeepEqual(got, want) {
		t.Errorf("sent back:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestServerTool checks that the blocks of the server's own tools are sent back unchanged, and only to the same model.
func TestServerTool(t *testing.T) {
	search := []fake.Block{
		fake.Raw(`{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{}}`, `{"type":"input_json_delta","partial_json":"{\"query\":\"go\"}"}`),
		fake.Raw(`{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[{"type":"web_search_result","encrypted_content":"E"}]}`),
		fake.Raw(`{"type":"text","text":"","citations":[]}`, `{"type":"text_delta","text":"Go is"}`, `{"type":"citations_delta","citation":{"url":"u"}}`),
	}
	server := fake.New(fake.Reply{Blocks: search}, fake.Say("fine"), fake.Say("fine"))
	c := client(t, server)
	m := providertest.Must(t, c, ask("search"))
	if p := m.Parts[0]; p.Type != core.PartToolCall || !p.Server || string(p.Arguments) != `{"query":"go"}` || m.FinishReason != core.FinishStop {
		t.Errorf("%+v, %s", p, m.FinishReason)
	}
	r := ask("search")
	r.Messages = append(r.Messages, *m, providertest.User("go on"))
	providertest.Must(t, c, r)
	want := []string{
		`{"id":"srvtoolu_1","input":{"query":"go"},"name":"web_search","type":"server_tool_use"}`,
		`{"content":[{"type":"web_search_result","encrypted_content":"E"}],"tool_use_id":"srvtoolu_1","type":"web_search_tool_result"}`,
		`{"citations":[{"url":"u"}],"text":"Go is","type":"text"}`,
	}
	if got := blocks(sent(t, server), 1); !reflect.DeepEqual(got, want) {
		t.Errorf("sent back:\n%s", strings.Join(got, "\n"))
	}
	r.Model = "claude-opus-4-5"
	providertest.Must(t, c, r)
	if got := blocks(sent(t, server), 1); !reflect.DeepEqual(got, []string{`{"text":"Go is","type":"text"}`}) {
		t.Errorf("sent to another: %s", got)
	}
}

// TestForeignOrigin checks that the native form is sent only to its own provider, model and protocol.
func TestForeignOrigin(t *testing.T) {
	changes := map[string]func(*core.Message, *core.Request){
		"model":    func(_ *core.Message, r *core.Request) { r.Model = "claude-opus-4-5" },
		"provider": func(m *core.Message, _ *core.Request) { m.Origin.Provider = "proxy" },
		"protocol": func(m *core.Message, _ *core.Request) { m.Origin.Protocol = "openai.chat" },
		"unknown":  func(m *core.Message, _ *core.Request) { m.Origin = nil },
	}
	for name, change := range changes {
		server := fake.New(rich(), fake.Say("fine"))
		c := client(t, server)
		m := providertest.Must(t, c, ask("how is the weather?"))
		r := next(m)
		change(&r.Messages[1], &r)
		providertest.Must(t, c, r)
		want := []string{
			`{"text":"Let me look — 見る.","type":"text"}`,
			`{"id":"toolu_A","input":{"city":"Paris","id":12345678901234567890},"name":"weather","type":"tool_use"}`,
			`{"id":"toolu_B","input":{},"name":"weather","type":"tool_use"}`,
		}
		if got := blocks(sent(t, server), 1); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: sent %s", name, strings.Join(got, "\n"))
		}
		if n := len(server.Requests()); n != 2 {
			t.Errorf("%s: %d calls", name, n)
		}
	}
}

// TestRefusedReasoning checks that a conversation continues without its reasoning if the server rejects it.
func TestRefusedReasoning(t *testing.T) {
	m := providertest.Must(t, client(t, fake.New(rich())), ask("how is the weather?"))
	server := fake.New(fake.Say("fine")) // has not signed it
	r := next(m)
	r.Effort = core.EffortHigh
	if got := providertest.Must(t, client(t, server), r); got.Parts[0].Text != "fine" {
		t.Errorf("answer %+v", got.Parts)
	}
	b := sent(t, server)
	if n := len(server.Requests()); n != 2 || strings.Contains(strings.Join(blocks(b, 1), ""), "thinking") || b.Thinking != nil {
		t.Errorf("%d calls, sent %s, thinking %v", n, blocks(b, 1), b.Thinking)
	}
}

// foreign is a conversation of other providers and other programs.
func foreign() []core.Message {
	long := strings.Repeat("fc_0123456789|", 9)
	call := func(id string) core.Part {
		return core.Part{Type: core.PartToolCall, ID: id, Name: "mcp.server/tool", Arguments: json.RawMessage(`{"a":1}`)}
	}
	shot := core.Part{Type: core.PartMedia, Media: &core.Media{MimeType: "image/png", Data: []byte("PNG")}}
	return []core.Message{
		{Role: core.RoleAssistant, Parts: []core.Part{{Type: core.PartText, Text: "Hello, I begin."}}},
		{Role: core.RoleUser, Parts: []core.Part{{Type: core.PartText, Text: " \n"}}},
		{Role: core.RoleUser, Parts: []core.Part{
			{Type: core.PartSummary, Text: "What was before."},
			shot,
			{Type: core.PartMedia, Media: &core.Media{MimeType: "application/pdf", Data: []byte("PDF")}},
			{Type: core.PartMedia, Media: &core.Media{MimeType: "audio/wav", Name: "a.wav", Data: []byte("RIFF")}},
		}},
		{Role: core.RoleUser, Parts: []core.Part{{Type: core.PartText, Text: "Go on."}}},
		{Role: core.RoleAssistant, Origin: &core.Origin{Protocol: "openai.responses", Provider: "openai", RequestModel: model}, Parts: []core.Part{
			{Type: core.PartReasoning, Text: "hm", Native: json.RawMessage(`{"type":"reasoning","encrypted_content":"x"}`)},
			{Type: core.PartText, Text: ""},
			{Type: core.PartOther, Native: json.RawMessage(`{"type":"web_search_call"}`)},
			{Type: core.PartToolCall, ID: "ws_1", Name: "web_search", Server: true, Arguments: json.RawMessage(`{}`)},
			call(long), call("call_0"),
			{Type: core.PartToolCall, ID: "call_1", Name: "broken", Text: `{"a":`},
		}},
		results(result(long, "one"),
			core.Part{Type: core.PartToolResult, ID: "call_0", IsError: true},
			core.Part{Type: core.PartToolResult, ID: "call_1", Result: []core.Part{{Type: core.PartText, Text: "shot:"}, shot}}),
		{Role: core.RoleAssistant, Parts: []core.Part{call("call_0")}}, // the same id once more
		results(result("call_0", "two")),
		providertest.User("And now?"),
	}
}

func TestForeignConversation(t *testing.T) {
	server := fake.New(fake.Say("fine"), fake.Say("fine"))
	c := client(t, server)
	r := core.Request{Model: model, Messages: foreign()}
	providertest.Must(t, c, r)
	first := server.Requests()[0].Body
	b := sent(t, server)
	if n := len(server.Requests()); n != 1 {
		t.Fatalf("%d calls", n)
	}
	if got := len(b.Messages); got != 7 {
		t.Errorf("%d messages: %s", got, first)
	}
	if got := blocks(b, 2); len(got) != 5 || !strings.Contains(got[1], `"image"`) || !strings.Contains(got[2], `"document"`) || !strings.Contains(got[3], "a.wav") {
		t.Errorf("the user's parts: %s", got)
	}
	if got := blocks(b, 4); !strings.Contains(got[2], `"media_type":"image/png"`) || !strings.Contains(got[2], "shot:") {
		t.Errorf("the results: %s", got)
	}
	providertest.Must(t, c, r)
	if again := server.Requests()[1].Body; string(first) != string(again) {
		t.Error("the same conversation gives another prompt")
	}
}

func TestCacheMarks(t *testing.T) {
	server := fake.New(fake.Say("fine"), fake.Say("fine"))
	c := client(t, server)
	r := core.Request{
		Model: model, System: "Be brief.", Messages: foreign(),
		Tools: []core.ToolSpec{{Name: "a", Parameters: json.RawMessage(`{"type":"object"}`)}, {Name: "b", Parameters: json.RawMessage(`{"type":"object"}`)}},
	}
	providertest.Must(t, c, r)
	b := sent(t, server)
	marked := []string{}
	for i := range b.Messages {
		for _, block := range blocks(b, i) {
			if strings.Contains(block, "cache_control") {
				marked = append(marked, block)
			}
		}
	}
	if len(marked) != 2 || !strings.Contains(marked[1], "And now?") || !strings.Contains(marked[0], "shot:") || b.System[0]["cache_control"] == nil {
		t.Errorf("marked %q, system %v", marked, b.System)
	}
	r.System = ""
	providertest.Must(t, c, r)
	if b = sent(t, server); b.Tools[1]["cache_control"] == nil || b.Tools[0]["cache_control"] != nil {
		t.Errorf("tools %v", b.Tools)
	}
}

func TestEffort(t *testing.T) {
	adaptive := func(effort string) string {
		if effort == "" {
			return `{"thinking":{"display":"summarized","type":"adaptive"}}`
		}
		return `{"output_config":{"effort":"` + effort + `"},"thinking":{"display":"summarized","type":"adaptive"}}`
	}
	tests := []struct {
		model  string
		effort core.Effort
		want   string
		tokens int64
	}{
		{"claude-3-5-haiku-latest", core.EffortHigh, `{}`, 8192},
		{"claude-3-opus-20240229", "", `{}`, 4096},
		{"claude-3-7-sonnet-20250219", core.EffortLow, `{"thinking":{"budget_tokens":4096,"type":"enabled"}}`, 32000},
		{"claude-opus-4-20250514", core.EffortHigh, `{"thinking":{"budget_tokens":16000,"type":"enabled"}}`, 32000},
		{"claude-haiku-4-5-20251001", core.EffortMedium, `{"thinking":{"budget_tokens":10000,"type":"enabled"}}`, 32000},
		{"claude-haiku-4-5", "", `{}`, 32000},
		{"claude-haiku-4-5", core.EffortNone, `{}`, 32000},
		{"claude-opus-4-6", core.EffortHigh, adaptive("high"), 64000},
		{"claude-opus-4-6", "", `{}`, 64000},
		{"anthropic/claude-sonnet-4.6", core.EffortLow, adaptive("low"), 64000},
		{"claude-sonnet-5", "", adaptive(""), 64000},
		{"claude-sonnet-5", core.EffortNone, `{"thinking":{"type":"disabled"}}`, 64000},
		{"claude-sonnet-5-5", core.EffortNone, `{"thinking":{"type":"between_tools"}}`, 64000},
		{"claude-opus-5-5", core.EffortNone, adaptive("low"), 64000},
		{"claude-mythos-preview", core.EffortMedium, adaptive("medium"), 64000},
		{"deepseek-chat", "", `{}`, 8192},
		{"deepseek-chat", core.EffortLow, `{"thinking":{"budget_tokens":4096,"type":"enabled"}}`, 8192},
	}
	for _, test := range tests {
		server := fake.New(fake.Say("fine"))
		r := ask("hi")
		r.Model, r.Effort = test.model, test.effort
		providertest.Must(t, client(t, server), r)
		b := sent(t, server)
		fields := map[string]any{}
		if b.Thinking != nil {
			fields["thinking"] = b.Thinking
		}
		if len(b.OutputConfig) > 0 {
			fields["output_config"] = b.OutputConfig
		}
		got, _ := json.Marshal(fields)
		if string(got) != test.want || b.MaxTokens != test.tokens {
			t.Errorf("%s %q: %s, %d tokens; want %s, %d", test.model, test.effort, got, b.MaxTokens, test.want, test.tokens)
		}
	}
}

// TestEffortAfterForeignCall checks that a model with a budget does not reason in the middle of another model's tool
// calls.
func TestEffortAfterForeignCall(t *testing.T) {
	server := fake.New(fake.Say("fine"), fake.Say("fine"))
	c := client(t, server)
	r := core.Request{Model: model, Effort: core.EffortHigh, Messages: foreign()[:6]}
	providertest.Must(t, c, r)
	if b := sent(t, server); b.Thinking != nil {
		t.Errorf("thinking %v", b.Thinking)
	}
	r.Messages = append(r.Messages, core.Message{Role: core.RoleAssistant, Parts: []core.Part{{Type: core.PartText, Text: "Done."}}}, providertest.User("Think."))
	providertest.Must(t, c, r)
	if b := sent(t, server); b.Thinking == nil {
		t.Error("no thinking in a new turn")
	}
}

func TestSettings(t *testing.T) {
	temperature := 0.25
	spec := core.ToolSpec{Name: "edit", Description: "Edits.", Parameters: json.RawMessage(`{"type":"object","properties":{"z":{"type":"string"},"a":{}}, "$schema":"x"}`)}
	server := fake.New(fake.Say("a"), fake.Say("b"), fake.Say("c"))
	e := at(t, server)
	e.BaseURL += "/v1"
	e.Headers = map[string]string{"X-Team": "trees"}
	e.Extra = map[string]any{"service_tier": "standard_only", "temperature": nil, "metadata": map[string]any{"user_id": "u.1"}, "a.b": 1}
	c := anthropic.New(e)
	r := ask("hi")
	r.Temperature, r.MaxOutputTokens, r.Tools, r.ToolChoice = &temperature, 77, []core.ToolSpec{spec}, core.ToolChoiceRequired
	providertest.Must(t, c, r)
	b := sent(t, server)
	var extra struct {
		Tier     string         `json:"service_tier"`
		Metadata map[string]any `json:"metadata"`
		Dotted   int            `json:"a.b"`
	}
	request := server.Requests()[0]
	if err := json.Unmarshal(request.Body, &extra); err != nil {
		t.Fatal(err)
	}
	if extra.Tier != "standard_only" || extra.Metadata["user_id"] != "u.1" || extra.Dotted != 1 || b.Temperature != nil || request.Header.Get("X-Team") != "trees" {
		t.Errorf("extra %+v, temperature %v", extra, b.Temperature)
	}
	if b.MaxTokens != 77 || b.ToolChoice["type"] != "any" {
		t.Errorf("%d tokens, choice %v", b.MaxTokens, b.ToolChoice)
	}
	if !strings.Contains(string(request.Body), `{"type":"object","properties":{"z":{"type":"string"},"a":{}},"$schema":"x"}`) {
		t.Errorf("the schema is another: %s", request.Body)
	}
	r.ToolChoice, r.Effort = core.ToolChoiceNone, core.EffortHigh
	r.MaxOutputTokens = 0
	providertest.Must(t, client(t, server), r)
	if b = sent(t, server); b.ToolChoice["type"] != "none" || b.Temperature != nil || b.Thinking == nil {
		t.Errorf("choice %v, temperature %v, thinking %v", b.ToolChoice, b.Temperature, b.Thinking)
	}
	r.Tools = []core.ToolSpec{{Name: "x", Parameters: json.RawMessage(`{"anyOf":[{"required":["a"]}],"properties":{"a":{}}}`)}, {Name: "y"}}
	r.Effort, r.ToolChoice = "", ""
	providertest.Must(t, client(t, server), r)
	if b = sent(t, server); *b.Temperature != temperature || len(b.Tools) != 2 {
		t.Errorf("temperature %v, tools %v", b.Temperature, b.Tools)
	}
}
