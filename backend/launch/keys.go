package launch

import (
	"context"
	"net/http"

	"coppice/backend/config"
	"coppice/backend/core"
	"coppice/backend/provider"
)

// KeySource says that a provider has a key, and where it is from; never the key.
type KeySource struct {
	Provider string `json:"provider"`
	From     string `json:"from"` // the name of a variable of the environment, or keyring
}

// KeySources returns the providers that have a key, never the keys. No provider is called for it.
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

// nowhere sends nothing.
type nowhere struct{}

// RoundTrip refuses.
func (nowhere) RoundTrip(*http.Request) (*http.Response, error) {
	return nil, core.E(core.Canceled, "nobody is asked")
}
