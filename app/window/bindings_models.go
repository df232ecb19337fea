package window

import (
	"context"
	"slices"
	"time"

	"coppice/app/internal/guard"
	"coppice/app/window/internal/change"
	"coppice/app/window/internal/remedy"
	"coppice/backend/config"
	"coppice/backend/core"
	"coppice/backend/provider"
	"coppice/backend/sqlite"
)

// ModelBindings set up the providers of models and what a new session starts with. Keys arrive as bodies of requests, see
// acceptKey, and never leave again.
type ModelBindings struct{ *program }

// keyringPatience is how long the keyring may take, which may ask the user for a password.
const keyringPatience = 2 * time.Second

// testPatience is how long a test of a provider or an MCP server may take.
const testPatience = 30 * time.Second

// ListProviders returns the providers and where their keys are from. It calls no provider.
func (b *ModelBindings) ListProviders() (Providers, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) (Providers, error) {
		registry, err := b.registry(db)
		if err != nil {
			return Providers{}, err
		}
		ctx, cancel := context.WithTimeout(ctx, keyringPatience)
		defer cancel()
		providers := Providers{Services: registry.Services(ctx)}
		if err := registry.Keys().Check(ctx); err != nil {
			providers.Keyring = err.Error()
		}
		return providers, nil
	})
}

// TestProvider asks a provider for its models, with its key and at its address.
func (b *ModelBindings) TestProvider(name string) (TestResult, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) (TestResult, error) {
		registry, err := b.registry(db)
		if err != nil {
			return TestResult{}, err
		}
		ctx, cancel := context.WithTimeout(ctx, testPatience)
		defer cancel()
		start := time.Now()
		status, models, err := registry.Test(ctx, name)
		if err != nil {
			return TestResult{}, err
		}
		result := TestResult{OK: status.Code == "", Message: status.Problem, Hint: remedy.Sentence(status.Hint, status.Remedy), Names: []string{}, TookMs: time.Since(start).Milliseconds()}
		for _, m := range models {
			result.Names = append(result.Names, m.ID)
		}
		return result, nil
	})
}

// RemoveKey removes the key of a provider from the keyring and from memory.
func (b *ModelBindings) RemoveKey(name string) error {
	return b.change(change.Settings, nil, func(_ context.Context, db *sqlite.DB) error {
		registry, err := b.registry(db)
		if err != nil {
			return err
		}
		account, err := registry.Account(name)
		if err != nil {
			return err
		}
		return registry.Keys().Delete(account)
	})
}

// SaveProvider sets the address, the protocol and the variable of a provider in the user's configuration.
func (b *ModelBindings) SaveProvider(edit config.ProviderEdit) error {
	return b.configure(func() error { return config.SaveProvider(edit) })
}

// RemoveProvider removes a provider from the user's configuration. A known provider gets its own address back.
func (b *ModelBindings) RemoveProvider(name string) error {
	return b.configure(func() error { return config.RemoveProvider(name) })
}

// GetDefaults returns what a new session starts with, and the mistakes in the user's configuration.
func (b *ModelBindings) GetDefaults() (defaults Defaults, err error) {
	err = guard.Run(func() error {
		set, err := config.ReadUser()
		if err != nil {
			return err
		}
		defaults = Defaults{Path: config.Path(), Problems: []string{}, Model: set.Model, Agent: set.Agent, Mode: string(set.Mode)}
		for _, problem := range set.Problems {
			defaults.Problems = append(defaults.Problems, problem.Err().Error())
		}
		return nil
	})
	return defaults, err
}

// SetDefault sets the model, the agent or the mode of a new session in the user's configuration. An empty value removes it.
func (b *ModelBindings) SetDefault(key, value string) error {
	return b.configure(func() error {
		switch {
		case !slices.Contains([]string{"model", "agent", "mode"}, key):
			return core.E(core.Invalid, "unknown default %q", key)
		case value == "":
			return config.Unset(key)
		default:
			return config.Set(key, value)
		}
	})
}

// registry returns the providers of the user's own configuration.
func (p *program) registry(db *sqlite.DB) (*provider.Registry, error) {
	env, err := p.launcher.UserEnv(db)
	if err != nil {
		return nil, err
	}
	return env.Registry, nil
}

// configure runs f, which changes the user's configuration, and reports the change.
func (p *program) configure(f func() error) error {
	err := guard.Run(f)
	if err == nil {
		p.changes.Library(change.Settings)
	}
	return err
}
