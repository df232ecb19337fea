package launch

import (
	"context"
	"net/http"

	"coppice/backend/config"
	"coppice/backend/core"
	"coppice/backend/provider"
)

// KeySource is a provider with a key and the source of that key. It never contains the key.
type KeySource struct {
	Provider string `json:"provider"`
	From     string `json:"from"` // the name of an environment variable, or "keyring"
}

// KeySources returns the providers that have a key, without the keys. It calls no provider.
func KeySources(ctx context.Context, set *config.Settings) ([]KeySource, error) {
	options, err := ProviderOptions(set)
	if err != nil {
		return nil, err
	}
	options.NoLocalServers, options.Client = true, &http.Client{Transport: nowhere{}}
	registry, err := provider.New(options)
	if err != nil {
		return nil, err
	}
	catalog, err := registry.Models(ctx)
	if err != nil {
		return nil, err
	}
	sources := []KeySource{}
	for _, p := range catalog.Providers {
		if p.From == "keyring" || config.VariableForm.MatchString(p.From) {
			sources = append(sources, KeySource{Provider: p.Provider, From: p.From})
		}
	}
	return sources, nil
}

// nowhere is an http.RoundTripper that sends nothing.
type nowhere struct{}

// RoundTrip returns an error for every request.
func (nowhere) RoundTrip(*http.Request) (*http.Response, error) {
	return nil, core.E(core.Canceled, "no user to ask")
}
