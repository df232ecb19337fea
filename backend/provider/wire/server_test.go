package wire

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"coppice/backend/core"
	"coppice/backend/provider/endpoint"
	"coppice/backend/provider/failure"
)

func TestAddress(t *testing.T) {
	tests := []struct{ base, path, query, want string }{
		{"https://a.example", "v1/messages", "", "https://a.example/v1/messages"},
		{"https://a.example/openai/v1/", "chat/completions", "", "https://a.example/openai/v1/chat/completions"},
		{"https://a.example/v1?api-version=2", "models", "limit=7", "https://a.example/v1/models?api-version=2&limit=7"},
		{"http://127.0.0.1:1", "v1beta/models/a:b", "alt=sse", "http://127.0.0.1:1/v1beta/models/a:b?alt=sse"},
		{"http://127.0.0.1:1", "models/a%3Fb", "", "http://127.0.0.1:1/models/a%3Fb"},
	}
	for _, test := range tests {
		query, err := url.ParseQuery(test.query)
		if err != nil {
			t.Fatal(err)
		}
		got, err := NewServer(endpoint.Endpoint{}, test.base, nil).address(Request{Path: test.path, Query: query})
		if err != nil || got != test.want {
			t.Errorf("%s and %s: %s, %v", test.base, test.path, got, err)
		}
	}
}

// An invalid address is an error of the configuration, which does not contain its password.
func TestNoAddress(t *testing.T) {
	for _, base := range []string{"", "a.example", "http://user:secret@a b/", "http://user:secret@a.example:x"} {
		e := endpoint.Endpoint{Provider: "mine", BaseURL: base, Key: "key"}
		_, err := NewServer(e, base, nil).Open(t.Context(), failure.Call{Endpoint: e}, Request{Method: http.MethodGet}, Lines)
		if core.CodeOf(err) != core.Invalid || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v", base, err)
		}
	}
}

// The headers of the endpoint override those of a request, and these override those of the protocol.
func TestHeaders(t *testing.T) {
	var got http.Header
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = r.Header }))
	t.Cleanup(server.Close)
	e := endpoint.Endpoint{Client: server.Client(), Headers: map[string]string{"X-A": "endpoint"}}
	s := NewServer(e, server.URL, map[string]string{"X-A": "protocol", "X-B": "protocol", "X-C": "protocol"})
	r := Request{Method: http.MethodGet, Header: map[string]string{"X-A": "request", "X-B": "request"}}
	if _, err := s.Read(t.Context(), failure.Call{}, r); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"X-A": "endpoint", "X-B": "request", "X-C": "protocol", "User-Agent": "coppice", "Content-Type": ""} {
		if got.Get(name) != want {
			t.Errorf("%s: %q, want %q", name, got.Get(name), want)
		}
	}
}
