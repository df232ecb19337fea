package provider_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"coppice/backend/core"
	"coppice/backend/provider/anthropic"
	"coppice/backend/provider/endpoint"
	"coppice/backend/provider/google"
	"coppice/backend/provider/ollama"
	"coppice/backend/provider/openai"
	"coppice/backend/provider/providertest"
	"coppice/backend/provider/transport"
)

// protocols opens a model of each protocol at an address.
func protocols(baseURL string, client *http.Client) map[endpoint.Protocol]providertest.Model {
	at := func(p endpoint.Protocol) endpoint.Endpoint {
		return endpoint.Endpoint{
			Provider: "vendor", Protocol: p, BaseURL: baseURL, Key: "key-of-the-user", Client: client, Headers: map[string]string{"X-Own": "key-of-the-user"},
		}
	}
	return map[endpoint.Protocol]providertest.Model{
		endpoint.OpenAIChat:        openai.NewChat(at(endpoint.OpenAIChat)),
		endpoint.OpenAIResponses:   openai.NewResponses(at(endpoint.OpenAIResponses)),
		endpoint.AnthropicMessages: anthropic.New(at(endpoint.AnthropicMessages)),
		endpoint.GoogleGenAI:       google.New(at(endpoint.GoogleGenAI)),
		endpoint.OllamaChat:        ollama.New(at(endpoint.OllamaChat)),
	}
}

var request = core.Request{Model: "m", Messages: []core.Message{providertest.User("hello")}}

// TestKeysDoNotFollowRedirects redirects the calls of every protocol to another host, with every status that keeps the body.
func TestKeysDoNotFollowRedirects(t *testing.T) {
	var mu sync.Mutex
	var leaked []string
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		leaked = append(leaked, r.URL.Path)
		if strings.Contains(strings.Join(headerValues(r.Header), " ")+r.URL.RawQuery, "key-of-the-user") {
			leaked = append(leaked, "the key")
		}
	}))
	t.Cleanup(other.Close)
	for _, status := range []int{http.StatusMovedPermanently, http.StatusFound, http.StatusTemporaryRedirect, http.StatusPermanentRedirect} {
		base := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, other.URL+r.URL.Path, status)
		}))
		t.Cleanup(base.Close)
		for protocol, model := range protocols(base.URL, transport.NewClient(0)) {
			_, _, err := providertest.Run(t, model, request)
			if core.CodeOf(err) != core.Invalid || !strings.Contains(err.Error(), "redirects to") {
				t.Errorf("%s, status %d: %v", protocol, status, err)
			}
		}
	}
	if len(leaked) > 0 {
		t.Errorf("the other host was called: %v", leaked)
	}
}

func headerValues(h http.Header) (all []string) {
	for _, values := range h {
		all = append(all, values...)
	}
	return all
}

// TestSilentServer ends a call of every protocol whose server sends nothing, before or after the answer has begun, or
// sends only comments.
func TestSilentServer(t *testing.T) {
	for name, send := range map[string]func(w http.ResponseWriter){
		"nothing at all": func(http.ResponseWriter) {},
		"a head":         func(w http.ResponseWriter) { w.Header().Set("Content-Type", "text/event-stream"); w.WriteHeader(200) },
		"comments for ever": func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, ": wait\n\n: wait\n\n")
		},
		"nothing but lines": func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, "\n\r\n\n")
		},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body) // otherwise the server does not notice that the client leaves
			send(w)
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		}))
		t.Cleanup(server.Close)
		for protocol, model := range protocols(server.URL, transport.NewClient(50*time.Millisecond)) {
			_, _, err := providertest.Run(t, model, request)
			if core.CodeOf(err) != core.Timeout || !strings.Contains(err.Error(), "sent nothing for 50ms") {
				t.Errorf("%s, %s: %v", protocol, name, err)
			}
		}
	}
}
