package ollama_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"coppice/backend/core"
	"coppice/backend/provider/ollama"
	"coppice/backend/provider/ollama/fake"
	"coppice/backend/provider/providertest"
)

// body is what a test reads of a request.
type body struct {
	Messages []map[string]any `json:"messages"`
	Tools    []map[string]any `json:"tools"`
	Think    any              `json:"think"`
	Options  map[string]any   `json:"options"`
	Truncate *bool            `json:"truncate"`
	Keep     string           `json:"keep_alive"`
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

func TestContext(t *testing.T) {
	known := func(m fake.Model) []fake.Model {
		m.Name, m.Capabilities = model, []string{"completion"}
		return []fake.Model{m}
	}
	tests := []struct {
		name   string
		models []fake.Model
		asked  int64
		want   any
	}{
		{"nothing known", nil, 0, 8192.},
		{"asked for", nil, 16_000, 16_000.},
		{"of the model", known(fake.Model{Context: 20_000}), 0, 20_000.},
		{"more than memory", known(fake.Model{Context: 262_144}), 0, 32_768.},
		{"more than the model", known(fake.Model{Context: 20_000}), 100_000, 20_000.},
		{"of its file", known(fake.Model{Context: 262_144, Parameters: "stop \"<end>\"\nnum_ctx   65536\n"}), 0, 65_536.},
		{"elsewhere", known(fake.Model{Context: 262_144, RemoteHost: "https://ollama.com"}), 0, nil},
	}
	for _, test := range tests {
		server := fake.New(fake.Say("a"), fake.Say("b"))
		server.Models = test.models
		c := client(t, server)
		r := ask("hi")
		r.ContextTokens = test.asked
		providertest.Must(t, c, r)
		b := sent(t, server)
		if b.Options["num_ctx"] != test.want || b.Truncate == nil || *b.Truncate {
			t.Errorf("%s: options %v, truncate %v", test.name, b.Options, b.Truncate)
		}
	}
}

func TestThink(t *testing.T) {
	tests := []struct {
		model        string
		capabilities []string
		effort       core.Effort
		want         any
	}{
		{model, []string{"completion", "thinking"}, "", true},
		{model, []string{"completion", "thinking"}, core.EffortNone, false},
		{model, []string{"completion", "thinking"}, core.EffortLow, true},
		{model, []string{"completion"}, core.EffortHigh, nil},
		{model, nil, "", nil},
		{"gpt-oss:20b", []string{"completion", "thinking"}, core.EffortHigh, "high"},
		{"gpt-oss:20b", []string{"completion", "thinking"}, core.EffortNone, "low"},
		{"gpt-oss:20b", []string{"completion", "thinking"}, "", nil},
	}
	for _, test := range tests {
		server := fake.New(fake.Say("a"))
		if test.capabilities != nil {
			server.Models = []fake.Model{{Name: test.model, Capabilities: test.capabilities}}
		}
		r := ask("hi")
		r.Model, r.Effort = test.model, test.effort
		providertest.Must(t, client(t, server), r)
		if b := sent(t, server); b.Think != test.want {
			t.Errorf("%+v: %v", test, b.Think)
		}
	}
}

func TestSettings(t *testing.T) {
	temperature := 0.5
	server := fake.New(fake.Say("a"), fake.Say("b"))
	e := at(t, server)
	e.Key, e.BaseURL = "secret", e.BaseURL+"/v1"
	e.Extra = map[string]any{"keep_alive": "1h", "truncate": nil, "options": map[string]any{"num_gpu": 1}}
	r := ask("hi")
	r.System, r.Temperature, r.MaxOutputTokens = "Be brief.", &temperature, 99
	r.Tools = []core.ToolSpec{{Name: "a", Description: "A.", Parameters: json.RawMessage(`{"type":"object"}`)}, {Name: "b"}}
	c := ollama.New(e)
	providertest.Must(t, c, r)
	b := sent(t, server)
	wantOptions := map[string]any{"num_ctx": 8192., "num_gpu": 1., "num_predict": 99., "temperature": 0.5}
	if !reflect.DeepEqual(b.Options, wantOptions) || b.Keep != "1h" || b.Truncate != nil || len(b.Tools) != 2 {
		t.Errorf("body %+v", b)
	}
	if b.Messages[0]["role"] != "system" || b.Messages[0]["content"] != "Be brief." {
		t.Errorf("system %v", b.Messages[0])
	}
	if got := server.Requests()[0].Header.Get("Authorization"); got != "Bearer secret" {
		t.Errorf("key %q", got)
	}
	r.ToolChoice = core.ToolChoiceNone
	providertest.Must(t, c, r)
	if b = sent(t, server); len(b.Tools) != 0 {
		t.Errorf("tools %v", b.Tools)
	}
}

// TestConversation checks the form of an own answer and of messages of other providers.
func TestConversation(t *testing.T) {
	server := fake.New(rich(), fake.Say("fine"))
	c := client(t, server)
	m := providertest.Must(t, c, ask("how is the weather?"))
	shot := core.Part{Type: core.PartMedia, Media: &core.Media{MimeType: "image/png", Data: []byte("PNG")}}
	foreign := *m
	foreign.Origin = &core.Origin{Protocol: "anthropic.messages", Provider: "anthropic", RequestModel: model}
	foreign.Parts = append([]core.Part{{Type: core.PartOther, Native: json.RawMessage(`{"type":"x"}`)}}, m.Parts...)
	foreign.Parts = append(foreign.Parts, core.Part{Type: core.PartToolCall, ID: "s", Name: "search", Server: true})
	outcome := core.Message{Role: core.RoleTool, Parts: []core.Part{
		{Type: core.PartToolResult, ID: m.Parts[2].ID, Result: []core.Part{{Type: core.PartText, Text: "21C"}}},
		{Type: core.PartToolResult, ID: m.Parts[3].ID, IsError: true, Result: []core.Part{{Type: core.PartText, Text: "gone"}}},
		{Type: core.PartToolResult, ID: "c3", Result: []core.Part{shot}},
	}}
	r := ask("how is the weather?")
	r.Messages = append(r.Messages, *m, outcome, foreign, outcome, core.Message{Role: core.RoleUser, Parts: []core.Part{{Type: core.PartText, Text: " "}}},
		core.Message{Role: core.RoleUser, Parts: []core.Part{{Type: core.PartSummary, Text: "And?"}, shot}})
	providertest.Must(t, c, r)
	b := sent(t, server)
	roles := ""
	for _, message := range b.Messages {
		role, _ := message["role"].(string)
		roles += role[:1]
	}
	if roles != "uatttuatttuu" {
		t.Errorf("roles %s", roles)
	}
	if b.Messages[1]["thinking"] != rich().Thinking || b.Messages[6]["thinking"] != nil {
		t.Errorf("thinking %v, %v", b.Messages[1]["thinking"], b.Messages[6]["thinking"])
	}
	if calls, _ := b.Messages[6]["tool_calls"].([]any); len(calls) != 3 {
		t.Errorf("calls %v", calls)
	}
	if !strings.Contains(string(server.Requests()[1].Body), `"arguments":{"city":"Paris","n":12345678901234567890}`) {
		t.Error("arguments have changed")
	}
	if got := b.Messages[3]; got["content"] != "error: gone" || got["tool_name"] != "weather" || got["tool_call_id"] != m.Parts[3].ID {
		t.Errorf("result %v", got)
	}
	if got := b.Messages[5]["images"]; !reflect.DeepEqual(got, []any{"UE5H"}) {
		t.Errorf("images of tools %v", got)
	}
	if got := b.Messages[11]; got["content"] != "And?" || !reflect.DeepEqual(got["images"], []any{"UE5H"}) {
		t.Errorf("last message %v", got)
	}
}
