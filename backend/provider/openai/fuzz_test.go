package openai_test

import (
	"net/http"
	"strings"
	"testing"

	"coppice/backend/core"
	"coppice/backend/provider/endpoint"
	"coppice/backend/provider/openai"
	"coppice/backend/provider/providertest"
)

// FuzzStream checks that any stream, with either protocol, ends in a message with complete calls or in an error.
func FuzzStream(f *testing.F) {
	for _, seed := range []string{
		chunks(chunk(`{"content":"hi","reasoning_content":"hm"}`, "null"), chunk(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"x","arguments":"{\"n\":"}}]}`, "null"),
			chunk(`{"tool_calls":[{"index":0,"function":{"arguments":"1}"}}]}`, `"tool_calls"`), "[DONE]"),
		chunks(`{"choices":null}`, `{"choices":[null]}`, `{"choices":[{"delta":{"tool_calls":[null]}}]}`, `{"error":{"message":"x","code":7}}`),
		chunks(`{"type":"response.output_text.delta","output_index":0,"delta":"hi"}`, `{"type":"response.completed","response":{"status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":"hi"}]}]}}`),
		chunks(`{"type":"response.output_item.added","output_index":9,"item":{"type":"function_call"}}`, `{"type":"response.failed","response":null}`),
		": nothing\n\n", "data: [DONE]\n\n", `{"error":"x"}`, "data: " + strings.Repeat("[", 20_000) + "\n\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		e := endpoint.Endpoint{Provider: "openai", BaseURL: "http://127.0.0.1", Key: "key", Client: &http.Client{Transport: providertest.Says(body)}}
		ask := core.Request{Model: "m", Messages: []core.Message{providertest.User("hi")}}
		providertest.CheckWhatever(t, openai.NewChat(e), ask)
		providertest.CheckWhatever(t, openai.NewResponses(e), ask)
	})
}
