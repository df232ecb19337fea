// Package provider knows the providers of models: where they are, how they are spoken to, what they need, and what
// can be used at this moment. The packages below it speak to them.
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

// Model is one model of one provider, as engine.Model says.
type Model interface {
	Stream(ctx context.Context, r core.Request) iter.Seq2[core.StreamEvent, error]
}

// Custom is a provider as a person sets it up. One with the name of a known provider changes that.
type Custom struct {
	Name     string            // in PROVIDER/MODEL
	Protocol endpoint.Protocol // empty: that of the known provider, else openai.chat
	BaseURL  string            // empty: that of the known provider
	KeyEnv   string            // the environment's variable that holds the key; empty: that of the known provider, else NAME_API_KEY
	Headers  map[string]string
	Extra    map[string]any // see endpoint.Endpoint
}

// Options say what a registry works with. Zero values are what a person has who set up nothing.
type Options struct {
	Custom  []Custom
	Default string                   // PROVIDER/MODEL; empty: none was chosen
	Keys    *key.Ring                // nil: of this process and this person
	Getenv  func(name string) string // nil: of this process
	Prices  price.Own                // the person's own
	// Sessions reads the messages of a recorded session for replay/SESSION, whole, parents before their children; nil: there are none.
	Sessions func(ctx context.Context, session string) (iter.Seq2[core.Message, error], error)
	// NoLocalServers keeps Models and Default from asking the ports of this machine.
	NoLocalServers bool
	Places         []local.Place // where servers of this machine may be; nil: the usual ones
	Client         *http.Client  // sends all calls; nil: one with the retries of package transport
	Idle           time.Duration // how long a server may send nothing; 0: transport.DefaultIdle
	// CatalogTimeout is how long a provider has to list its models; 0: eight seconds.
	CatalogTimeout time.Duration
	// AnswerTimeout is how long a server of this machine has to show itself, see local.Finder.
	AnswerTimeout time.Duration
	Now           func() time.Time // nil: by the clock
}

// Registry opens models by name, tells what can be used, and prices calls. It may be used concurrently.
type Registry struct {
	options   Options
	providers []known
	prices    *price.Table

	mutex   sync.Mutex
	here    map[string]bool           // unknown providers that were opened at an address of this machine
	scripts map[string]*script.Model  // by the version of their file: they remember what they played
	seen    map[string]core.ModelInfo // by PROVIDER/MODEL, what the last Models told of them
}

const usualCatalogTimeout = 8 * time.Second

// New returns a registry. It asks nobody yet. Custom providers without an address, or with one that is none, are Invalid.
func New(o Options) (*Registry, error) {
	if o.Keys == nil {
		o.Keys = key.New(o.Getenv)
	}
	if o.Places == nil {
		o.Places = local.Usual(getenv(o.Getenv))
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
	if r.providers, err = providers(o.Places, o.Custom); err != nil {
		return nil, err
	}
	r.prices, err = price.Open(o.Prices, r.free)
	return r, err
}

// Cost returns what a call cost, as engine.Price says; see price.Table.
func (r *Registry) Cost(provider, model string, usage core.Usage, atMs int64) (nanoUSD int64, known bool) {
	return r.prices.Cost(provider, model, usage, atMs)
}

// PriceVersion names the table that prices come from.
func (r *Registry) PriceVersion() string { return r.prices.Version() }

// free says whether the calls of a model cost nothing: because it runs on this machine, or plays what was written before. A known
// vendor that is called through a proxy of this machine costs what it costs.
func (r *Registry) free(provider, model string) bool {
	if p := r.find(provider); p != nil {
		return p.free() && (p.protocol != endpoint.OllamaChat || !local.IsRemote(model))
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.here[provider]
}

// listed completes what a provider tells of a model by what the table knows.
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
