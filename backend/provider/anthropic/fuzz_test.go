package anthropic_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"coppice/backend/core"
	"coppice/backend/provider/anthropic"
	"coppice/backend/provider/endpoint"
)

// says is a round tripper that answers every call with the same body.
type says string

func (s says) RoundTrip(r *http.Request) (*http.Response, error) {
	header := http.Header{"Content-Type": {"text/event-stream"}}
	return &http.Response{StatusCode: 200, Header: header, Body: io.NopCloser(strings.NewReader(string(s))), Request: r}, nil
}

// FuzzStream checks that whatever a server sends ends in a message with whole calls or in an error.
func FuzzStream(f *testing.F) {
	for _, seed := range []string{strings.Join(rich().Frames(model), ""), "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":7,\"delta\":{}}\n\n", "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		c := anthropic.New(endpoint.Endpoint{Provider: "anthropic", BaseURL: "http://127.0.0.1", Key: "key", Client: &http.Client{Transport: says(body)}})
		events, m, err := run(t, c, ask("hi"))
		if err != nil {
			checkPartial(t, m)
			return
		}
		for i, p := range m.Parts {
			if p.Type == core.PartToolCall && p.Arguments != nil && (p.Arguments[0] != '{' || p.Text != "") {
				t.Errorf("part %d: %+v", i, p)
			}
		}
		for _, e := range events {
			if e.Index >= len(m.Parts) {
				t.Errorf("event %+v is of no part", e)
			}
		}
	})
}
