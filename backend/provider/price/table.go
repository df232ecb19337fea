// Package price computes the cost of model calls from an embedded table and the user's own prices. It uses integers, in
// billionths of a US dollar.
package price

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/json"
	"strings"

	"coppice/backend/core"
)

// embedded is written by generate/generate.mjs; data/LICENSE names the owner of the data.
//
//go:embed data/prices.json.gz
var embedded []byte

// Table prices the calls of models. It may be used concurrently.
type Table struct {
	own       Own
	free      func(provider, model string) bool
	version   string
	providers []provider
}

// provider, model and rate have the form that generate.mjs writes.
type provider struct {
	ID       string   `json:"id"`
	Match    rule     `json:"match"`
	Fallback []string `json:"fallback"` // providers whose models it resells
	Models   []model  `json:"models"`
}

type model struct {
	ID            string `json:"id"`
	Match         rule   `json:"match"`
	ContextTokens int64  `json:"contextTokens"`
	Rates         []rate `json:"prices"`
}

// Open reads the embedded table. The user's own prices, which may be nil, take precedence. free reports which models
// cost nothing, such as those on this machine; nil: none.
func Open(own Own, free func(provider, model string) bool) (*Table, error) {
	packed, err := gzip.NewReader(bytes.NewReader(embedded))
	if err != nil {
		return nil, core.Wrap(core.Internal, err, "unpack the prices")
	}
	var data struct {
		Source    string     `json:"source"`
		Version   string     `json:"version"`
		Providers []provider `json:"providers"`
	}
	if err := json.NewDecoder(packed).Decode(&data); err != nil {
		return nil, core.Wrap(core.Internal, err, "read the prices")
	}
	for p := range data.Providers {
		if err := data.Providers[p].compile(); err != nil {
			return nil, err
		}
	}
	if free == nil {
		free = func(_, _ string) bool { return false }
	}
	return &Table{own: own, free: free, version: data.Source + " " + data.Version, providers: data.Providers}, nil
}

func (p *provider) compile() error {
	if err := p.Match.compile(); err != nil {
		return core.Wrap(core.Internal, err, "read the prices of %s", p.ID)
	}
	for m := range p.Models {
		if err := p.Models[m].Match.compile(); err != nil {
			return core.Wrap(core.Internal, err, "read the prices of %s/%s", p.ID, p.Models[m].ID)
		}
	}
	return nil
}

// Version returns the name of the table's data, such as @pydantic/genai-prices 0.1.8.
func (t *Table) Version() string { return t.version }

// Cost returns the cost of a call made at atMs, rounded half up. It returns false if the model is unknown, or has no
// price for text and is not free. It does not count audio, images and searches.
//
// The user's own prices come first, then the free models, then the table.
func (t *Table) Cost(provider, model string, usage core.Usage, atMs int64) (nanoUSD int64, known bool) {
	rate, _, ok := t.rate(provider, model, atMs)
	if !ok {
		return 0, false
	}
	return rate.cost(usage), true
}

// Listing is the table's entry of a model.
type Listing struct {
	ContextTokens int64 // 0 if unknown
	// InputNanoUSD and OutputNanoUSD are the price of a million tokens of a short prompt; nil if unknown.
	InputNanoUSD  *int64
	OutputNanoUSD *int64
}

// Find returns what is known about a model at a time; the zero Listing if nothing is.
func (t *Table) Find(provider, model string, atMs int64) Listing {
	rate, entry, ok := t.rate(provider, model, atMs)
	var listing Listing
	if entry != nil {
		listing.ContextTokens = entry.ContextTokens
	}
	if ok {
		input, output := rate.Input.base(), rate.Output.base()
		listing.InputNanoUSD, listing.OutputNanoUSD = &input, &output
	}
	return listing
}

// rate returns the price of a model at a time, and its entry in the table, or nil if it has none.
func (t *Table) rate(provider, model string, atMs int64) (*rate, *model, bool) {
	entry := t.find(provider, model)
	if own, ok := t.own.find(provider, model); ok {
		return own, entry, true
	}
	if t.free(provider, model) {
		return &rate{}, entry, true
	}
	if entry == nil {
		return nil, nil, false
	}
	r := entry.at(atMs)
	return r, entry, r.counts() || strings.HasSuffix(strings.ToLower(model), ":free")
}
