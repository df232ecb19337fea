package provider

import (
	"context"
	"fmt"
	"os"
	"strings"

	"coppice/backend/core"
	"coppice/backend/provider/anthropic"
	"coppice/backend/provider/endpoint"
	"coppice/backend/provider/failure"
	"coppice/backend/provider/google"
	"coppice/backend/provider/local"
	"coppice/backend/provider/ollama"
	"coppice/backend/provider/openai"
	"coppice/backend/provider/replay"
	"coppice/backend/provider/script"
)

// Open returns a model by PROVIDER/MODEL, and what is known about it without calling a vendor. baseURL, if not empty,
// replaces the provider's own; an unknown provider is then called with chat completions, and so is OpenAI unless the
// configuration names its protocol.
//
// A malformed name is Invalid, an unknown provider NotFound, a missing key Auth, and a server on this machine that does
// not answer Unavailable. All of these errors have a hint.
func (r *Registry) Open(ctx context.Context, ref, baseURL string) (Model, core.ModelInfo, error) {
	name, model, err := r.split(ref)
	if err != nil {
		return nil, core.ModelInfo{}, err
	}
	p, err := r.provider(name, baseURL)
	if err != nil {
		return nil, core.ModelInfo{}, err
	}
	switch p.kind {
	case scripted:
		return r.script(model)
	case replayed:
		return r.replay(ctx, model)
	default:
		return r.call(ctx, p, model, baseURL != "")
	}
}

// Server returns the address of the server that Open calls for the same arguments; empty if it calls none.
func (r *Registry) Server(ref, baseURL string) (string, error) {
	name, _, err := r.split(ref)
	if err != nil {
		return "", err
	}
	p, err := r.provider(name, baseURL)
	if err != nil {
		return "", err
	}
	if p.baseURL != "" || p.kind == scripted || p.kind == replayed {
		return p.baseURL, nil
	}
	return usualURL(p.protocol), nil
}

// usualURL returns the address that a vendor's own library calls.
func usualURL(protocol endpoint.Protocol) string {
	switch protocol {
	case endpoint.AnthropicMessages:
		return "https://api.anthropic.com"
	case endpoint.GoogleGenAI:
		return "https://generativelanguage.googleapis.com"
	case endpoint.OpenAIChat, endpoint.OpenAIResponses:
		return "https://api.openai.com/v1"
	case endpoint.OllamaChat:
		return ""
	default:
		return ""
	}
}

// Split returns the two parts of PROVIDER/MODEL, or an Invalid error. The model may contain slashes.
func Split(ref string) (provider, model string, err error) {
	provider, model, found := strings.Cut(strings.TrimSpace(ref), "/")
	if !found || provider == "" || model == "" {
		return "", "", core.E(core.Invalid, "invalid model %q: want PROVIDER/MODEL", ref).
			WithHint("Use a name such as openai/gpt-5.5 or script/%s", script.Demo).WithRemedy(core.ListModels)
	}
	return provider, model, nil
}

func (r *Registry) split(ref string) (provider, model string, err error) {
	provider, model, err = Split(ref)
	if err == nil && r.find(provider) == nil {
		if lower := strings.ToLower(provider); r.find(lower) != nil {
			provider = lower
		}
	}
	return provider, model, err
}

// provider returns a provider with the settings for this call.
func (r *Registry) provider(name, baseURL string) (*known, error) {
	p := r.find(name)
	if p != nil && baseURL == "" {
		return p, nil
	}
	if p == nil && baseURL == "" {
		return nil, core.E(core.NotFound, "unknown provider %q", name).
			WithHint("Use one of %s", strings.Join(r.names(), ", ")).WithRemedy(core.AddProvider)
	}
	if err := checkURL(name, baseURL); err != nil {
		return nil, err
	}
	moved := known{name: name, kind: custom, protocol: endpoint.OpenAIChat, account: name, variables: []string{failure.KeyVariable(name)}}
	if p != nil {
		moved = *p
	}
	if moved.kind == scripted || moved.kind == replayed {
		return nil, core.E(core.Invalid, "%s has no base URL", name)
	}
	moved.move(baseURL)
	moved.needsKey = false
	if p == nil && local.IsLoopback(baseURL) {
		r.mutex.Lock()
		r.here[name] = true
		r.mutex.Unlock()
	}
	return &moved, nil
}

func (r *Registry) names() []string {
	names := make([]string, len(r.providers))
	for i := range r.providers {
		names[i] = r.providers[i].name
	}
	return names
}

// call returns a model that is called over the network.
func (r *Registry) call(ctx context.Context, p *known, model string, moved bool) (Model, core.ModelInfo, error) {
	info := r.known(p, model, moved)
	key, _, err := r.key(ctx, p)
	if err != nil {
		return nil, info, err
	}
	if p.kind == server && !moved && local.IsLoopback(p.baseURL) {
		if info, err = r.running(ctx, p, key, info); err != nil {
			return nil, info, err
		}
	}
	caller, err := r.adapter(ctx, p, key)
	if err != nil {
		return nil, info, err
	}
	return caller, r.listed(info), nil
}

// known returns what is known about a model without a request: the result of the last Models, else what is true of all
// models of the vendor.
func (r *Registry) known(p *known, model string, moved bool) core.ModelInfo {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if info, ok := r.seen[p.name+"/"+model]; ok && !moved {
		return info
	}
	vendors := p.account == "anthropic" || p.account == "openai" || p.account == "google"
	return core.ModelInfo{Provider: p.name, ID: model, Local: p.free(), Tools: p.kind == cloud, Images: vendors}
}

// key returns the key of a provider and its source, or nothing if no key is needed and none is found. For servers on
// this machine it does not ask the keyring, which may have to be unlocked.
func (r *Registry) key(ctx context.Context, p *known) (key, from string, err error) {
	if p.kind == server {
		key, from = r.options.Keys.Environment(p.variables...)
		return key, from, nil
	}
	key, from, err = r.options.Keys.Find(ctx, p.account, p.variables...)
	if err != nil && !p.needsKey {
		return "", "", nil
	}
	return key, from, err
}

// running checks that a server on this machine runs, and returns what it reports about the model.
func (r *Registry) running(ctx context.Context, p *known, key string, info core.ModelInfo) (core.ModelInfo, error) {
	finder := &local.Finder{Endpoints: []local.Endpoint{p.localEndpoint(key)}, AnswerTimeout: max(r.options.AnswerTimeout, patience)}
	servers := finder.Find(ctx)
	if len(servers) == 0 {
		if err := ctx.Err(); err != nil {
			return info, core.Wrap(core.CodeOf(err), err, "look for %s", p.name)
		}
		return info, core.E(core.Unavailable, "%s does not respond at %s", p.name, p.baseURL).WithHint("Start it").WithRemedy(core.SetAddress)
	}
	if err := servers[0].Err; err != nil {
		return info, err
	}
	for _, m := range servers[0].Models {
		if m.ID == info.ID || m.ID == info.ID+":latest" {
			m.ID = info.ID
			return m, nil
		}
	}
	return info, nil // the server may load the model on request
}

// adapter returns the client of the provider's protocol.
func (r *Registry) adapter(ctx context.Context, p *known, key string) (caller, error) {
	e := p.endpoint(key)
	e.Client = r.options.Client
	switch p.protocol {
	case endpoint.OpenAIChat:
		return openai.NewChat(e), nil
	case endpoint.OpenAIResponses:
		return openai.NewResponses(e), nil
	case endpoint.AnthropicMessages:
		return anthropic.New(e), nil
	case endpoint.GoogleGenAI:
		return google.New(e), nil
	case endpoint.OllamaChat:
		return ollama.New(e), nil
	default:
		return nil, core.E(core.Invalid, "unknown protocol %q of the provider %s", p.protocol, p.name)
	}
}

// caller calls every model of its endpoint.
type caller interface {
	Model
	Models(ctx context.Context) ([]core.ModelInfo, error)
}

// script returns the same model for the same file, because the model counts which alternatives it played.
func (r *Registry) script(name string) (Model, core.ModelInfo, error) {
	version := name
	if file, err := os.Stat(name); name != script.Demo && err == nil {
		version = fmt.Sprintf("%s\x00%d\x00%d", name, file.Size(), file.ModTime().UnixNano())
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	m, ok := r.scripts[version]
	if !ok {
		s, err := script.Open(name)
		if err != nil {
			return nil, core.ModelInfo{}, err
		}
		m = script.New(s)
		r.scripts[version] = m
	}
	return m, m.Info(name), nil
}

func (r *Registry) replay(ctx context.Context, session string) (Model, core.ModelInfo, error) {
	if r.options.Sessions == nil {
		return nil, core.ModelInfo{}, core.E(core.Invalid, "no library to replay sessions from")
	}
	messages, err := r.options.Sessions(ctx, session)
	if err != nil {
		return nil, core.ModelInfo{}, err
	}
	m, err := replay.New(session, messages)
	if err != nil {
		return nil, core.ModelInfo{}, err
	}
	return m, m.Info(), nil
}

// move replaces the address of a provider. Servers that are compatible with OpenAI speak chat completions, and few of them responses.
func (p *known) move(baseURL string) {
	p.baseURL = trim(baseURL)
	if p.protocol == endpoint.OpenAIResponses && !p.chosen && p.baseURL != usualURL(p.protocol) {
		p.protocol = endpoint.OpenAIChat
	}
}

// overCompatible reports whether a protocol is mainly used with servers other than the vendor's.
func overCompatible(p endpoint.Protocol) bool {
	return p == endpoint.OpenAIChat || p == endpoint.OllamaChat
}
