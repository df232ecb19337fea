package provider

import (
	"context"
	"net/http"

	"coppice/backend/core"
	"coppice/backend/provider/failure"
	"coppice/backend/provider/key"
	"coppice/backend/provider/local"
)

// The kinds of services.
const (
	ServiceCloud  = "cloud"  // needs a key
	ServiceLocal  = "local"  // a server on this machine
	ServiceCustom = "custom" // added by the user
)

// Service describes a provider for the user who sets it up. It never contains a key.
type Service struct {
	Name      string   `json:"name"`
	Kind      string   `json:"kind"`
	Protocol  string   `json:"protocol"`
	BaseURL   string   `json:"baseUrl"`   // the address that is called
	Moved     bool     `json:"moved"`     // the configuration sets the address
	Variables []string `json:"variables"` // environment variables that may hold the key; never nil
	NeedsKey  bool     `json:"needsKey"`
	KeyFrom   string   `json:"keyFrom"` // the name of a variable, key.FromKeyring or key.FromMemory; empty: it has no key
}

// Services returns the providers that the user can set up, in the order in which a default model is chosen. It calls no
// provider, but it asks the keyring.
func (r *Registry) Services(ctx context.Context) []Service {
	moved := map[string]bool{}
	for _, c := range r.options.Custom {
		moved[c.Name] = c.BaseURL != ""
	}
	services := []Service{}
	for i := range r.providers {
		p := &r.providers[i]
		if !p.listed {
			continue
		}
		s := Service{
			Name: p.name, Kind: serviceKind(p.kind), Protocol: string(p.protocol), BaseURL: p.baseURL, Moved: moved[p.name],
			Variables: append([]string{}, p.variables...), NeedsKey: p.needsKey,
		}
		if s.BaseURL == "" {
			s.BaseURL = usualURL(p.protocol)
		}
		if _, from, err := r.key(ctx, p); err == nil {
			s.KeyFrom = from
		}
		services = append(services, s)
	}
	return services
}

func serviceKind(k kind) string {
	switch k {
	case server:
		return ServiceLocal
	case custom:
		return ServiceCustom
	case cloud, scripted, replayed:
		return ServiceCloud
	default:
		return ServiceCloud
	}
}

// Keys returns the ring that holds the keys.
func (r *Registry) Keys() *key.Ring { return r.options.Keys }

// Account returns the name under which the key of a provider is stored, or a NotFound error for an unknown provider.
func (r *Registry) Account(name string) (string, error) {
	p, err := r.service(name)
	if err != nil {
		return "", err
	}
	return p.account, nil
}

// Test asks a provider for its models, with its key and at its address, and returns them. The status contains the reason
// if the provider cannot be used; the error is NotFound for an unknown provider, or that of ctx.
func (r *Registry) Test(ctx context.Context, name string) (Status, []core.ModelInfo, error) {
	p, err := r.service(name)
	if err != nil {
		return Status{}, nil, err
	}
	var l listing
	if p.kind == server && local.IsLoopback(p.baseURL) {
		key, _, _ := r.key(ctx, p) // local servers need no key
		finder := local.Finder{Endpoints: []local.Endpoint{p.localEndpoint(key)}, AnswerTimeout: max(r.options.AnswerTimeout, patience)}
		if servers := finder.Find(ctx); len(servers) > 0 {
			l = r.local(p, servers[0], true)
		} else {
			l = r.local(p, local.Server{}, false)
		}
	} else {
		l = r.vendor(ctx, p)
		if l.status.Code == "" {
			if err := r.checkKey(ctx, p); err != nil {
				l.status.fail(err)
			}
		}
	}
	if err := ctx.Err(); err != nil {
		return Status{}, nil, core.Wrap(core.CodeOf(err), err, "test %s", name)
	}
	l.status.Provider, l.status.ModelCount = p.name, int64(len(l.models))
	return l.status, l.models, nil
}

func (r *Registry) service(name string) (*known, error) {
	if p := r.find(name); p != nil && p.listed {
		return p, nil
	}
	return nil, core.E(core.NotFound, "unknown provider %q", name).WithRemedy(core.AddProvider)
}

// checkKey asks OpenRouter about the key, because it lists its models to everyone.
func (r *Registry) checkKey(ctx context.Context, p *known) error {
	if p.name != "openrouter" {
		return nil
	}
	secret, _, err := r.key(ctx, p)
	if err != nil || secret == "" {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, r.options.CatalogTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, p.baseURL+"/key", nil)
	if err != nil {
		return core.Wrap(core.Invalid, err, "test %s", p.name)
	}
	request.Header.Set("Authorization", "Bearer "+secret)
	response, err := r.options.Client.Do(request)
	if err != nil {
		return core.Wrap(core.Unavailable, err, "test %s", p.name)
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode == http.StatusUnauthorized || response.StatusCode == http.StatusForbidden {
		return core.E(core.Auth, "%s does not accept the key", p.name).WithHint("Check %s", failure.KeyVariable(p.name))
	}
	return nil
}
