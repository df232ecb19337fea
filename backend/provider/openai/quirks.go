package openai

import (
	"net/url"
	"strings"

	"coppice/backend/provider/endpoint"
)

// quirks is how an endpoint differs from the others that speak the same protocol.
type quirks struct {
	developer      bool // instructions come from the role developer, not system
	completion     bool // the longest answer is max_completion_tokens, not max_tokens
	effort         effortStyle
	cacheKey       bool // takes prompt_cache_key
	files          bool // takes PDF files
	cost           bool // tells the cost where it is asked to, in US dollars
	encrypted      bool // gives reasoning in an encrypted form, for the next call
	bare           bool // refuses stream_options, and tells the usage unasked
	turnsReasoning bool // wants the reasoning of the turn that is under way, and none before it
	shortIDs       bool // takes ids of calls of nine letters and digits only
}

// effortStyle is how an endpoint is told how much to reason.
type effortStyle int

const (
	effortField   effortStyle = iota // reasoning_effort: low, medium or high
	effortVendor                     // reasoning_effort, in the steps that the model knows
	effortObject                     // reasoning: {effort}
	effortSwitch                     // thinking: {type}, on or off
	effortUnknown                    // not at all
)

// vendors are the known endpoints by the end of their host, and by the names that their providers have here. What is not among them, such as
// a server on this machine, is spoken to in the way most understand.
var vendors = []struct {
	host, provider string
	quirks         quirks
}{
	{"api.openai.com", "openai", quirks{developer: true, completion: true, effort: effortVendor, cacheKey: true, files: true, encrypted: true}},
	{".openai.azure.com", "azure", quirks{developer: true, completion: true, effort: effortVendor, cacheKey: true, files: true, encrypted: true}},
	{"openrouter.ai", "openrouter", quirks{effort: effortObject, files: true, cost: true, encrypted: true}},
	{"api.deepseek.com", "deepseek", quirks{effort: effortSwitch, turnsReasoning: true}},
	{"api.z.ai", "zai", quirks{effort: effortSwitch}},
	{"api.moonshot.ai", "moonshot", quirks{effort: effortSwitch}},
	{"api.mistral.ai", "mistral", quirks{effort: effortUnknown, bare: true, shortIDs: true}},
	{"api.x.ai", "xai", quirks{effort: effortUnknown}},
	{"api.groq.com", "groq", quirks{completion: true}},
	{"api.cerebras.ai", "cerebras", quirks{completion: true}},
}

// quirksOf goes by the host, and where that is unknown by the provider's name, as for a proxy before it.
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
