package openai_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"coppice/backend/core"
	"coppice/backend/provider/openai"
	"coppice/backend/provider/openai/fake"
)

func TestModels(t *testing.T) {
	tests := []struct{ name, body, want string }{
		{
			"OpenAI",
			`{"object":"list","data":[{"id":"o4-mini","object":"model"},{"id":"gpt-5"},{"id":"text-embedding-3-small"},{"id":"whisper-1"},{"id":"gpt-image-1"},{"id":"gpt-4o-realtime-preview"},{"id":"tts-1-hd"}]}`,
			`[{"id":"gpt-5"},{"id":"o4-mini"}]`,
		},
		{
			"OpenRouter",
			`{"data":[{"id":"anthropic/claude","name":"Claude","context_length":200000,"architecture":{"input_modalities":["text","image"],"output_modalities":["text"]},"pricing":{"prompt":"0.000003","completion":"0.000015"},"top_provider":{"context_length":180000,"max_completion_tokens":64000},"supported_parameters":["tools","reasoning"]},
			 {"id":"openrouter/auto","context_length":2000000,"pricing":{"prompt":"-1","completion":"-1"},"top_provider":{"context_length":null,"max_completion_tokens":null}},
			 {"id":"paints/it","architecture":{"output_modalities":["image"]}}]}`,
			`[{"id":"anthropic/claude","name":"Claude","contextTokens":180000,"maxOutputTokens":64000,"images":true,"tools":true,"reasoning":true,"inputNanoUsdPerMillion":3000000000,"outputNanoUsdPerMillion":15000000000},
			 {"id":"openrouter/auto","contextTokens":2000000}]`,
		},
		{"vLLM", `{"data":[{"id":"m","max_model_len":32768}]}`, `[{"id":"m","contextTokens":32768}]`},
		{"llama.cpp", `{"models":[{"name":"m"}],"data":[{"id":"m","meta":{"n_ctx_train":131072}}]}`, `[{"id":"m","contextTokens":131072}]`},
		{"Mistral", `{"data":[{"id":"m","max_context_length":40960,"capabilities":{"function_calling":true,"vision":true}}]}`, `[{"id":"m","contextTokens":40960,"images":true,"tools":true}]`},
		{"Groq", `{"data":[{"id":"m","context_window":131072,"max_completion_tokens":8192}]}`, `[{"id":"m","contextTokens":131072,"maxOutputTokens":8192}]`},
		{"LM Studio", `{"data":[{"id":"m","type":"vlm"},{"id":"n","type":"embeddings"}]}`, `[{"id":"m","images":true}]`},
		{"a bare list", `[{"id":"m","context_length":8192}]`, `[{"id":"m","contextTokens":8192}]`},
		{"odd entries", `{"data":[{"id":"m","context_length":"big","name":7},{"x":1},"text",null]}`, `[{"id":"m"}]`},
		{"none", `{"data":[]}`, `[]`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			server := fake.New()
			server.Models = test.body
			models, err := openai.NewChat(serving(t, server)).Models(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			var want []core.ModelInfo
			if err := json.Unmarshal([]byte(test.want), &want); err != nil {
				t.Fatal(err)
			}
			for i := range want {
				want[i].Provider, want[i].Local = "openai", true
			}
			got, _ := json.Marshal(models)
			expected, _ := json.Marshal(want)
			if string(got) != string(expected) {
				t.Errorf("%s\nwant\n%s", got, expected)
			}
		})
	}
}

func TestModelsFail(t *testing.T) {
	server := fake.New()
	server.Key = "another"
	if _, err := openai.NewChat(serving(t, server)).Models(t.Context()); core.CodeOf(err) != core.Auth {
		t.Errorf("%v", err)
	}
	for _, body := range []string{"<html>hello</html>", `{"message":"hi"}`, ""} {
		e := serving(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(body)) }))
		if _, err := openai.NewResponses(e).Models(t.Context()); core.CodeOf(err) != core.NotFound {
			t.Errorf("%q: %v", body, err)
		}
	}
}

func TestModelsAreLocalOnThisMachineOnly(t *testing.T) {
	for address, want := range map[string]bool{
		"http://localhost:1234/v1": true, "http://127.0.0.2/v1": true, "http://[::1]:8080/v1": true,
		"": false, "https://api.example.com/v1": false, "http://192.168.1.5/v1": false,
	} {
		e := at(direct(fake.New()))
		e.BaseURL = address
		models, err := openai.NewChat(e).Models(t.Context())
		if err != nil || len(models) != 1 || models[0].Local != want {
			t.Errorf("%q: %+v, %v", address, models, err)
		}
	}
}
