// Package endpoint describes the address, the protocol and the settings of a provider.
package endpoint

import (
	"encoding/json"
	"fmt"
	"net/http"

	"coppice/backend/jsontext"
)

// Protocol is the protocol of an endpoint.
type Protocol string

// The protocols.
const (
	OpenAIChat        Protocol = "openai.chat"
	OpenAIResponses   Protocol = "openai.responses"
	AnthropicMessages Protocol = "anthropic.messages"
	GoogleGenAI       Protocol = "google.genai"
	OllamaChat        Protocol = "ollama.chat"
)

// Endpoint is one configured provider.
type Endpoint struct {
	Provider string // its name in PROVIDER/MODEL, and in Origin.Provider
	Protocol Protocol
	BaseURL  string            // without a trailing slash; empty: the vendor's default
	Key      string            // empty if none, as for a server on this machine
	Headers  map[string]string // sent with every call
	// Extra is merged into the body of every call and overrides what the adapter set; a nil value removes the field.
	Extra map[string]any
	// Client sends the calls. It must not retry and must have no timeout. nil: a client with the retries of package
	// transport.
	Client *http.Client
}

// Body returns a value as the body of a call with Extra merged into it; objects are merged key by key. Keys that are
// not in Extra keep their order.
func (e *Endpoint) Body(value any) (json.RawMessage, error) {
	data, err := jsontext.Encode(value)
	if err != nil || len(e.Extra) == 0 {
		return data, err
	}
	var body map[string]json.RawMessage
	if err := json.Unmarshal(data, &body); err != nil {
		return nil, err
	}
	for name, extra := range e.Extra {
		if extra == nil {
			delete(body, name)
			continue
		}
		if body[name], err = over(body[name], extra); err != nil {
			return nil, fmt.Errorf("encode the field %s: %w", name, err)
		}
	}
	return jsontext.Encode(body)
}

// over merges a value into a field of a body, which may be absent.
func over(field json.RawMessage, extra any) (json.RawMessage, error) {
	var under map[string]json.RawMessage
	nested, ok := extra.(map[string]any)
	if !ok || json.Unmarshal(field, &under) != nil || under == nil {
		return jsontext.Encode(extra)
	}
	for name, value := range nested {
		data, err := jsontext.Encode(value)
		if err != nil {
			return nil, err
		}
		under[name] = data
	}
	return jsontext.Encode(under)
}
