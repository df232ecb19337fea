package local

import (
	"net"
	"net/netip"
	"net/url"
	"strings"

	"coppice/backend/provider/endpoint"
)

// kind holds the differences between the kinds of servers.
type kind struct {
	protocol endpoint.Protocol
	path     string // the protocol's path below the root
	list     lister
}

func kindOf(provider string) (kind, bool) {
	lists := map[string]lister{
		"lmstudio": lmStudio, "llamacpp": llamaCPP, "vllm": openAI, "jan": openAI, "koboldcpp": koboldCPP, "localai": localAI,
	}
	if provider == "ollama" {
		return kind{endpoint.OllamaChat, "", ollama}, true
	}
	list, ok := lists[provider]
	return kind{endpoint.OpenAIChat, "/v1", list}, ok
}

// Usual returns the default addresses of servers. getenv reads OLLAMA_HOST, as Ollama itself does.
func Usual(getenv func(name string) string) []Endpoint {
	return []Endpoint{
		{Provider: "ollama", URL: ollamaURL(getenv("OLLAMA_HOST"))},
		{Provider: "lmstudio", URL: "http://127.0.0.1:1234"},
		{Provider: "llamacpp", URL: "http://127.0.0.1:8080"},
		{Provider: "vllm", URL: "http://127.0.0.1:8000"},
		{Provider: "jan", URL: "http://127.0.0.1:1337"},
		{Provider: "koboldcpp", URL: "http://127.0.0.1:5001"},
		{Provider: "localai", URL: "http://127.0.0.1:8080"},
	}
}

// BaseURL returns the base URL of the server at an endpoint.
func (p Endpoint) BaseURL() string {
	k, _ := kindOf(p.Provider)
	return p.URL + k.path
}

// Protocol returns the protocol of the server at an endpoint.
func (p Endpoint) Protocol() endpoint.Protocol {
	k, _ := kindOf(p.Provider)
	return k.protocol
}

// ollamaURL parses [scheme://]host[:port]. A server that listens on all addresses is called on this machine.
func ollamaURL(host string) string {
	const usual = "http://127.0.0.1:11434"
	host = strings.Trim(strings.TrimSpace(host), `"'`)
	if host == "" {
		return usual
	}
	port := "11434"
	scheme, rest, found := strings.Cut(host, "://")
	switch {
	case !found:
		scheme, rest = "http", host
	case scheme == "http":
		port = "80"
	case scheme == "https":
		port = "443"
	}
	address, path, _ := strings.Cut(rest, "/")
	name, given, err := net.SplitHostPort(address)
	if err != nil {
		name, given = strings.Trim(address, "[]"), port
	}
	if ip, err := netip.ParseAddr(name); name == "" || (err == nil && ip.IsUnspecified()) {
		name = "127.0.0.1"
	}
	if given == "" {
		given = port
	}
	u := url.URL{Scheme: scheme, Host: net.JoinHostPort(name, given), Path: path}
	return strings.TrimRight(u.String(), "/")
}

// loopback reports whether a URL names this machine.
func loopback(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	name := u.Hostname()
	ip, err := netip.ParseAddr(name)
	return name == "localhost" || (err == nil && ip.IsLoopback())
}

// IsLoopback reports whether a base URL names this machine, so that its calls cost nothing.
func IsLoopback(baseURL string) bool { return loopback(baseURL) }
