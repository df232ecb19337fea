// Package local finds the model servers that run on this machine, at their usual ports. It asks nobody else.
package local

import (
	"context"
	"sync"
	"time"

	"coppice/backend/core"
	"coppice/backend/provider/endpoint"
)

// Place is where a server may be.
type Place struct {
	Provider string // one of Usual
	URL      string // of its root, without a trailing slash
	Key      string // for a server that was set up to ask for one; empty: none
}

// Server is one that answers.
type Server struct {
	Provider string
	Protocol endpoint.Protocol
	BaseURL  string           // of an endpoint with that protocol
	Models   []core.ModelInfo // those in memory first
	Err      error            // why its models cannot be listed; nil: they are
}

// Finder looks for servers. It may be used concurrently.
type Finder struct {
	Places []Place
	// AnswerTimeout is how long a server has to show itself; 0: 300 ms.
	AnswerTimeout time.Duration
	// DetailTimeout is how long it then has to tell of its models; 0: two seconds.
	DetailTimeout time.Duration
}

const (
	usualAnswer = 300 * time.Millisecond
	usualDetail = 2 * time.Second
)

// Find asks all places at once and returns the servers that answered, in the order of the places. Places that are not on this
// machine are left out.
func (f *Finder) Find(ctx context.Context) []Server {
	client := newClient()
	defer client.CloseIdleConnections()
	found := make([]*Server, len(f.Places))
	var all sync.WaitGroup
	for i, p := range f.Places {
		if !loopback(p.URL) {
			continue
		}
		all.Go(func() {
			c := &caller{client: client, place: p, answer: orElse(f.AnswerTimeout, usualAnswer)}
			found[i] = c.ask(ctx, orElse(f.DetailTimeout, usualDetail))
		})
	}
	all.Wait()
	var servers []Server
	for _, s := range found {
		if s != nil {
			servers = append(servers, *s)
		}
	}
	return servers
}

func orElse(d, usual time.Duration) time.Duration {
	if d == 0 {
		return usual
	}
	return d
}

// ask returns nil where the place's kind of server is not there.
func (c *caller) ask(ctx context.Context, detail time.Duration) *Server {
	ctx, cancel := context.WithTimeout(ctx, c.answer+detail)
	defer cancel()
	kind, ok := kindOf(c.place.Provider)
	if !ok {
		return nil
	}
	models, err := kind.list(ctx, c)
	if err != nil && core.CodeOf(err) != core.Auth {
		return nil
	}
	for i := range models {
		complete(&models[i], c.place.Provider)
	}
	return &Server{Provider: c.place.Provider, Protocol: kind.protocol, BaseURL: c.place.URL + kind.path, Models: models, Err: err}
}

// complete fills in what holds for all models on this machine.
func complete(m *core.ModelInfo, provider string) {
	m.Provider = provider
	if m.Local = provider != "ollama" || !IsRemote(m.ID); m.Local {
		free := int64(0)
		m.InputNanoUSD, m.OutputNanoUSD = &free, &free
	}
	if m.Name == "" {
		m.Name = m.ID
	}
}
