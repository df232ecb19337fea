// Package provider knows the providers of models: their addresses, their protocols, what they need, and which of them
// can be used now. Its subpackages call them.
package provider

import (
	"context"
	"iter"
	"net/http"
	"sync"
	"time"

	"coppice/backend/core"
	"coppice/backend/provider/endpoint"
	"coppice/backend/provider/key"
	"coppice/backend/provider/local"
	"coppice/backend/provider/price"
	"coppice/backend/provider/script"
	"coppice/backend/provider/transport"
)

// Model is one model of one provider; it implements engine.Model.
type Model interface {
	Stream(ctx context.Context, r core.Request) iter.Seq2[core.StreamEvent, error]
}

// Custom is a provider from the user's configuration. If it has the name of a known provider, it changes that one.
type Custom struct {
	Name     string            // as in PROVIDER/MODEL
	Protocol endpoint.Protocol // empty: that of the known provider, else openai.chat
	BaseURL  string            // empty: that of the known provider
	KeyEnv   string            // the environment variable that holds the key; empty: that of the known provider, else NAME_API_KEY
	Headers  map[string]string
	Extra    map[string]any // see endpoint.Endpoint
}

// Options are the settings of a registry. The zero values are the defaults of a user without configuration.
type Options struct {
	Custom  []Custom
	Default string                   // PROVIDER/MODEL; empty if none is configured
	Keys    *key.Ring                // nil: those of this process and its user
	Getenv  func(name string) string // nil: of this process
	Prices  price.Own                // the user's own prices
	// Sessions reads the messages of a recorded session for replay/SESSION, complete, parents before their children;
	// nil if no sessions can be replayed.
	Sessions func(ctx context.Context, session string) (iter.Seq2[core.Message, error], error)
	// NoLocalServers makes Models and Default skip the servers on this machine.
	NoLocalServers bool
	Endpoints      []local.Endpoint // where servers may run on this machine; nil: the usual ports
	Client         *http.Client     // sends all calls; nil: a client with the retries of package transport
	Idle           time.Duration    // how long a server may send nothing; 0: transport.DefaultIdle
	// CatalogTimeout is how long a provider may take to list its models; 0: eight seconds.
	CatalogTimeout time.Duration
	// AnswerTimeout is how long a server on this machine may take to answer, see local.Finder.
	AnswerTimeout time.Duration
	Now           func() time.Time // nil: time.Now
}

// Registry opens models by name, lists what can be used, and prices calls. It may be used concurrently.
type Registry struct {
	options   Options
	providers []known
	prices    *price.Table

	mutex   sync.Mutex
	here    map[string]bool           // unknown providers that were opened at an address on this machine
	scripts map[string]*script.Model  // by the version of their file, because each counts what it played
	seen    map[string]core.ModelInfo // by PROVIDER/MODEL, from the last call of Models
}

const usualCatalogTimeout = 8 * time.Second

// New returns a registry without calling any provider. A custom provider with a missing or invalid address is an
// Invalid error.
func New(o Options) (*Registry, error) {
	if o.Keys == nil {
		o.Keys = key.New(o.Getenv)
	}
	if o.Endpoints == nil {
		o.Endpoints = local.Usual(getenv(o.Getenv))
	}
	if o.Client == nil {
		o.Client = transport.NewClient(o.Idle)
	}
	if o.CatalogTimeout == 0 {
		o.CatalogTimeout = usualCatalogTimeout
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	r := &Registry{options: o, here: map[string]bool{}, scripts: map[string]*script.Model{}, seen: map[string]core.ModelInfo{}}
	var err error
	if r.providers, err = providers(o.Endpoints, o.Custom); err != nil {
		return nil, err
	}
	r.prices, err = price.Open(o.Prices, r.free)
	return r, err
}

// Cost returns the cost of a call, and implements engine.Price; see price.Table.
func (r *Registry) Cost(provider, model string, usage core.Usage, atMs int64) (nanoUSD int64, known bool) {
	return r.prices.Cost(provider, model, usage, atMs)
}

// PriceVersion returns the name of the price table.
func (r *Registry) PriceVersion() string { return r.prices.Version() }

// free reports whether calls of a model cost nothing, because it runs on this machine or plays recorded answers. A
// known vendor that is called through a proxy on this machine is not free.
func (r *Registry) free(provider, model string) bool {
	if p := r.find(provider); p != nil {
		return p.free() && (p.protocol != endpoint.OllamaChat || !local.IsRemote(model))
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.here[provider]
}

// listed completes what a provider reports about a model from the price table.
func (r *Registry) listed(m core.ModelInfo) core.ModelInfo {
	found := r.prices.Find(m.Provider, m.ID, r.options.Now().UnixMilli())
	if m.ContextTokens == 0 {
		m.ContextTokens = found.ContextTokens
	}
	if m.InputNanoUSD == nil || m.OutputNanoUSD == nil {
		m.InputNanoUSD, m.OutputNanoUSD = found.InputNanoUSD, found.OutputNanoUSD
	}
	if m.Name == "" {
		m.Name = m.ID
	}
	return m
}
