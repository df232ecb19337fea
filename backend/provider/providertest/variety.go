package providertest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"testing"

	"coppice/backend/core"
	"coppice/backend/provider/endpoint"
)

// SendVariety sends requests that use everything that a request and an endpoint can hold, for each of the models. The
// server rejects all of them; Recorded compares them.
func SendVariety(t *testing.T, connect func(endpoint.Endpoint) Model, provider, path string, models ...string) {
	t.Helper()
	base, client := Serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, `{"error":{"message":"no"}}`)
	}))
	plain := endpoint.Endpoint{Provider: provider, BaseURL: base + path, Client: client}
	set := plain
	set.Key, set.Headers = "key-of-the-user", map[string]string{"X-Own": "own", "User-Agent": "mine"}
	set.Extra = map[string]any{
		"model": nil, "stop": []string{"END"}, "a.b": 1.5, "metadata": map[string]any{"x.y": true, "z": nil},
		"thinking": map[string]any{"own": 1}, "generationConfig": map[string]any{"topK": 7}, "options": map[string]any{"top_k": 7},
	}
	for _, e := range []endpoint.Endpoint{plain, set} {
		m := connect(e)
		for _, r := range variety(models) {
			if _, _, err := Run(t, m, r); err == nil {
				t.Error("the server answers")
			}
		}
	}
}

// variety returns the requests of SendVariety.
func variety(models []string) []core.Request {
	var all []core.Request
	for _, model := range models {
		for _, effort := range []core.Effort{"", core.EffortNone, core.EffortLow, core.EffortMedium, core.EffortHigh} {
			r := core.Request{Model: model, Effort: effort, System: "Be <brief> & kind.", Temperature: new(0.7), Messages: []core.Message{User("hi")}}
			all = append(all, r)
			r.MaxOutputTokens, r.Temperature, r.CacheKey, r.ContextTokens = 3000, nil, "session-1", 16_000
			r.Tools, r.Messages = tools(), conversation()
			for _, choice := range []core.ToolChoice{"", core.ToolChoiceAuto, core.ToolChoiceNone, core.ToolChoiceRequired} {
				if r.ToolChoice = choice; choice == "" || effort == "" || effort == core.EffortHigh {
					all = append(all, r)
				}
			}
		}
	}
	for _, temperature := range []float64{0, 1, 0.1, 1.0 / 3, 1e-7} {
		all = append(all, core.Request{Model: models[0], Temperature: &temperature, MaxOutputTokens: 1 << 40, Messages: []core.Message{User("hi")}})
	}
	return append(all, core.Request{Model: models[0], ToolChoice: core.ToolChoiceRequired, Messages: []core.Message{User("hi")}})
}

func tools() []core.ToolSpec {
	return []core.ToolSpec{
		{Name: "look", Description: "Looks <at> it.", Parameters: json.RawMessage(`{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"b":{"type":"integer","maximum":12345678901234567890},"a":{"type":"string"}},"required":["a"]}`)},
		{Name: "now"},
		{Name: "choice", Parameters: json.RawMessage(`{"oneOf":[{"required":["x"]}],"properties":{"x":{}}}`)},
		{Name: "untyped", Parameters: json.RawMessage(`{}`)},
		{Name: "odd", Parameters: json.RawMessage(`true`)},
	}
}

// conversation holds messages of other providers, with every kind of part.
func conversation() []core.Message {
	text := func(s string) core.Part { return core.Part{Type: core.PartText, Text: s} }
	media := func(mime, name, data string) core.Part {
		return core.Part{Type: core.PartMedia, Media: &core.Media{MimeType: mime, Name: name, Data: []byte(data)}}
	}
	elsewhere := &core.Origin{Protocol: "other", Provider: "other", RequestModel: "other"}
	calls := []core.Part{
		{Type: core.PartReasoning, Text: "Hm.", Native: json.RawMessage(`{"type":"thinking","thinking":"Hm.","signature":"S"}`)},
		text("I look <there>\u2028& \"here\"."), media("image/png", "made.png", "PNG"),
		{Type: core.PartToolCall, ID: "id with spaces, longer than what any server takes of an id of a call", Name: "look at/it", Arguments: json.RawMessage(`{"a":"<1>","n":12345678901234567890}`)},
		{Type: core.PartToolCall, ID: "call_B", Name: "now", Text: `{"half`},
		{Type: core.PartToolCall, ID: "call_C", Name: "now"},
		{Type: core.PartToolCall, ID: "srv_1", Name: "web_search", Server: true, Arguments: json.RawMessage(`{}`)},
		{Type: core.PartOther, Native: json.RawMessage(`{"x":1}`)},
	}
	results := []core.Part{
		{Type: core.PartToolResult, ID: calls[3].ID, Name: "look at/it", Result: []core.Part{text("seen:"), media("image/jpeg", "b.jpg", "JPG"), media("application/zip", "a.zip", "PK")}},
		{Type: core.PartToolResult, ID: "call_B", Name: "now", IsError: true, Result: []core.Part{text("no JSON")}},
		{Type: core.PartToolResult, ID: "call_C", Name: "now", IsError: true, Structured: json.RawMessage(`{"code":7}`)},
		{Type: core.PartToolResult, ID: "call_D", Name: "late"},
	}
	messages := []core.Message{
		{Role: core.RoleAssistant, Parts: []core.Part{text("Hello.")}, Origin: elsewhere},
		{Role: core.RoleUser, Parts: []core.Part{{Type: core.PartSummary, Text: "Before: much."}, text(""), text("  ")}},
		{Role: core.RoleSystem, Parts: []core.Part{text("Mind the gap.")}},
		{Role: core.RoleUser, Parts: []core.Part{
			text("Look: é ☂ \x00 \xff"), media("image/png", "a.png", "PNG"), media("application/pdf", "a.pdf", "PDF"), media("text/plain", "a.txt", "words"),
			media("audio/wav", "a.wav", "RIFF"), media("image/webp", "", ""),
			{Type: core.PartMedia, Media: &core.Media{MimeType: "image/png", URI: "file:///a"}},
		}},
		{Role: core.RoleAssistant, Parts: calls, Origin: elsewhere},
		{Role: core.RoleTool, Parts: results},
		{Role: core.RoleAssistant, Parts: []core.Part{{Type: core.PartReasoning, Text: "nothing to send"}}, Origin: elsewhere},
	}
	return append(messages, User(fmt.Sprintf("And? %c", 0x1F600)))
}
