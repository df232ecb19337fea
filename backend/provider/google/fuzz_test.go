package google_test

import (
	"net/http"
	"strings"
	"testing"

	"coppice/backend/provider/endpoint"
	"coppice/backend/provider/google"
	"coppice/backend/provider/providertest"
)

// FuzzStream checks that any stream ends in a message with complete calls or in an error.
func FuzzStream(f *testing.F) {
	for _, seed := range []string{strings.Join(rich().Events(model, 1), ""), `data: {"candidates":"x"}` + "\n\n", `data: {"candidates":[{"content":{"parts":["x"]},"finishReason":"STOP"}]}` + "\n\n", `data: {"candidates":[null]}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		c := google.New(endpoint.Endpoint{Provider: "google", BaseURL: "http://127.0.0.1", Key: "key", Client: &http.Client{Transport: providertest.Says(body)}})
		providertest.CheckWhatever(t, c, ask("hi"))
	})
}
