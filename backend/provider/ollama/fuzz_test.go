package ollama_test

import (
	"net/http"
	"strings"
	"testing"

	"coppice/backend/provider/endpoint"
	"coppice/backend/provider/ollama"
	"coppice/backend/provider/providertest"
)

// FuzzStream checks that any stream ends in a message with complete calls or in an error.
func FuzzStream(f *testing.F) {
	for _, seed := range []string{strings.Join(rich().Lines(model, 1), ""), `{"done":true}`, `{"message":{"tool_calls":[{"function":null}]},"done":true}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		c := ollama.New(endpoint.Endpoint{Provider: "ollama", BaseURL: "http://127.0.0.1", Key: "key", Client: &http.Client{Transport: providertest.Says(body)}})
		providertest.CheckWhatever(t, c, ask("hi"))
	})
}
