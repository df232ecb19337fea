package provider

import (
	"net/url"
	"os"
	"slices"
	"strings"

	"coppice/backend/core"
	"coppice/backend/provider/endpoint"
	"coppice/backend/provider/failure"
	"coppice/backend/provider/local"
)

// kind is what a provider needs before it can be used.
type kind int

const (
	cloud    kind = iota // a key
	server               // a server on this machine
	custom               // an address, and optionally a key
	scripted             // a file
	replayed             // a session
)

// known is a provider that has a name.
type known struct {
	name      string
	kind      kind
	protocol  endpoint.Protocol
	chosen    bool     // the configuration names the protocol
	baseURL   string   // empty: the vendor's default
	account   string   // the name of the key's owner, which also marks the answers
	variables []string // environment variables that hold the key
	usual     string   // the default model; empty if the provider has none
	needsKey  bool
	listed    bool // whether Models lists it; openai-chat is openai again
	headers   map[string]string
	extra     map[string]any
}

// vendors returns the vendors in the order in which a default model is chosen.
func vendors() []known {
	vendor := func(name string, protocol endpoint.Protocol, baseURL, usual string) known {
		return known{
			name: name, kind: cloud, protocol: protocol, baseURL: baseURL, account: name, variables: []string{failure.KeyVariable(name)},
			usual: usual, needsKey: true, listed: true,
		}
	}
	chat := vendor("openai-chat", endpoint.OpenAIChat, "", "")
	chat.account, chat.variables, chat.listed = "openai", []string{failure.KeyVariable("openai")}, false
	gemini := vendor("google", endpoint.GoogleGenAI, "", "gemini-3.5-flash")
	gemini.variables = append(gemini.variables, "GOOGLE_API_KEY")
	return []known{
		vendor("anthropic", endpoint.AnthropicMessages, "", "claude-sonnet-5"),
		vendor("openai", endpoint.OpenAIResponses, "", "gpt-5.5"),
		chat,
		gemini,
		vendor("openrouter", endpoint.OpenAIChat, "https://openrouter.ai/api/v1", "anthropic/claude-sonnet-5"),
		vendor("mistral", endpoint.OpenAIChat, "https://api.mistral.ai/v1", "mistral-medium-latest"),
		vendor("deepseek", endpoint.OpenAIChat, "https://api.deepseek.com/v1", "deepseek-v4-flash"),
		vendor("xai", endpoint.OpenAIChat, "https://api.x.ai/v1", "grok-4.5"),
		vendor("groq", endpoint.OpenAIChat, "https://api.groq.com/openai/v1", "openai/gpt-oss-120b"),
		vendor("together", endpoint.OpenAIChat, "https://api.together.xyz/v1", "meta-llama/Llama-3.3-70B-Instruct-Turbo"),
		vendor("fireworks", endpoint.OpenAIChat, "https://api.fireworks.ai/inference/v1", "accounts/fireworks/models/gpt-oss-120b"),
	}
}

// providers returns all providers that have a name, the vendors first.
func providers(endpoints []local.Endpoint, customs []Custom) ([]known, error) {
	all := vendors()
	for _, p := range endpoints {
		all = append(all, known{
			name: p.Provider, kind: server, protocol: p.Protocol(), baseURL: p.BaseURL(), account: p.Provider,
			variables: []string{failure.KeyVariable(p.Provider)}, listed: true,
		})
	}
	all = append(all, known{name: "script", kind: scripted}, known{name: "replay", kind: replayed})
	for _, c := range customs {
		if err := c.check(); err != nil {
			return nil, err
		}
		at := slices.IndexFunc(all, func(p known) bool { return p.name == c.Name })
		if at < 0 {
			all = append(all, known{name: c.Name, kind: custom, protocol: endpoint.OpenAIChat, account: c.Name, listed: true})
			at = len(all) - 1
		}
		if err := all[at].change(c); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func (c *Custom) check() error {
	if c.Name == "" || strings.ContainsAny(c.Name, "/ \t\n") {
		return core.E(core.Invalid, "invalid provider name %q: want a name without slashes and spaces", c.Name)
	}
	if c.BaseURL == "" {
		return nil
	}
	return checkURL(c.Name, c.BaseURL)
}

// change applies the user's configuration to a provider.
func (p *known) change(c Custom) error {
	if p.kind == scripted || p.kind == replayed {
		return core.E(core.Invalid, "cannot configure the provider %s: it is built in", c.Name)
	}
	if c.Protocol != "" {
		p.protocol, p.chosen = c.Protocol, true
	}
	if c.BaseURL != "" {
		p.move(c.BaseURL)
		p.needsKey = c.KeyEnv != ""
	}
	switch {
	case c.KeyEnv != "":
		p.variables, p.needsKey = []string{c.KeyEnv}, true
	case len(p.variables) == 0:
		p.variables = []string{failure.KeyVariable(c.Name)}
	}
	if p.kind == custom && p.baseURL == "" {
		p.needsKey = true // another account of a vendor
	}
	p.headers, p.extra = c.Headers, c.Extra
	if p.kind == custom && p.baseURL == "" && overCompatible(p.protocol) {
		return core.E(core.Invalid, "the provider %s has no base URL", c.Name).WithHint("Set its base_url, such as https://host/v1")
	}
	return nil
}

// IsFree reports whether calls of a model cost nothing because its provider is a server on this machine, or plays recorded
// answers. It knows no custom providers.
func IsFree(name, model string) bool {
	all, err := providers(local.Usual(os.Getenv), nil)
	if err != nil {
		return false
	}
	at := slices.IndexFunc(all, func(p known) bool { return p.name == name })
	return at >= 0 && all[at].free() && (all[at].protocol != endpoint.OllamaChat || !local.IsRemote(model))
}

// free reports whether calls cost nothing.
func (p *known) free() bool {
	switch p.kind {
	case server, scripted, replayed:
		return true
	case custom:
		return local.IsLoopback(p.baseURL)
	case cloud:
		return false
	default:
		return false
	}
}

func (p *known) endpoint(key string) endpoint.Endpoint {
	return endpoint.Endpoint{Provider: p.account, Protocol: p.protocol, BaseURL: p.baseURL, Key: key, Headers: p.headers, Extra: p.extra}
}

// find returns the provider of a name, or nil if the name is unknown.
func (r *Registry) find(name string) *known {
	for i := range r.providers {
		if r.providers[i].name == name {
			return &r.providers[i]
		}
	}
	return nil
}

func checkURL(provider, address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return core.E(core.Invalid, "invalid base URL %q of %s: want an http or https address", address, provider).WithHint("Use an address such as https://host/v1 or http://127.0.0.1:8080/v1")
	}
	return nil
}

func trim(address string) string { return strings.TrimRight(address, "/") }

func getenv(get func(string) string) func(string) string {
	if get == nil {
		return os.Getenv
	}
	return get
}

// Writes reports whether the models of a provider write what they are asked for, unlike scripts and recorded sessions.
func Writes(name string) bool { return name != "script" && name != "replay" }
