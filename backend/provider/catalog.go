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

// patience is how long a server of this machine has to show itself when it was asked for by name.
const patience = 2 * time.Second

// Catalog is what can be used at a moment.
type Catalog struct {
	Models    []core.ModelInfo `json:"models"` // by provider, in the order of Providers
	Providers []Status         `json:"providers"`
}

// Status says of a provider whether it can be used, and why not.
type Status struct {
	Provider string `json:"provider"`
	// From is where the key is from, the name of a variable or keyring, or the address of a server; empty: there is none.
	From       string    `json:"from"`
	ModelCount int64     `json:"modelCount"`
	Code       core.Code `json:"code"`    // empty: it can be used
	Problem    string    `json:"problem"` // why it cannot; empty: it can
	Hint       string    `json:"hint"`    // what to do about it
}

func (s *Status) fail(err error) {
	s.Code, s.Problem, s.Hint = core.CodeOf(err), err.Error(), core.HintOf(err)
}

// Models asks all providers that have a key and the ports of this machine at once what they have. A provider that cannot be used
// has a Status that says why; the error is the context's alone.
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

// listing is what one provider answered.
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

// vendor asks a provider with a key for its models.
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

// servers asks the ports of this machine. A server that is set up to be elsewhere is asked there.
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
		s, ok := asked[p.name]
		found[i].status.From = p.baseURL
		switch {
		case r.options.NoLocalServers:
			found[i].status.fail(core.E(core.Unavailable, "the servers of this machine are not asked").WithHint("set local_servers to true in the configuration"))
		case !ok:
			found[i].status.fail(core.E(core.Unavailable, "%s does not answer at %s", p.name, p.baseURL))
		case s.Err != nil:
			found[i].status.fail(s.Err)
		default:
			found[i].models = s.Models
			for m := range found[i].models {
				found[i].models[m] = r.listed(found[i].models[m])
			}
		}
	}
}

// finder looks for all servers of this machine.
func (r *Registry) finder(ctx context.Context) *local.Finder {
	f := &local.Finder{AnswerTimeout: r.options.AnswerTimeout}
	for i := range r.providers {
		if p := &r.providers[i]; p.kind == server {
			key, _, _ := r.key(ctx, p) // servers need none
			f.Places = append(f.Places, p.place(key))
		}
	}
	return f
}

// place returns where a server is.
func (p *known) place(key string) local.Place {
	return local.Place{Provider: p.name, URL: strings.TrimSuffix(p.baseURL, "/v1"), Key: key}
}

// Default returns the PROVIDER/MODEL for those who name none: the one that was chosen in the configuration, else that of the
// first vendor there is a key for, else the first model of a server on this machine, those in memory first. Where there is none of
// them, the NotFound error's hint says what to do.
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
	return "", core.E(core.NotFound, "there is no model to use: no key of a provider was found, and no model server on this machine").
		WithHint("set a key such as ANTHROPIC_API_KEY, or run: coppice config key set openai; or start a server such as Ollama; to look around without one: --model script/%s", script.Demo)
}

// withKey returns the first vendor that has a key, nil where none has. A keyring that does not answer soon is left.
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
