package anthropic_test

import (
	"net/http"
	"strings"
	"testing"

	"coppice/backend/provider/anthropic"
	"coppice/backend/provider/endpoint"
	"coppice/backend/provider/providertest"
)

// FuzzStream checks that any stream ends in a message with complete calls or in an error.
func FuzzStream(f *testing.F) {
	for _, seed := range []string{strings.Join(rich().Frames(model), ""), "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":7,\"delta\":{}}\n\n", "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		c := anthropic.New(endpoint.Endpoint{Provider: "anthropic", BaseURL: "http://127.0.0.1", Key: "key", Client: &http.Client{Transport: providertest.Says(body)}})
		providertest.CheckWhatever(t, c, ask("hi"))
	})
}
