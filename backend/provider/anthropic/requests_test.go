package anthropic_test

import (
	"flag"
	"os"
	"testing"

	"coppice/backend/provider/anthropic"
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
	connect := func(e endpoint.Endpoint) providertest.Model { return anthropic.New(e) }
	providertest.SendVariety(t, connect, "anthropic", "",
		"claude-sonnet-4-5", "claude-haiku-3-5", "claude-3-7-sonnet-latest", "claude-opus-4-6", "claude-opus-4-8", "claude-haiku-5", "claude-opus-5", "claude-sonnet-5", "claude-sonnet-5-5", "claude-next", "other-model",
	)
}
