// Package key finds the API keys of providers: in the environment, in the memory of this process, else in the keyring of
// the system. It writes them nowhere else and puts none into an error.
package key

import (
	"context"
	"errors"
	"os"
	"strings"
	"sync"

	"github.com/zalando/go-keyring"

	"coppice/backend/core"
)

// service is the keyring's name for Coppice's keys; the account is the provider's name.
const service = "coppice"

// Ring finds and stores keys. It may be used concurrently.
type Ring struct {
	getenv func(name string) string
	turn   chan struct{} // held while the keyring is asked, so that only one dialog opens at a time

	mutex sync.Mutex
	held  map[string]string // keys in memory, by provider
}

// The sources of a key that is not from an environment variable.
const (
	FromKeyring = "keyring"
	FromMemory  = "memory"
)

// New returns a ring that reads the environment with getenv; nil: os.Getenv.
func New(getenv func(name string) string) *Ring {
	if getenv == nil {
		getenv = os.Getenv
	}
	return &Ring{getenv: getenv, turn: make(chan struct{}, 1), held: map[string]string{}}
}

// Environment returns the value of the first variable that is set, and its name; both are empty if none is set.
func (r *Ring) Environment(variables ...string) (key, from string) {
	for _, name := range variables {
		if key := strings.TrimSpace(r.getenv(name)); key != "" {
			return key, name
		}
	}
	return "", ""
}

// Find returns the key of a provider and its source: the name of the first environment variable that is set, FromMemory
// or FromKeyring. A missing key is an Auth error with a hint. If the keyring asks the user for a password, Find waits
// until ctx ends.
func (r *Ring) Find(ctx context.Context, provider string, variables ...string) (key, from string, err error) {
	if key, from := r.Environment(variables...); key != "" {
		return key, from, nil
	}
	if key := r.heldKey(provider); key != "" {
		return key, FromMemory, nil
	}
	key, err = r.stored(ctx, provider)
	if err == nil {
		return key, FromKeyring, nil
	}
	if ctx.Err() != nil {
		return "", "", core.Wrap(core.CodeOf(ctx.Err()), ctx.Err(), "look for the key of %s in the keyring", provider)
	}
	return "", "", missing(provider, variables, err)
}

// stored reads the keyring in a goroutine, because the keyring takes no context and the caller must be able to leave.
func (r *Ring) stored(ctx context.Context, provider string) (string, error) {
	type answer struct {
		key string
		err error
	}
	select {
	case r.turn <- struct{}{}:
	case <-ctx.Done():
		return "", ctx.Err()
	}
	answers := make(chan answer, 1)
	go func() {
		defer func() { <-r.turn }()
		key, err := keyring.Get(service, provider)
		if key = strings.TrimSpace(key); err == nil && key == "" {
			err = keyring.ErrNotFound
		}
		answers <- answer{key, err}
	}()
	select {
	case a := <-answers:
		return a.key, a.err
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

func missing(provider string, variables []string, cause error) error {
	set := ""
	if len(variables) > 0 {
		set = "Set " + strings.Join(variables, " or ")
	}
	if !errors.Is(cause, keyring.ErrNotFound) {
		if set == "" {
			set = "Name an environment variable for it in the configuration"
		}
		return core.E(core.Auth, "no API key for %s: the system keyring does not respond", provider).WithHint("%s", set)
	}
	return core.E(core.Auth, "no API key for %s", provider).WithHint("%s", set).WithRemedy(core.SetKey, provider)
}

// Check returns an Unavailable error if the keyring of the system does not respond.
func (r *Ring) Check(ctx context.Context) error {
	_, err := r.stored(ctx, "")
	if err == nil || errors.Is(err, keyring.ErrNotFound) {
		return nil
	}
	return unavailable(err, "open the keyring")
}

// Set stores the key of a provider in the keyring. An empty key, or a key with several lines, is Invalid; a missing
// keyring is Unavailable.
func (r *Ring) Set(provider, key string) error {
	key, err := checked(provider, key)
	if err != nil {
		return err
	}
	if err := keyring.Set(service, provider, key); err != nil {
		return unavailable(err, "store the key of "+provider)
	}
	r.drop(provider)
	return nil
}

// Hold holds the key of a provider in memory until this process ends, for systems without a keyring. The same keys are
// Invalid as for Set.
func (r *Ring) Hold(provider, key string) error {
	key, err := checked(provider, key)
	if err != nil {
		return err
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.held[provider] = key
	return nil
}

func (r *Ring) heldKey(provider string) string {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.held[provider]
}

// drop removes a key from memory and reports whether there was one.
func (r *Ring) drop(provider string) bool {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	_, held := r.held[provider]
	delete(r.held, provider)
	return held
}

// checked returns a key without the space around it, or an Invalid error that does not contain it.
func checked(provider, key string) (string, error) {
	key = strings.TrimSpace(key)
	if key == "" {
		return "", core.E(core.Invalid, "the key of %s is empty", provider)
	}
	if strings.ContainsAny(key, "\r\n\x00") {
		return "", core.E(core.Invalid, "the key of %s has more than one line", provider)
	}
	return key, nil
}

// Delete removes the key of a provider from memory and from the keyring; NotFound if it is in neither.
func (r *Ring) Delete(provider string) error {
	wasHeld := r.drop(provider)
	err := keyring.Delete(service, provider)
	if wasHeld { // a missing keyring holds no key
		return nil
	}
	if errors.Is(err, keyring.ErrNotFound) {
		return core.E(core.NotFound, "no key for %s in the keyring", provider)
	}
	if err != nil {
		return unavailable(err, "delete the key of "+provider)
	}
	return nil
}

func unavailable(err error, step string) error {
	return &core.Error{
		Code:    core.Unavailable,
		Message: step + ": the system keyring does not respond",
		Hint:    "Set the key in the environment. On Linux the keyring needs a desktop session with D-Bus and a secret service such as GNOME Keyring or KWallet",
		Err:     err,
	}
}
