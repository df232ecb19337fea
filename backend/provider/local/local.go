// Package local finds the model servers that run on this machine, at their usual ports. It calls no other machine.
package local

import (
	"context"
	"sync"
	"time"

	"coppice/backend/core"
	"coppice/backend/provider/endpoint"
)

// Endpoint is an address where a server may run.
type Endpoint struct {
	Provider string // one of Usual
	URL      string // the root, without a trailing slash
	Key      string // for a server that requires one; empty: none
}

// Server is a server that answered.
type Server struct {
	Provider string
	Protocol endpoint.Protocol
	BaseURL  string           // of an endpoint with the protocol of Provider
	Models   []core.ModelInfo // loaded models first
	Err      error            // why its models cannot be listed; nil if they can
}

// Finder looks for servers. It may be used concurrently.
type Finder struct {
	Endpoints []Endpoint
	// AnswerTimeout is how long a server may take to answer first; 0: 300 ms.
	AnswerTimeout time.Duration
	// DetailTimeout is how long it may then take to describe its models; 0: two seconds.
	DetailTimeout time.Duration
}

const (
	usualAnswer = 300 * time.Millisecond
	usualDetail = 2 * time.Second
)

// Find calls all endpoints at the same time and returns the servers that answered, in the order of the endpoints. It skips
// endpoints that are not on this machine.
func (f *Finder) Find(ctx context.Context) []Server {
	client := newClient()
	defer client.CloseIdleConnections()
	found := make([]*Server, len(f.Endpoints))
	var all sync.WaitGroup
	for i, p := range f.Endpoints {
		if !loopback(p.URL) {
			continue
		}
		all.Go(func() {
			c := &caller{client: client, endpoint: p, answer: orElse(f.AnswerTimeout, usualAnswer)}
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

// ask returns nil if no server of the expected kind runs at the endpoint.
func (c *caller) ask(ctx context.Context, detail time.Duration) *Server {
	ctx, cancel := context.WithTimeout(ctx, c.answer+detail)
	defer cancel()
	kind, ok := kindOf(c.endpoint.Provider)
	if !ok {
		return nil
	}
	models, err := kind.list(ctx, c)
	if err != nil && core.CodeOf(err) != core.Auth {
		return nil
	}
	for i := range models {
		complete(&models[i], c.endpoint.Provider)
	}
	return &Server{Provider: c.endpoint.Provider, Protocol: kind.protocol, BaseURL: c.endpoint.URL + kind.path, Models: models, Err: err}
}

// complete sets what is true of all models on this machine.
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
