package openai

import (
	"net/url"
	"strings"

	"coppice/backend/provider/endpoint"
)

// quirks holds how an endpoint differs from others with the same protocol.
type quirks struct {
	developer       bool // instructions have the role developer, not system
	completion      bool // the output limit is max_completion_tokens, not max_tokens
	effort          effortStyle
	cacheKey        bool // accepts prompt_cache_key
	files           bool // accepts PDF files
	cost            bool // reports the cost on request, in US dollars
	encrypted       bool // returns encrypted reasoning, for the next call
	bare            bool // rejects stream_options, and reports the usage without it
	turnsReasoning  bool // requires the reasoning of the current turn, and none of earlier turns
	schemaWithTools bool // a schema of the answer leaves the model free to call tools
	shortIDs        bool // accepts only call ids of nine letters and digits
}

// effortStyle is how the reasoning effort is set at an endpoint.
type effortStyle int

const (
	effortField   effortStyle = iota // reasoning_effort: low, medium or high
	effortVendor                     // reasoning_effort, in the levels that the model supports
	effortObject                     // reasoning: {effort}
	effortSwitch                     // thinking: {type}, on or off
	effortUnknown                    // not supported
)

// vendors holds the known endpoints by the end of their host, and by the names of their providers here. Any other
// endpoint, such as a server on this machine, gets the most common settings.
var vendors = []struct {
	host, provider string
	quirks         quirks
}{
	{"api.openai.com", "openai", quirks{developer: true, completion: true, effort: effortVendor, cacheKey: true, files: true, encrypted: true, schemaWithTools: true}},
	{".openai.azure.com", "azure", quirks{developer: true, completion: true, effort: effortVendor, cacheKey: true, files: true, encrypted: true, schemaWithTools: true}},
	{"openrouter.ai", "openrouter", quirks{effort: effortObject, files: true, cost: true, encrypted: true}},
	{"api.deepseek.com", "deepseek", quirks{effort: effortSwitch, turnsReasoning: true}},
	{"api.z.ai", "zai", quirks{effort: effortSwitch}},
	{"api.moonshot.ai", "moonshot", quirks{effort: effortSwitch}},
	{"api.mistral.ai", "mistral", quirks{effort: effortUnknown, bare: true, shortIDs: true}},
	{"api.x.ai", "xai", quirks{effort: effortUnknown}},
	{"api.groq.com", "groq", quirks{completion: true}},
	{"api.cerebras.ai", "cerebras", quirks{completion: true}},
}

// quirksOf selects by the host, and if that is unknown, by the provider's name, as for a vendor behind a proxy.
func quirksOf(e endpoint.Endpoint) quirks {
	host := "api.openai.com"
	if e.BaseURL != "" {
		host = ""
		if u, err := url.Parse(e.BaseURL); err == nil {
			host = strings.ToLower(u.Hostname())
		}
	}
	for _, v := range vendors {
		if strings.HasSuffix(host, v.host) {
			return v.quirks
		}
	}
	for _, v := range vendors {
		if e.Provider == v.provider {
			return v.quirks
		}
	}
	return quirks{}
}
