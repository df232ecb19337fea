package key_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/zalando/go-keyring"

	"coppice/backend/core"
	"coppice/backend/provider/key"
)

func ring(variables map[string]string) *key.Ring {
	return key.New(func(name string) string { return variables[name] })
}

func TestEnvironmentGoesBeforeTheKeyring(t *testing.T) {
	keyring.MockInit()
	r := ring(map[string]string{"SECOND": " from-env\n", "BLANK": "  "})
	if err := r.Set("openai", " stored "); err != nil {
		t.Fatal(err)
	}
	cases := []struct {
		variables []string
		key, from string
	}{
		{[]string{"FIRST", "SECOND"}, "from-env", "SECOND"},
		{[]string{"BLANK"}, "stored", "keyring"},
		{nil, "stored", "keyring"},
	}
	for _, c := range cases {
		got, from, err := r.Find(t.Context(), "openai", c.variables...)
		if got != c.key || from != c.from || err != nil {
			t.Errorf("%v: got %q from %q, %v", c.variables, got, from, err)
		}
	}
}

// remedyOf returns the remedy of an error, its arguments after a space each.
func remedyOf(err error) string {
	_, remedy := core.HelpOf(err)
	return strings.Join(append([]string{string(remedy.Kind)}, remedy.Args...), " ")
}

func TestMissingKeyHasARemedy(t *testing.T) {
	keyring.MockInit()
	r := ring(nil)
	_, _, err := r.Find(t.Context(), "google", "GEMINI_API_KEY", "GOOGLE_API_KEY")
	if core.CodeOf(err) != core.Auth || core.HintOf(err) != "Set GEMINI_API_KEY or GOOGLE_API_KEY" || remedyOf(err) != "set_key google" {
		t.Errorf("got %v, hint %q", err, core.HintOf(err))
	}
	_, _, err = r.Find(t.Context(), "mine")
	if core.CodeOf(err) != core.Auth || core.HintOf(err) != "" || remedyOf(err) != "set_key mine" {
		t.Errorf("got %v, hint %q", err, core.HintOf(err))
	}
}

func TestDelete(t *testing.T) {
	keyring.MockInit()
	r := ring(nil)
	if err := r.Set("openai", "k"); err != nil {
		t.Fatal(err)
	}
	if err := r.Delete("openai"); err != nil {
		t.Fatal(err)
	}
	if err := r.Delete("openai"); core.CodeOf(err) != core.NotFound {
		t.Errorf("got %v", err)
	}
	if _, _, err := r.Find(t.Context(), "openai"); core.CodeOf(err) != core.Auth {
		t.Errorf("got %v", err)
	}
}

func TestKeysThatAreNone(t *testing.T) {
	keyring.MockInit()
	for _, text := range []string{"", " \n", "sk-secret\nsk-other", "sk-secret\x00"} {
		err := ring(nil).Set("openai", text)
		if core.CodeOf(err) != core.Invalid || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: got %v", text, err)
		}
	}
}

func TestWithoutKeyring(t *testing.T) {
	keyring.MockInitWithError(errors.New("exec: dbus-launch not found"))
	t.Cleanup(keyring.MockInit)
	r := ring(map[string]string{"VARIABLE": "k"})
	for step, err := range map[string]error{"set": r.Set("openai", "sk-secret"), "delete": r.Delete("openai")} {
		if core.CodeOf(err) != core.Unavailable || core.HintOf(err) == "" || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: got %v", step, err)
		}
	}
	if got, _, err := r.Find(t.Context(), "openai", "VARIABLE"); got != "k" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
	_, _, err := r.Find(t.Context(), "openai", "OTHER")
	if core.CodeOf(err) != core.Auth || core.HintOf(err) != "Set OTHER" {
		t.Errorf("got %v, hint %q", err, core.HintOf(err))
	}
}

func TestCallerCanLeave(t *testing.T) {
	keyring.MockInit()
	ctx, cancel := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer cancel()
	r := ring(nil)
	if err := r.Set("openai", "k"); err != nil {
		t.Fatal(err)
	}
	got, _, err := r.Find(ctx, "openai")
	if faster := got == "k" && err == nil; !faster && core.CodeOf(err) != core.Timeout {
		t.Errorf("got %v", err)
	}
	// The next call starts when the abandoned one is done.
	if got, _, err := r.Find(t.Context(), "openai"); got != "k" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestHeldKey(t *testing.T) {
	keyring.MockInit()
	r := ring(map[string]string{"VARIABLE": "from-env"})
	if err := r.Hold("openai", " held\n"); err != nil {
		t.Fatal(err)
	}
	if err := r.Hold("openai", "two\nlines"); core.CodeOf(err) != core.Invalid {
		t.Errorf("got %v", err)
	}
	for variable, want := range map[string]string{"VARIABLE": "from-env", "OTHER": "held"} {
		if got, _, err := r.Find(t.Context(), "openai", variable); got != want || err != nil {
			t.Errorf("%s: got %q, %v", variable, got, err)
		}
	}
	// A key in the keyring replaces it.
	if err := r.Set("openai", "stored"); err != nil {
		t.Fatal(err)
	}
	if got, from, err := r.Find(t.Context(), "openai"); got != "stored" || from != key.FromKeyring || err != nil {
		t.Errorf("got %q from %q, %v", got, from, err)
	}
	if _, _, err := ring(nil).Find(t.Context(), "mistral"); core.CodeOf(err) != core.Auth {
		t.Errorf("got %v", err)
	}
}
