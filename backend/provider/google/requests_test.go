package google_test

import (
	"flag"
	"os"
	"testing"

	"coppice/backend/provider/endpoint"
	"coppice/backend/provider/google"
	"coppice/backend/provider/providertest"
)

// TestMain registers -update, which writes the recorded requests.
func TestMain(m *testing.M) {
	flag.Bool("update", false, "write golden files")
	flag.Parse()
	os.Exit(m.Run())
}

func TestRequests(t *testing.T) {
	connect := func(e endpoint.Endpoint) providertest.Model { return google.New(e) }
	providertest.SendVariety(t, connect, "google", "",
		"gemini-2.0-flash", "gemini-2.5-pro", "gemini-2.5-flash", "gemini-2.5-flash-lite", "gemini-3-pro-preview", "gemini-3-flash", "gemini-3.5-pro", "gemini-2.5-flash-image", "gemma-3",
	)
}
