package openai_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"coppice/backend/core"
	"coppice/backend/provider/endpoint"
	"coppice/backend/provider/openai"
	"coppice/backend/provider/openai/fake"
	"coppice/backend/provider/providertest"
)

// chunks writes the data of each event of a stream.
func chunks(data ...string) string {
	var b strings.Builder
	for _, d := range data {
		b.WriteString("data: " + d + "\n\n")
	}
	return b.String()
}

// chunk is a chunk with a delta and a finish reason, both JSON.
func chunk(delta, finish string) string {
	return `{"id":"c1","model":"m","choices":[{"index":0,"delta":` + delta + `,"finish_reason":` + finish + `}]}`
}

// calls returns a message's calls, as NAME(ARGUMENTS), or NAME!TEXT if the arguments are not an object.
func calls(m core.Message) string {
	var list []string
	for _, p := range m.Parts {
		switch {
		case p.Type != core.PartToolCall:
		case p.Arguments != nil:
			list = append(list, p.Name+"("+string(p.Arguments)+")")
		default:
			list = append(list, p.Name+"!"+p.Text)
		}
	}
	return strings.Join(list, " ")
}

// Streams as different servers write them that implement the protocol.
func TestChatDialects(t *testing.T) {
	tests := []struct {
		name, stream           string
		text, reasoning, calls string
		finish                 string
	}{
		{
			"no index", chunks(
				chunk(`{"tool_calls":[{"id":"a","type":"function","function":{"name":"x","arguments":"{\"n\":"}}]}`, "null"),
				chunk(`{"tool_calls":[{"function":{"arguments":"1}"}}]}`, "null"),
				chunk(`{"tool_calls":[{"id":"b","type":"function","function":{"name":"x","arguments":"{}"}}]}`, "null"),
				chunk(`{}`, `"tool_calls"`)),
			"", "", `x({"n":1}) x({})`, core.FinishToolCall,
		},
		{
			"no index, no id", chunks(
				chunk(`{"tool_calls":[{"function":{"name":"x","arguments":"{\"n\":1}"}}]}`, "null"),
				chunk(`{"tool_calls":[{"function":{"name":"x","arguments":"{\"n\":2}"}}]}`, `"tool_calls"`)),
			"", "", `x({"n":1}) x({"n":2})`, core.FinishToolCall,
		},
		{
			"all calls at index 0, whole, and stop", chunks(
				chunk(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"x","arguments":"{\"n\":1}"}}]}`, "null"),
				chunk(`{"tool_calls":[{"index":0,"id":"b","function":{"name":"x","arguments":"{\"n\":2}"}}]}`, "null"),
				chunk(`{"content":""}`, `"stop"`)),
			"", "", `x({"n":1}) x({"n":2})`, core.FinishToolCall,
		},
		{
			"another id in each delta", chunks(
				chunk(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"x","arguments":"{"}}]}`, "null"),
				chunk(`{"tool_calls":[{"index":0,"id":"b","function":{"name":null,"arguments":"}"}}]}`, `"tool_calls"`)),
			"", "", `x({})`, core.FinishToolCall,
		},
		{
			"name again in each delta", chunks(
				chunk(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"x","arguments":"{"}}]}`, "null"),
				chunk(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"x","arguments":"}"}}]}`, `"tool_calls"`)),
			"", "", `x({})`, core.FinishToolCall,
		},
		{
			"calls that take turns", chunks(
				chunk(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"x","arguments":"{\"n\""}},{"index":1,"id":"b","function":{"name":"y"}}]}`, "null"),
				chunk(`{"tool_calls":[{"index":1,"function":{"arguments":"{\"m\":2}"}},{"index":0,"function":{"arguments":":1}"}}]}`, `"tool_calls"`)),
			"", "", `x({"n":1}) y({"m":2})`, core.FinishToolCall,
		},
		{
			"arguments as an object", chunks(
				chunk(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"x","arguments":{"n":1}}}]}`, `"tool_calls"`)),
			"", "", `x({"n":1})`, core.FinishToolCall,
		},
		{
			"arguments that are none", chunks(
				chunk(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"x","arguments":"[1]"}},{"index":1,"id":"b","function":{"name":"y","arguments":"go!"}}]}`, `"tool_calls"`)),
			"", "", `x![1] y!go!`, core.FinishToolCall,
		},
		{
			"no [DONE], no usage, nulls everywhere", chunks(
				`{"id":"c","model":"m","error":null,"usage":null,"choices":[{"index":0,"delta":{"role":"assistant","content":null,"tool_calls":null,"reasoning_content":null},"finish_reason":null}]}`,
				chunk(`{"content":"Hi"}`, "null"), chunk(`{}`, `"stop"`)),
			"Hi", "", "", core.FinishStop,
		},
		{
			"text behind the finish", chunks(chunk(`{"content":"a"}`, `"stop"`), chunk(`{"content":"b"}`, `null`)),
			"ab", "", "", core.FinishStop,
		},
		{
			"reasoning_content", chunks(chunk(`{"reasoning_content":"hm "}`, "null"), chunk(`{"reasoning_content":"so"}`, "null"), chunk(`{"content":"Hi"}`, `"stop"`)),
			"Hi", "hm so", "", core.FinishStop,
		},
		{
			"reasoning", chunks(chunk(`{"reasoning":"hm"}`, "null"), chunk(`{"content":"Hi"}`, `"stop"`)),
			"Hi", "hm", "", core.FinishStop,
		},
		{
			"reasoning under both names", chunks(chunk(`{"reasoning":"hm","reasoning_content":"hm"}`, "null"), chunk(`{"content":"Hi"}`, `"stop"`)),
			"Hi", "hm", "", core.FinishStop,
		},
		{
			"reasoning_details alone", chunks(chunk(`{"reasoning_details":[{"type":"reasoning.text","text":"hm","index":0}]}`, "null"), chunk(`{"content":"Hi"}`, `"stop"`)),
			"Hi", "hm", "", core.FinishStop,
		},
		{
			"content filter of Azure", chunks(`{"choices":[],"prompt_filter_results":[{"prompt_index":0}],"usage":null}`, chunk(`{"content":"Hi"}`, `"content_filter"`)),
			"Hi", "", "", core.FinishContentFilter,
		},
		{"length under another name", chunks(chunk(`{"content":"Hi"}`, `"max_tokens"`)), "Hi", "", "", core.FinishLength},
		{"unknown reason", chunks(chunk(`{"content":"Hi"}`, `"eos"`)), "Hi", "", "", core.FinishStop},
		{
			"comments, other fields, other line ends", ": OPENROUTER PROCESSING\r\n\r\nid: 7\r\nretry: 10\r\ndata:" + chunk(`{"content":"Hi"}`, `"stop"`) + "\r\n\r\n: " + strings.Repeat("x", 1<<20) + "\r\n\r\ndata: [DONE]\r\n\r\n",
			"Hi", "", "", core.FinishStop,
		},
		{
			"data over two lines", "data: {\"choices\":[{\"index\":0,\ndata: \"delta\":{\"content\":\"Hi\"},\"finish_reason\":\"stop\"}]}\n\n",
			"Hi", "", "", core.FinishStop,
		},
		{
			"content in pieces", chunks(
				chunk(`{"content":[{"type":"thinking","thinking":[{"type":"text","text":"Let "},{"type":"text","text":"me"}]}]}`, "null"),
				chunk(`{"content":[{"type":"thinking","thinking":[{"type":"text","text":" see."}]}]}`, "null"),
				chunk(`{"content":[{"type":"text","text":"Hi"},{"type":"reference","reference_ids":[1]}]}`, "null"),
				chunk(`{"content":" there"}`, `"stop"`)),
			"Hi there", "Let me see.", "", core.FinishStop,
		},
		{"empty answer", chunks(chunk(`{}`, `"stop"`)), "", "", "", core.FinishStop},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m, err := collect(t, openai.NewChat(at(speaking(test.stream))).Stream(t.Context(), ask("?")))
			if err != nil {
				t.Fatal(err)
			}
			reasoning := ""
			for _, p := range m.Parts {
				if p.Type == core.PartReasoning {
					reasoning += p.Text
				}
			}
			if m.Text() != test.text || reasoning != test.reasoning || calls(m) != test.calls || m.FinishReason != test.finish {
				t.Errorf("%q, %q, %s, %s", m.Text(), reasoning, calls(m), m.FinishReason)
			}
			ids := map[string]bool{}
			for _, p := range m.Parts {
				if p.Type == core.PartToolCall && (p.ID == "" || ids[p.ID]) {
					t.Errorf("the id %q", p.ID)
				}
				ids[p.ID] = true
			}
		})
	}
}

func TestChatErrorsOfServers(t *testing.T) {
	tests := []struct {
		name, stream string
		code         core.Code
	}{
		{"llama.cpp", chunks(chunk(`{"content":"Hi"}`, "null")) + `error: {"code":500,"message":"the request exceeds the available context size","type":"server_error"}` + "\n\n", core.ContextOverflow},
		{"LM Studio", "event: error\ndata: {\"error\":{\"message\":\"The model has crashed\"}}\n\n", core.Unavailable},
		{"OpenRouter", chunks(chunk(`{"content":"Hi"}`, `"error"`)), core.Overloaded},
		{"DeepSeek", chunks(chunk(`{"content":"Hi"}`, `"insufficient_system_resource"`)), core.Overloaded},
		{"no finish_reason", chunks(chunk(`{"content":"Hi"}`, "null"), "[DONE]"), core.TruncatedStream},
		{"half a call", chunks(chunk(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"rm","arguments":"{\"path\":\"/\""}}]}`, "null")), core.TruncatedStream},
		{"a whole call without an end", chunks(chunk(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"rm","arguments":"{}"}}]}`, "null")), core.TruncatedStream},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := collect(t, openai.NewChat(at(speaking(test.stream))).Stream(t.Context(), ask("?")))
			if err == nil || err.Code != test.code {
				t.Errorf("%v, want %s", err, test.code)
			}
		})
	}
}

func TestChatUsage(t *testing.T) {
	tests := []struct {
		name, usage string
		want        *core.Usage
	}{
		{"OpenAI", `{"prompt_tokens":100,"completion_tokens":50,"total_tokens":150,"prompt_tokens_details":{"cached_tokens":80},"completion_tokens_details":{"reasoning_tokens":30}}`, &core.Usage{InputTokens: 100, OutputTokens: 50, CacheReadTokens: 80, ReasoningTokens: 30}},
		{"DeepSeek", `{"prompt_tokens":100,"completion_tokens":50,"total_tokens":150,"prompt_cache_hit_tokens":64,"prompt_cache_miss_tokens":36}`, &core.Usage{InputTokens: 100, OutputTokens: 50, CacheReadTokens: 64}},
		{"Moonshot", `{"prompt_tokens":100,"completion_tokens":50,"total_tokens":150,"cached_tokens":64}`, &core.Usage{InputTokens: 100, OutputTokens: 50, CacheReadTokens: 64}},
		{"xAI: reasoning beside the output", `{"prompt_tokens":100,"completion_tokens":50,"total_tokens":180,"completion_tokens_details":{"reasoning_tokens":30}}`, &core.Usage{InputTokens: 100, OutputTokens: 80, ReasoningTokens: 30}},
		{"Gemini: reasoning in the total alone", `{"prompt_tokens":100,"completion_tokens":50,"total_tokens":400}`, &core.Usage{InputTokens: 100, OutputTokens: 300, ReasoningTokens: 250}},
		{"cached beside the input", `{"prompt_tokens":10,"completion_tokens":50,"total_tokens":60,"prompt_tokens_details":{"cached_tokens":80}}`, &core.Usage{InputTokens: 90, OutputTokens: 50, CacheReadTokens: 80}},
		{"nulls", `{"prompt_tokens":10,"completion_tokens":5,"total_tokens":15,"prompt_tokens_details":null,"completion_tokens_details":null}`, &core.Usage{InputTokens: 10, OutputTokens: 5}},
		{"zero is not told", `{"prompt_tokens":0,"completion_tokens":0,"total_tokens":0}`, nil},
		{"null", `null`, nil},
		{"nonsense", `{"prompt_tokens":-5,"completion_tokens":"many"}`, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for name, stream := range map[string]string{
				"behind": chunks(chunk(`{"content":"Hi"}`, `"stop"`), `{"choices":[],"usage":`+test.usage+`}`, "[DONE]"),
				"beside": chunks(`{"choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":"stop"}],"usage":`+test.usage+`}`, "[DONE]"),
				"inside": chunks(`{"choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":"stop","usage":`+test.usage+`}]}`, "[DONE]"),
			} {
				m, err := collect(t, openai.NewChat(at(speaking(stream))).Stream(t.Context(), ask("?")))
				if err != nil {
					t.Fatal(err)
				}
				if test.want == nil {
					if m.Usage != nil {
						t.Errorf("%s: %+v", name, m.Usage)
					}
					continue
				}
				got := *m.Usage
				if string(got.Native) != test.usage {
					t.Errorf("%s: native is %s", name, got.Native)
				}
				if got.Native = nil; !reflect.DeepEqual(got, *test.want) {
					t.Errorf("%s: %+v, want %+v", name, got, *test.want)
				}
			}
		})
	}
}

func TestChatCost(t *testing.T) {
	tests := []struct {
		name, cost string // JSON in the usage
		nano       int64  // -1: not reported
	}{
		{"plain", `"cost":0.0123`, 12_300_000},
		{"small, with an exponent", `"cost":1.25e-05`, 12_500},
		{"no float could hold it", `"cost":0.047999999`, 47_999_999},
		{"rounded", `"cost":0.0000000015`, 2},
		{"free", `"cost":0`, 0},
		{"own key", `"cost":0.001,"is_byok":true,"cost_details":{"upstream_inference_cost":0.02}`, 21_000_000},
		{"not own key", `"cost":0.001,"is_byok":false,"cost_details":{"upstream_inference_cost":0.02}`, 1_000_000},
		{"vanishing", `"cost":1e-999999999`, 0},
		{"absurd", `"cost":1e999999999`, -1},
		{"negative", `"cost":-1`, -1},
		{"text", `"cost":"0.1"`, -1},
		{"null", `"cost":null`, -1},
		{"none", `"x":1`, -1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			stream := chunks(chunk(`{"content":"Hi"}`, `"stop"`), `{"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2,`+test.cost+`}}`)
			e := at(speaking(stream))
			e.Provider = "openrouter"
			m, err := collect(t, openai.NewChat(e).Stream(t.Context(), ask("?")))
			if err != nil {
				t.Fatal(err)
			}
			if m.CostNanoUSD == nil != (test.nano < 0) || m.CostNanoUSD != nil && *m.CostNanoUSD != test.nano {
				t.Errorf("%v, want %d", m.CostNanoUSD, test.nano)
			}
			other, err := collect(t, openai.NewChat(at(speaking(stream))).Stream(t.Context(), ask("?")))
			if err != nil || other.CostNanoUSD != nil {
				t.Errorf("%v, %v: a cost from one who is not known to count in dollars", other.CostNanoUSD, err)
			}
		})
	}
}

// sent returns the body of a request.
func sent(t *testing.T, connect func(endpoint.Endpoint) providertest.Model, e endpoint.Endpoint, r core.Request) map[string]any {
	t.Helper()
	server := fake.New(fake.Answer{Text: "Hi"})
	e.Client = direct(providertest.Recorded(t, server))
	if _, err := collect(t, connect(e).Stream(t.Context(), r)); err != nil {
		t.Fatalf("%v: %s", err, server.Requests()[0].Body)
	}
	var body map[string]any
	if err := json.Unmarshal(server.Requests()[0].Body, &body); err != nil {
		t.Fatal(err)
	}
	return body
}

// is compares a value of a body with JSON.
func is(t *testing.T, what string, got any, want string) {
	t.Helper()
	var w any
	if err := json.Unmarshal([]byte(want), &w); err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	if !reflect.DeepEqual(got, w) {
		raw, _ := json.Marshal(got)
		t.Errorf("%s:\n%s\nwant\n%s", what, raw, want)
	}
}

// conversation has every kind of part, as another provider left it.
func conversation() core.Request {
	picture := core.Part{Type: core.PartMedia, Media: &core.Media{MimeType: "image/png", Name: "a.png", Data: []byte("PNG")}}
	temperature := 0.5
	return core.Request{
		Model: "o4-mini", System: "Be brief.", Temperature: &temperature, MaxOutputTokens: 1000, CacheKey: "session-1", Effort: core.EffortHigh,
		ToolChoice: core.ToolChoiceRequired,
		Tools: []core.ToolSpec{
			{Name: "look", Description: "Looks.", Parameters: json.RawMessage(`{"type":"object","properties":{"b":{"type":"string"},"a":{"type":"string"}}}`)},
			{Name: "now"},
		},
		Messages: []core.Message{
			{Role: core.RoleUser, Parts: []core.Part{{Type: core.PartSummary, Text: "Before: much."}}},
			{Role: core.RoleUser, Parts: []core.Part{{Type: core.PartText, Text: "Look at"}, picture}},
			{
				Role: core.RoleAssistant, Origin: &core.Origin{Protocol: "anthropic.messages", Provider: "anthropic", RequestModel: "claude"},
				Parts: []core.Part{
					{Type: core.PartReasoning, Text: "Hm.", Native: json.RawMessage(`{"type":"thinking","signature":"S"}`)},
					{Type: core.PartText, Text: "I look."},
					{Type: core.PartToolCall, ID: "toolu_A", Name: "look", Arguments: json.RawMessage(`{"a":"<1>"}`), Native: json.RawMessage(`{"type":"tool_use"}`)},
					{Type: core.PartToolCall, ID: "an id that is too long and has spaces in it, as another provider made it", Name: "now", Text: `{"half`},
					{Type: core.PartToolCall, ID: "srv", Name: "web_search", Server: true, Arguments: json.RawMessage(`{}`)},
				},
			},
			{Role: core.RoleTool, Parts: []core.Part{
				{Type: core.PartToolResult, ID: "toolu_A", Name: "look", Result: []core.Part{{Type: core.PartText, Text: "a picture"}, picture}},
				{Type: core.PartToolResult, ID: "an id that is too long and has spaces in it, as another provider made it", Name: "now", IsError: true},
			}},
			{Role: core.RoleAssistant, Parts: []core.Part{{Type: core.PartReasoning, Text: "nothing to send"}}},
			providertest.User("And?"),
		},
	}
}

func TestChatRequest(t *testing.T) {
	body := sent(t, protocols["chat"], at(nil), conversation())
	is(t, "messages", body["messages"], `[
		{"role":"developer","content":"Be brief."},
		{"role":"user","content":[{"type":"text","text":"Before: much."},{"type":"text","text":"Look at"},{"type":"image_url","image_url":{"url":"data:image/png;base64,UE5H"}}]},
		{"role":"assistant","content":"I look.","tool_calls":[
			{"id":"toolu_A","type":"function","function":{"name":"look","arguments":"{\"a\":\"<1>\"}"}},
			{"id":"call_b747fa59be17cda48ed014f30204f2f0","type":"function","function":{"name":"now","arguments":"{\"invalid_json\":\"{\\\"half\"}"}}]},
		{"role":"tool","tool_call_id":"toolu_A","content":"a picture"},
		{"role":"tool","tool_call_id":"call_b747fa59be17cda48ed014f30204f2f0","content":"(no output)"},
		{"role":"user","content":[{"type":"text","text":"[shown by the tool look]"},{"type":"image_url","image_url":{"url":"data:image/png;base64,UE5H"}},{"type":"text","text":"And?"}]}
	]`)
	delete(body, "messages")
	is(t, "the rest", body, `{
		"model":"o4-mini","stream":true,"stream_options":{"include_usage":true},"temperature":0.5,"max_completion_tokens":1000,
		"prompt_cache_key":"session-1","reasoning_effort":"high","tool_choice":"required",
		"tools":[
			{"type":"function","function":{"name":"look","description":"Looks.","parameters":{"type":"object","properties":{"b":{"type":"string"},"a":{"type":"string"}}}}},
			{"type":"function","function":{"name":"now","parameters":{"type":"object","properties":{}}}}]
	}`)
}

// Mistral accepts ids of nine letters and digits: its own ids are sent back unchanged.
func TestShortIDs(t *testing.T) {
	r := core.Request{Model: "m", Messages: []core.Message{
		providertest.User("Look."),
		{Role: core.RoleAssistant, Parts: []core.Part{
			{Type: core.PartToolCall, ID: "toolu_01", Name: "look", Arguments: json.RawMessage(`{}`)},
			{Type: core.PartToolCall, ID: "aB3456789", Name: "look", Arguments: json.RawMessage(`{}`)},
		}},
		{Role: core.RoleTool, Parts: []core.Part{
			{Type: core.PartToolResult, ID: "toolu_01", Name: "look"}, {Type: core.PartToolResult, ID: "aB3456789", Name: "look"},
		}},
	}}
	body := sent(t, protocols["chat"], endpoint.Endpoint{Provider: "mistral", BaseURL: "https://api.mistral.ai/v1"}, r)
	is(t, "messages", body["messages"], `[
		{"role":"user","content":"Look."},
		{"role":"assistant","content":null,"tool_calls":[
			{"id":"7a95b7039","type":"function","function":{"name":"look","arguments":"{}"}},
			{"id":"aB3456789","type":"function","function":{"name":"look","arguments":"{}"}}]},
		{"role":"tool","tool_call_id":"7a95b7039","content":"(no output)"},
		{"role":"tool","tool_call_id":"aB3456789","content":"(no output)"}
	]`)
}

func TestChatRequestKeepsTheOrderOfASchema(t *testing.T) {
	server := fake.New(fake.Answer{Text: "Hi"})
	if _, err := collect(t, openai.NewChat(at(direct(server))).Stream(t.Context(), conversation())); err != nil {
		t.Fatal(err)
	}
	if body := string(server.Requests()[0].Body); !strings.Contains(body, `"properties":{"b":{"type":"string"},"a":{"type":"string"}}`) {
		t.Error(body)
	}
}

func TestQuirks(t *testing.T) {
	r := core.Request{Model: "m", System: "S", MaxOutputTokens: 7, Effort: core.EffortLow, CacheKey: "k", Messages: []core.Message{providertest.User("?")}}
	none := r
	none.Effort = core.EffortNone
	tests := []struct {
		provider, url string
		request       core.Request
		want          string // without the messages, the model and stream
	}{
		{"lmstudio", "http://127.0.0.1:1234/v1", r, `{"stream_options":{"include_usage":true},"max_tokens":7,"reasoning_effort":"low"}`},
		{"lmstudio", "http://127.0.0.1:1234/v1", none, `{"stream_options":{"include_usage":true},"max_tokens":7}`},
		{"mine", "https://openrouter.ai/api/v1", r, `{"stream_options":{"include_usage":true},"max_tokens":7,"reasoning":{"effort":"low"},"usage":{"include":true}}`},
		{"deepseek", "https://api.deepseek.com", r, `{"stream_options":{"include_usage":true},"max_tokens":7,"thinking":{"type":"enabled"}}`},
		{"deepseek", "https://api.deepseek.com", none, `{"stream_options":{"include_usage":true},"max_tokens":7,"thinking":{"type":"disabled"}}`},
		{"mistral", "https://api.mistral.ai/v1", r, `{"max_tokens":7}`},
		{"groq", "https://api.groq.com/openai/v1", r, `{"stream_options":{"include_usage":true},"max_completion_tokens":7,"reasoning_effort":"low"}`},
		{"openai", "http://proxy.example/v1", r, `{"stream_options":{"include_usage":true},"max_completion_tokens":7,"reasoning_effort":"low","prompt_cache_key":"k"}`},
		{"azure", "https://mine.openai.azure.com/openai/v1", r, `{"stream_options":{"include_usage":true},"max_completion_tokens":7,"reasoning_effort":"low","prompt_cache_key":"k"}`},
		{"", "", none, `{"stream_options":{"include_usage":true},"max_completion_tokens":7,"reasoning_effort":"none","prompt_cache_key":"k"}`},
	}
	for _, test := range tests {
		body := sent(t, protocols["chat"], endpoint.Endpoint{Provider: test.provider, BaseURL: test.url}, test.request)
		maps.DeleteFunc(body, func(name string, _ any) bool { return name == "messages" || name == "model" || name == "stream" })
		is(t, test.provider+" at "+test.url, body, test.want)
	}
}

// OpenAI's models support different levels; models that do not reason reject the field.
func TestVendorEffort(t *testing.T) {
	tests := []struct {
		model  string
		effort core.Effort
		want   string // JSON
	}{
		{"gpt-4o", core.EffortHigh, `null`},
		{"gpt-4.1-mini", core.EffortNone, `null`},
		{"gpt-5-chat-latest", core.EffortLow, `null`},
		{"o3", core.EffortNone, `"low"`},
		{"gpt-5", core.EffortNone, `"minimal"`},
		{"gpt-5-mini", core.EffortNone, `"minimal"`},
		{"gpt-5.2", core.EffortNone, `"none"`},
		{"gpt-5.2", core.EffortMedium, `"medium"`},
		{"gpt-5.2", "", `null`},
	}
	for _, test := range tests {
		r := core.Request{Model: test.model, Effort: test.effort, Messages: []core.Message{providertest.User("?")}}
		is(t, test.model, sent(t, protocols["chat"], at(nil), r)["reasoning_effort"], test.want)
		body := sent(t, protocols["responses"], at(nil), r)
		if test.want == "null" && test.effort != "" {
			if body["reasoning"] != nil || body["include"] != nil {
				t.Errorf("%s is asked to reason: %v", test.model, body)
			}
			continue
		}
		want := `{"summary":"auto"}`
		if test.want != "null" {
			want = `{"summary":"auto","effort":` + test.want + `}`
		}
		is(t, test.model, body["reasoning"], want)
	}
}

func TestExtra(t *testing.T) {
	each(t, func(t *testing.T, connect func(endpoint.Endpoint) providertest.Model) {
		e := at(nil)
		e.Extra = map[string]any{"temperature": nil, "top_p": 0.9, "a.b": map[string]any{"c": []any{1}}, "prompt_cache_key": "mine"}
		body := sent(t, connect, e, conversation())
		is(t, "top_p", body["top_p"], `0.9`)
		is(t, "a.b", body["a.b"], `{"c":[1]}`)
		is(t, "prompt_cache_key", body["prompt_cache_key"], `"mine"`)
		if _, ok := body["temperature"]; ok {
			t.Error("temperature is still there")
		}
	})
}

func TestAttachments(t *testing.T) {
	r := ask("See:")
	r.Messages[0].Parts = append(r.Messages[0].Parts,
		core.Part{Type: core.PartMedia, Media: &core.Media{MimeType: "image/png", Name: "gone.png", Blob: "sha256:0"}},
		core.Part{Type: core.PartMedia, Media: &core.Media{MimeType: "text/csv", Name: "a.csv", Data: []byte("x,y")}},
		core.Part{Type: core.PartMedia, Media: &core.Media{MimeType: "audio/ogg", Data: []byte("ogg")}},
		core.Part{Type: core.PartMedia, Media: &core.Media{MimeType: "application/pdf", Name: "a.pdf", Data: []byte("PDF")}},
	)
	words := `"See:","[attached, but not at hand: gone.png (image/png)]","[attached: a.csv (text/csv)]\nx,y","[attached, but not of a kind that can be sent: (audio/ogg)]"`
	local := sent(t, protocols["chat"], endpoint.Endpoint{Provider: "vllm", BaseURL: "http://127.0.0.1:8000/v1"}, r)
	var texts []string
	if err := json.Unmarshal([]byte("["+words+`,"[attached, but not of a kind that can be sent: a.pdf (application/pdf)]"]`), &texts); err != nil {
		t.Fatal(err)
	}
	whole, _ := json.Marshal([]any{map[string]any{"role": "user", "content": strings.Join(texts, "\n")}})
	is(t, "a server that takes no files", local["messages"], string(whole))

	vendor := sent(t, protocols["chat"], at(nil), r)["messages"].([]any)[0].(map[string]any)["content"].([]any)
	is(t, "OpenAI", vendor[len(vendor)-1], `{"type":"file","file":{"file_data":"data:application/pdf;base64,UERG","filename":"a.pdf"}}`)
	items := sent(t, protocols["responses"], at(nil), r)["input"].([]any)[0].(map[string]any)["content"].([]any)
	is(t, "responses", items[len(items)-1], `{"type":"input_file","file_data":"data:application/pdf;base64,UERG","filename":"a.pdf"}`)
}

// chatReplay streams an answer and returns the part of the next request that repeats it.
func chatReplay(t *testing.T, stream string, change func(*core.Request, *endpoint.Endpoint)) []any {
	t.Helper()
	e := at(speaking(stream))
	m, err := collect(t, openai.NewChat(e).Stream(t.Context(), ask("?")))
	if err != nil {
		t.Fatal(err)
	}
	r := ask("?")
	r.Messages = append(r.Messages, stored(t, m), results(m), providertest.User("go on"))
	if change != nil {
		change(&r, &e)
	}
	return sent(t, protocols["chat"], e, r)["messages"].([]any)
}

// stored returns a message as the store returns it.
func stored(t *testing.T, m core.Message) core.Message {
	t.Helper()
	raw, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	var back core.Message
	if err := json.Unmarshal(raw, &back); err != nil {
		t.Fatal(err)
	}
	return back
}

// results answers the calls of a message.
func results(m core.Message) core.Message {
	tool := core.Message{Role: core.RoleTool}
	for _, p := range m.Parts {
		if p.Type == core.PartToolCall {
			tool.Parts = append(tool.Parts, core.Part{Type: core.PartToolResult, ID: p.ID, Name: p.Name, Result: []core.Part{{Type: core.PartText, Text: "ok"}}})
		}
	}
	return tool
}

// Fields that a server added to the protocol are sent back unchanged, to the same model of the same provider, and to no
// other.
func TestChatReplay(t *testing.T) {
	gemini := chunks(
		chunk(`{"content":"Look.","extra_content":{"google":{"thought_signature":"T=="}}}`, "null"),
		chunk(`{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"x","arguments":"{\"q\":\"<&>\"}","future":true},"extra_content":{"google":{"thought_signature":"S+/=="}}}]}`, "null"),
		chunk(`{}`, `"tool_calls"`))
	is(t, "extra_content", chatReplay(t, gemini, nil)[1], `{"role":"assistant","content":"Look.","extra_content":{"google":{"thought_signature":"T=="}},"tool_calls":[
		{"id":"a","type":"function","function":{"name":"x","arguments":"{\"q\":\"<&>\"}","future":true},"extra_content":{"google":{"thought_signature":"S+/=="}}}]}`)

	thinking := chunks(
		chunk(`{"reasoning_content":"Hm, "}`, "null"), chunk(`{"reasoning_content":"\u003cb\u003e so."}`, "null"),
		chunk(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"x"}}]}`, `"tool_calls"`))
	is(t, "reasoning_content", chatReplay(t, thinking, nil)[1], `{"role":"assistant","content":null,"reasoning_content":"Hm, <b> so.","tool_calls":[
		{"id":"a","type":"function","function":{"name":"x","arguments":"{}"}}]}`)

	router := chunks(
		chunk(`{"reasoning":"Hm, ","reasoning_details":[{"type":"reasoning.text","text":"Hm, ","format":"anthropic-claude-v1","index":0}]}`, "null"),
		chunk(`{"reasoning":"so.","reasoning_details":[{"type":"reasoning.text","text":"so.","index":0}]}`, "null"),
		chunk(`{"reasoning_details":[{"type":"reasoning.text","signature":"SIG==","index":0}]}`, "null"),
		chunk(`{"reasoning_details":[{"type":"reasoning.encrypted","data":"E1","id":"rs_1","index":1},{"type":"reasoning.encrypted","data":"E2","id":"rs_2","index":1}]}`, "null"),
		chunk(`{"content":"Hi"}`, `"stop"`))
	want := `{"role":"assistant","content":"Hi","reasoning_details":[
		{"type":"reasoning.text","text":"Hm, so.","format":"anthropic-claude-v1","signature":"SIG==","index":0},
		{"type":"reasoning.encrypted","data":"E1","id":"rs_1","index":1},{"type":"reasoning.encrypted","data":"E2","id":"rs_2","index":1}]}`
	is(t, "reasoning_details", chatReplay(t, router, nil)[1], want)

	neutral := `{"role":"assistant","content":"Hi"}`
	is(t, "another model", chatReplay(t, router, func(r *core.Request, _ *endpoint.Endpoint) { r.Model = "other" })[1], neutral)
	is(t, "another provider", chatReplay(t, router, func(_ *core.Request, e *endpoint.Endpoint) { e.Provider = "groq" })[1], neutral)
	is(t, "another protocol", chatReplay(t, router, func(r *core.Request, _ *endpoint.Endpoint) {
		r.Messages[1].Origin.Protocol = "openai.responses"
	})[1], neutral)
	is(t, "no origin", chatReplay(t, router, func(r *core.Request, _ *endpoint.Endpoint) { r.Messages[1].Origin = nil })[1], neutral)
}

// DeepSeek requires the reasoning of the current turn, and none of earlier turns.
func TestReasoningOfTheTurn(t *testing.T) {
	said := func(call string) core.Message {
		return core.Message{
			Role: core.RoleAssistant, Origin: &core.Origin{Protocol: "openai.chat", Provider: "deepseek", RequestModel: "m"},
			Parts: []core.Part{
				{Type: core.PartReasoning, Text: "hm", Native: json.RawMessage(`{"reasoning_content":"hm"}`)},
				{Type: core.PartToolCall, ID: call, Name: "x", Arguments: json.RawMessage(`{}`)},
			},
		}
	}
	foreign := said("c")
	foreign.Origin = nil
	r := core.Request{Model: "m", Messages: []core.Message{
		providertest.User("one"), said("a"), results(said("a")), providertest.User("two"), said("b"), results(said("b")), foreign, results(foreign),
	}}
	messages := sent(t, protocols["chat"], endpoint.Endpoint{Provider: "deepseek", BaseURL: "http://127.0.0.1:9/v1"}, r)["messages"].([]any)
	for i, want := range map[int]string{1: `null`, 4: `"hm"`, 6: `""`} {
		is(t, "reasoning", messages[i].(map[string]any)["reasoning_content"], want)
	}
}

func TestSystemRole(t *testing.T) {
	r := core.Request{Model: "m", System: "S", Messages: []core.Message{providertest.User("?")}}
	for provider, want := range map[string]string{"openai": "developer", "llamacpp": "system"} {
		e := endpoint.Endpoint{Provider: provider, BaseURL: "http://127.0.0.1:8080/v1", Client: http.DefaultClient}
		is(t, provider, sent(t, protocols["chat"], e, r)["messages"].([]any)[0].(map[string]any)["role"], `"`+want+`"`)
	}
}
