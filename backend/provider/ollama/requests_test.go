package ollama_test

import (
	"flag"
	"os"
	"testing"

	"coppice/backend/provider/endpoint"
	"coppice/backend/provider/ollama"
	"coppice/backend/provider/providertest"
)

// TestMain registers -update, which writes the recorded requests.
func TestMain(m *testing.M) {
	flag.Bool("update", false, "write golden files")
	flag.Parse()
	os.Exit(m.Run())
}

func TestRequests(t *testing.T) {
	connect := func(e endpoint.Endpoint) providertest.Model { return ollama.New(e) }
	providertest.SendVariety(t, connect, "ollama", "",
		"qwen3:8b", "gpt-oss:20b",
	)
}
