package openai_test

import (
	"flag"
	"os"
	"testing"

	"coppice/backend/provider/endpoint"
	"coppice/backend/provider/providertest"
)

// TestMain registers -update, which writes the recorded requests.
func TestMain(m *testing.M) {
	flag.Bool("update", false, "write golden files")
	flag.Parse()
	os.Exit(m.Run())
}

func TestRequests(t *testing.T) {
	each(t, func(t *testing.T, connect func(endpoint.Endpoint) providertest.Model) {
		providertest.SendVariety(t, connect, "openai", "/v1", "o4-mini", "gpt-5", "gpt-4.1")
		for _, provider := range []string{"openrouter", "deepseek", "mistral", "groq", "lmstudio"} {
			providertest.SendVariety(t, connect, provider, "/v1", "m")
		}
	})
}
