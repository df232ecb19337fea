package provider_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
	"coppice/backend/provider/endpoint"
	"coppice/backend/provider/openai"
	"coppice/backend/provider/providertest"
)

// bodyOf returns the last body with a model that open calls with a request.
func bodyOf(t *testing.T, r core.Request, open func(baseURL string, client *http.Client) providertest.Model) string {
	t.Helper()
	var mu sync.Mutex
	body := ""
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, asked *http.Request) {
		data, _ := io.ReadAll(asked.Body)
		mu.Lock()
		defer mu.Unlock()
		if strings.Contains(string(data), `hello`) {
			body = string(data)
		}
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, `{"error":{"message":"no"}}`)
	}))
	defer server.Close()
	_, _, _ = providertest.Run(t, open(server.URL, server.Client()), r)
	mu.Lock()
	defer mu.Unlock()
	return body
}

// TestOutputSchema sends the schema of an answer in the form of each protocol, if the model is not to call tools.
func TestOutputSchema(t *testing.T) {
	t.Parallel()
	schema := json.RawMessage(`{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}`)
	where := map[endpoint.Protocol]string{
		endpoint.OpenAIChat:        "response_format.json_schema.schema",
		endpoint.OpenAIResponses:   "text.format.schema",
		endpoint.GoogleGenAI:       "generationConfig.responseJsonSchema",
		endpoint.OllamaChat:        "format",
		endpoint.AnthropicMessages: "", // the system prompt has it
	}
	tools := []core.ToolSpec{{Name: "look", Parameters: json.RawMessage(`{"type":"object"}`)}}
	for protocol, path := range where {
		for name, c := range map[string]struct {
			change func(*core.Request)
			sent   bool
		}{
			"without":          {func(r *core.Request) { r.OutputSchema = nil }, false},
			"alone":            {func(*core.Request) {}, true},
			"with tools":       {func(r *core.Request) { r.Tools = tools }, false},
			"with closed tool": {func(r *core.Request) { r.Tools, r.ToolChoice = tools, core.ToolChoiceNone }, true},
		} {
			r := request
			r.OutputSchema = schema
			c.change(&r)
			body := bodyOf(t, r, func(baseURL string, client *http.Client) providertest.Model {
				return protocols(baseURL, client)[protocol]
			})
			if !gjson.Valid(body) { //nolint:forbidigo // a body of this test
				t.Fatalf("%s: %q", protocol, body)
			}
			switch found := gjson.Get(body, path).Raw; {
			case path == "" || !c.sent:
				if strings.Contains(body, "additionalProperties") {
					t.Errorf("%s %s: %s", protocol, name, body)
				}
			case found != string(schema):
				t.Errorf("%s %s: %s at %s in %s", protocol, name, found, path, body)
			case protocol == endpoint.OpenAIChat && !gjson.Get(body, "response_format.json_schema.strict").Bool():
				t.Errorf("%s %s: not strict: %s", protocol, name, body)
			case protocol == endpoint.GoogleGenAI && gjson.Get(body, "tools").Exists():
				t.Errorf("%s %s: has tools: %s", protocol, name, body)
			}
		}
	}
}

// TestOutputSchemaOfOpenAI sends the schema to OpenAI with the tools, and claims that it is strict only if it is.
func TestOutputSchemaOfOpenAI(t *testing.T) {
	t.Parallel()
	for schema, strict := range map[string]bool{
		`{"type":"object","properties":{},"additionalProperties":false}`:                                                                                              true,
		`{"type":"object","properties":{"a":{"type":["string","null"]}},"required":["a"],"additionalProperties":false}`:                                               true,
		`{"type":"object","properties":{"a":{"type":"array","items":{"$ref":"#/$defs/x"}}},"required":["a"],"additionalProperties":false,"$defs":{"x":{"enum":[1]}}}`: true,
		`{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}`:                                                                         false,
		`{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`:                                                                                     false,
		`{"type":"object","properties":{"a":{"type":"string","pattern":"^a"}},"required":["a"],"additionalProperties":false}`:                                         false,
		`{"type":"object","properties":{"a":{"type":"object"}},"required":["a"],"additionalProperties":false}`:                                                        false,
		`{"type":"array","items":{"type":"string"}}`:                                                                                                                  false,
		`{"anyOf":[{"type":"string"}]}`: false,
	} {
		r := request
		r.OutputSchema, r.Tools = json.RawMessage(schema), []core.ToolSpec{{Name: "look", Parameters: json.RawMessage(`{"type":"object"}`)}}
		body := bodyOf(t, r, func(baseURL string, client *http.Client) providertest.Model {
			return openai.NewResponses(endpoint.Endpoint{Provider: "openai", BaseURL: baseURL, Client: client})
		})
		format := gjson.Get(body, "text.format")
		if format.Get("type").String() != "json_schema" || format.Get("name").String() == "" || format.Get("schema").Raw != schema || format.Get("strict").Bool() != strict {
			t.Errorf("%s: %s", schema, format.Raw)
		}
	}
}
