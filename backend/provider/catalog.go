package provider

import (
	"context"
	"strings"
	"sync"
	"time"

	"coppice/backend/core"
	"coppice/backend/provider/local"
	"coppice/backend/provider/script"
)

// patience is how long a server on this machine may take to answer if the user named it.
const patience = 2 * time.Second

// Catalog lists the models and providers that can be used now.
type Catalog struct {
	Models    []core.ModelInfo `json:"models"` // by provider, in the order of Providers
	Providers []Status         `json:"providers"`
}

// Status reports whether a provider can be used, and if not, why.
type Status struct {
	Provider string `json:"provider"`
	// From is the source of the key (the name of a variable, or keyring) or the address of a server; empty if unknown.
	From       string      `json:"from"`
	ModelCount int64       `json:"modelCount"`
	Code       core.Code   `json:"code"`    // empty if the provider can be used
	Problem    string      `json:"problem"` // the reason why it cannot be used; empty if it can
	Hint       string      `json:"hint"`    // how to fix the problem
	Remedy     core.Remedy `json:"-"`
}

func (s *Status) fail(err error) {
	s.Code, s.Problem = core.CodeOf(err), err.Error()
	s.Hint, s.Remedy = core.HelpOf(err)
}

// Models lists the models of all providers that have a key, and of the servers on this machine, all at the same time. A
// provider that cannot be used has a Status with the reason. Models returns an error only if ctx ends.
func (r *Registry) Models(ctx context.Context) (Catalog, error) {
	found := make([]listing, len(r.providers))
	var all sync.WaitGroup
	for i := range r.providers {
		if p := &r.providers[i]; p.listed && p.kind != server {
			all.Go(func() { found[i] = r.vendor(ctx, p) })
		}
	}
	all.Go(func() { r.servers(ctx, found) })
	all.Wait()
	if err := ctx.Err(); err != nil {
		return Catalog{}, core.Wrap(core.CodeOf(err), err, "list the models")
	}
	c := r.catalog(found)
	r.mutex.Lock()
	defer r.mutex.Unlock()
	for _, m := range c.Models {
		r.seen[m.Provider+"/"+m.ID] = m
	}
	return c, nil
}

// listing is the answer of one provider.
type listing struct {
	status Status
	models []core.ModelInfo
}

func (r *Registry) catalog(found []listing) Catalog {
	c := Catalog{Models: []core.ModelInfo{}, Providers: []Status{}}
	for i := range r.providers {
		p, l := &r.providers[i], found[i]
		if p.kind == scripted {
			if m, info, err := r.script(script.Demo); err == nil && m != nil {
				l.models = []core.ModelInfo{info}
			}
			l.status.From = "built in"
		} else if !p.listed {
			continue
		}
		l.status.Provider, l.status.ModelCount = p.name, int64(len(l.models))
		c.Providers = append(c.Providers, l.status)
		c.Models = append(c.Models, l.models...)
	}
	return c
}

// vendor lists the models of a provider that needs a key.
func (r *Registry) vendor(ctx context.Context, p *known) listing {
	ctx, cancel := context.WithTimeout(ctx, r.options.CatalogTimeout)
	defer cancel()
	var l listing
	key, from, err := r.key(ctx, p)
	if err != nil {
		l.status.fail(err)
		return l
	}
	l.status.From = from
	if from == "" {
		l.status.From = p.baseURL
	}
	caller, err := r.adapter(ctx, p, key)
	if err == nil {
		l.models, err = caller.Models(ctx)
	}
	if err != nil {
		l.status.fail(err)
		return l
	}
	for i := range l.models {
		l.models[i].Provider, l.models[i].Local = p.name, p.free()
		l.models[i] = r.listed(l.models[i])
	}
	return l
}

// servers lists the models of the servers on this machine. A server that is configured with another host is called
// there.
func (r *Registry) servers(ctx context.Context, found []listing) {
	asked := map[string]local.Server{}
	if !r.options.NoLocalServers {
		for _, s := range r.finder(ctx).Find(ctx) {
			asked[s.Provider] = s
		}
	}
	for i := range r.providers {
		p := &r.providers[i]
		if p.kind != server {
			continue
		}
		if !local.IsLoopback(p.baseURL) {
			found[i] = r.vendor(ctx, p)
			continue
		}
		if r.options.NoLocalServers {
			found[i].status.From = p.baseURL
			found[i].status.fail(core.E(core.Unavailable, "local model servers are turned off").WithHint("Set local_servers to true in the configuration"))
			continue
		}
		s, ok := asked[p.name]
		found[i] = r.local(p, s, ok)
	}
}

// local returns what a server on this machine has answered; ok is false if it has not.
func (r *Registry) local(p *known, s local.Server, ok bool) listing {
	l := listing{status: Status{From: p.baseURL}}
	switch {
	case !ok:
		l.status.fail(core.E(core.Unavailable, "%s does not respond at %s", p.name, p.baseURL))
	case s.Err != nil:
		l.status.fail(s.Err)
	default:
		l.models = s.Models
		for m := range l.models {
			l.models[m] = r.listed(l.models[m])
		}
	}
	return l
}

// finder returns a finder of all servers on this machine.
func (r *Registry) finder(ctx context.Context) *local.Finder {
	f := &local.Finder{AnswerTimeout: r.options.AnswerTimeout}
	for i := range r.providers {
		if p := &r.providers[i]; p.kind == server {
			key, _, _ := r.key(ctx, p) // local servers need no key
			f.Endpoints = append(f.Endpoints, p.localEndpoint(key))
		}
	}
	return f
}

// localEndpoint returns the address of a local server.
func (p *known) localEndpoint(key string) local.Endpoint {
	return local.Endpoint{Provider: p.name, URL: strings.TrimSuffix(p.baseURL, "/v1"), Key: key}
}

// Default returns the PROVIDER/MODEL to use if the user names none: the configured one, else that of the first vendor
// with a key, else the first model of a server on this machine, loaded models first. If none exists, it returns a
// NotFound error whose hint describes what to do.
func (r *Registry) Default(ctx context.Context) (string, error) {
	if r.options.Default != "" {
		_, _, err := Split(r.options.Default)
		return r.options.Default, err
	}
	if chosen := r.withKey(ctx); chosen != nil {
		return chosen.name + "/" + chosen.usual, nil
	}
	if !r.options.NoLocalServers {
		for _, s := range r.finder(ctx).Find(ctx) {
			if len(s.Models) > 0 {
				return s.Provider + "/" + s.Models[0].ID, nil
			}
		}
	}
	if err := ctx.Err(); err != nil {
		return "", core.Wrap(core.CodeOf(err), err, "look for a model")
	}
	return "", core.E(core.NotFound, "no model available: found no provider key and no model server on this machine").
		WithHint("Set a key such as ANTHROPIC_API_KEY, or start a server such as Ollama").WithRemedy(core.AddModel, "script/"+script.Demo)
}

// withKey returns the first vendor that has a key, or nil. It does not wait for a slow keyring.
func (r *Registry) withKey(ctx context.Context) *known {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for i := range r.providers {
		p := &r.providers[i]
		if p.kind != cloud || p.usual == "" {
			continue
		}
		if key, _, err := r.key(ctx, p); err == nil && key != "" {
			return p
		}
	}
	return nil
}
