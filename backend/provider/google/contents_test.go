package google_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"coppice/backend/core"
	"coppice/backend/provider/google"
	"coppice/backend/provider/google/fake"
	"coppice/backend/provider/providertest"
)

// body is what a test reads of a request.
type body struct {
	System struct {
		Parts []map[string]any `json:"parts"`
	} `json:"systemInstruction"`
	Contents []struct {
		Role  string            `json:"role"`
		Parts []json.RawMessage `json:"parts"`
	} `json:"contents"`
	Config     map[string]any   `json:"generationConfig"`
	Tools      []map[string]any `json:"tools"`
	ToolConfig map[string]any   `json:"toolConfig"`
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

var plain = strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&")

// parts returns the parts of a content as they were sent, with < and > unescaped.
func parts(b body, i int) []string {
	var all []string
	for _, raw := range b.Contents[i].Parts {
		all = append(all, plain.Replace(string(raw)))
	}
	return all
}

func result(id, text string) core.Part {
	return core.Part{Type: core.PartToolResult, ID: id, Name: "weather", Result: []core.Part{{Type: core.PartText, Text: text}}}
}

// next is the request that follows an answer with the three calls of rich.
func next(m *core.Message) core.Request {
	r := ask("how is the weather?")
	failed := result("fc_1", "no clock")
	failed.Name, failed.IsError = "now", true
	outcome := core.Message{Role: core.RoleTool, Parts: []core.Part{result(m.Parts[3].ID, "21C"), result(m.Parts[4].ID, "19C"), failed}}
	r.Messages = append(r.Messages, *m, outcome)
	return r
}

func TestReplay(t *testing.T) {
	server := fake.New(rich(), fake.Say("fine"))
	c := client(t, server)
	providertest.Must(t, c, next(providertest.Must(t, c, ask("how is the weather?"))))
	want := []string{
		`{"text":"I need <the> weather twice. ☂","thought":true}`,
		`{"text":"Let me look — 見る."}`,
		`{"text":"","thoughtSignature":"U0lHLTE="}`,
		`{"functionCall":{"name":"weather","args":` + paris + `},"thoughtSignature":"U0lHLTI="}`,
		`{"functionCall":{"name":"weather","args":` + paris + `}}`,
		`{"functionCall":{"id":"fc_1","name":"now","args":{}}}`,
		`{"executableCode":{"language":"PYTHON","code":"1+1","x_future":[1]}}`,
	}
	b := sent(t, server)
	if got := parts(b, 1); !reflect.DeepEqual(got, want) {
		t.Errorf("sent back:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	want = []string{
		`{"functionResponse":{"name":"weather","response":{"output":"21C"}}}`,
		`{"functionResponse":{"name":"weather","response":{"output":"19C"}}}`,
		`{"functionResponse":{"id":"fc_1","name":"now","response":{"error":"no clock"}}}`,
	}
	if got := parts(b, 2); !reflect.DeepEqual(got, want) {
		t.Errorf("results:\n%s", strings.Join(got, "\n"))
	}
}

// TestForeignOrigin checks that the native form is sent only to its own provider, model and protocol.
func TestForeignOrigin(t *testing.T) {
	changes := map[string]func(*core.Message, *core.Request){
		"model":     func(_ *core.Message, r *core.Request) { r.Model = "gemini-3-flash" },
		"old model": func(_ *core.Message, r *core.Request) { r.Model = "gemini-2.5-pro" },
		"provider":  func(m *core.Message, _ *core.Request) { m.Origin.Provider = "proxy" },
		"protocol":  func(m *core.Message, _ *core.Request) { m.Origin.Protocol = "openai.chat" },
		"unknown":   func(m *core.Message, _ *core.Request) { m.Origin = nil },
	}
	for name, change := range changes {
		server := fake.New(rich(), fake.Say("fine"))
		c := client(t, server)
		r := next(providertest.Must(t, c, ask("how is the weather?")))
		change(&r.Messages[1], &r)
		providertest.Must(t, c, r)
		signature := `,"thoughtSignature":"skip_thought_signature_validator"`
		if name == "old model" {
			signature = ""
		}
		want := []string{
			`{"text":"Let me look — 見る."}`,
			`{"functionCall":{"name":"weather","args":` + paris + `}` + signature + `}`,
			`{"functionCall":{"name":"weather","args":` + paris + `}}`,
			`{"functionCall":{"name":"now","args":{}}}`,
		}
		b := sent(t, server)
		if got := parts(b, 1); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: sent %s", name, strings.Join(got, "\n"))
		}
		if got := parts(b, 2); strings.Contains(strings.Join(got, ""), `"id"`) {
			t.Errorf("%s: results %s", name, got)
		}
	}
}

// foreign is a conversation of other providers and other programs.
func foreign() []core.Message {
	call := func(id, name string) core.Part {
		return core.Part{Type: core.PartToolCall, ID: id, Name: name, Arguments: json.RawMessage(`{"a":1}`)}
	}
	shot := core.Part{Type: core.PartMedia, Media: &core.Media{MimeType: "image/png", Data: []byte("PNG")}}
	return []core.Message{
		{Role: core.RoleAssistant, Parts: []core.Part{{Type: core.PartText, Text: "Hello, I begin."}}},
		{Role: core.RoleUser, Parts: []core.Part{{Type: core.PartText, Text: " \n"}}},
		{Role: core.RoleUser, Parts: []core.Part{
			{Type: core.PartSummary, Text: "What was before."},
			shot,
			{Type: core.PartMedia, Media: &core.Media{MimeType: "application/zip", Name: "a.zip", Data: []byte("PK")}},
		}},
		{Role: core.RoleAssistant, Origin: &core.Origin{Protocol: "anthropic.messages", Provider: "anthropic", RequestModel: model}, Parts: []core.Part{
			{Type: core.PartReasoning, Text: "hm", Native: json.RawMessage(`{"type":"thinking","thinking":"hm","signature":"S"}`)},
			{Type: core.PartText, Text: ""},
			{Type: core.PartToolCall, ID: "ws_1", Name: "web_search", Server: true, Arguments: json.RawMessage(`{}`)},
			call("toolu_1", "mcp/server tool"), call("toolu_2", "9lives"),
			{Type: core.PartToolCall, ID: "toolu_3", Name: "broken", Text: `{"a":`},
		}},
		{Role: core.RoleTool, Parts: []core.Part{
			{Type: core.PartToolResult, ID: "toolu_1", Result: []core.Part{{Type: core.PartText, Text: "one"}}},
			{Type: core.PartToolResult, ID: "toolu_2", IsError: true},
			{Type: core.PartToolResult, ID: "toolu_3", Result: []core.Part{{Type: core.PartText, Text: "shot:"}, shot}},
		}},
		providertest.User("And now?"),
	}
}

func TestForeignConversation(t *testing.T) {
	server := fake.New(fake.Say("fine"), fake.Say("fine"))
	c := client(t, server)
	r := core.Request{Model: model, Messages: foreign()}
	providertest.Must(t, c, r)
	b := sent(t, server)
	roles := ""
	for _, content := range b.Contents {
		roles += content.Role[:1]
	}
	if roles != "mumuu" {
		t.Errorf("roles %s", roles)
	}
	if got := parts(b, 1); len(got) != 3 || got[1] != `{"inlineData":{"mimeType":"image/png","data":"UE5H"}}` || !strings.Contains(got[2], "a.zip") {
		t.Errorf("the user's parts %s", got)
	}
	want := `{"functionResponse":{"name":"broken","response":{"output":"shot:"},"parts":[{"inlineData":{"mimeType":"image/png","data":"UE5H"}}]}}`
	if got := parts(b, 3); len(got) != 3 || got[2] != want {
		t.Errorf("results %s", got)
	}
	r.Model = "gemini-2.5-flash" // accepts no images in results
	providertest.Must(t, c, r)
	b = sent(t, server)
	if got := parts(b, 4); len(b.Contents) != 6 || len(got) != 2 || !strings.Contains(got[1], "UE5H") {
		t.Errorf("the images of results: %s", got)
	}
}

func TestEffort(t *testing.T) {
	tests := []struct {
		model  string
		effort core.Effort
		want   string
	}{
		{"gemini-2.0-flash", core.EffortHigh, `null`},
		{"gemma-3-27b-it", core.EffortHigh, `null`},
		{"gemini-2.5-flash-image", "", `null`},
		{"gemini-2.5-flash-lite", "", `null`},
		{"gemini-2.5-flash", "", `{"includeThoughts":true}`},
		{"gemini-2.5-flash", core.EffortNone, `{"thinkingBudget":0}`},
		{"gemini-2.5-pro", core.EffortNone, `{"thinkingBudget":128}`},
		{"gemini-2.5-flash-lite", core.EffortMedium, `{"includeThoughts":true,"thinkingBudget":8192}`},
		{"gemini-3-pro-preview", core.EffortMedium, `{"includeThoughts":true,"thinkingLevel":"HIGH"}`},
		{"gemini-3.1-pro", core.EffortMedium, `{"includeThoughts":true,"thinkingLevel":"MEDIUM"}`},
		{"gemini-3-flash", core.EffortNone, `{"thinkingLevel":"MINIMAL"}`},
		{"gemini-flash-latest", core.EffortLow, `{"includeThoughts":true,"thinkingLevel":"LOW"}`},
	}
	for _, test := range tests {
		server := fake.New(fake.Say("fine"))
		r := ask("hi")
		r.Model, r.Effort = test.model, test.effort
		providertest.Must(t, client(t, server), r)
		if got, _ := json.Marshal(sent(t, server).Config["thinkingConfig"]); string(got) != test.want {
			t.Errorf("%s %q: %s, want %s", test.model, test.effort, got, test.want)
		}
	}
}

func TestSettings(t *testing.T) {
	temperature := 0.7
	server := fake.New(fake.Say("a"), fake.Say("b"))
	e := at(t, server)
	e.Headers = map[string]string{"X-Team": "trees"}
	e.Extra = map[string]any{"safetySettings": []any{}, "generationConfig": map[string]any{"topK": 3}, "toolConfig": nil}
	r := ask("hi")
	r.System, r.Temperature, r.MaxOutputTokens = "Be brief.", &temperature, 99
	r.Tools = []core.ToolSpec{
		{Name: "a", Description: "A.", Parameters: json.RawMessage(`{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"x":{"oneOf":[{"type":"string"},{"type":"null"}],"exclusiveMinimum":1}},"additionalProperties":false}`)},
		{Name: "b"},
	}
	r.ToolChoice = core.ToolChoiceRequired
	providertest.Must(t, google.New(e), r)
	b := sent(t, server)
	if b.Config["temperature"] != 0.7 || b.Config["maxOutputTokens"] != 99. || b.Config["topK"] != 3. || b.ToolConfig != nil || b.System.Parts[0]["text"] != "Be brief." {
		t.Errorf("body %+v", b)
	}
	if server.Requests()[0].Header.Get("X-Team") != "trees" || !strings.Contains(string(server.Requests()[0].Body), `"safetySettings":[]`) {
		t.Error("what the endpoint adds is not there")
	}
	got, _ := json.Marshal(b.Tools)
	want := `[{"functionDeclarations":[{"description":"A.","name":"a","parametersJsonSchema":{"additionalProperties":false,"properties":{"x":{"exclusiveMinimum":1,"oneOf":[{"type":"string"},{"type":"null"}]}},"type":"object"}},{"name":"b"}]}]`
	if string(got) != want {
		t.Errorf("tools %s", got)
	}
	r.ToolChoice = core.ToolChoiceNone
	providertest.Must(t, client(t, server), r)
	if got, _ := json.Marshal(sent(t, server).ToolConfig); string(got) != `{"functionCallingConfig":{"mode":"NONE"}}` {
		t.Errorf("choice %s", got)
	}
}
