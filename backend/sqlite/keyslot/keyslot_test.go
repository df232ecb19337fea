package keyslot_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"filippo.io/age"

	"coppice/backend/core"
	"coppice/backend/sqlite/keyslot"
)

func add(t *testing.T, s *keyslot.Slots, key keyslot.Key, kind core.KeyKind, text string) core.KeySlot {
	t.Helper()
	slot, err := s.Add(key, keyslot.Secret{Kind: kind, Text: text})
	if err != nil {
		t.Fatal(err)
	}
	return slot
}

func TestOpen(t *testing.T) {
	identity, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	code, stored := keyslot.NewRecoveryCode(), keyslot.NewKeyringText()
	s, key := keyslot.New(), keyslot.NewKey()
	ids := map[core.KeyKind]string{}
	for kind, text := range map[core.KeyKind]string{
		core.KeyPassphrase: "café and more", core.KeyRecovery: code, core.KeyKeyring: stored, core.KeyAge: identity.Recipient().String(),
	} {
		ids[kind] = add(t, s, key, kind, text).ID
	}
	data, err := s.Bytes()
	if err != nil || len(data) > 1700 {
		t.Fatalf("%d bytes, %v", len(data), err)
	}
	for _, secret := range []string{"café", code, stored, string(key[:]), "-SECRET-KEY-"} {
		if strings.Contains(string(data), secret) {
			t.Errorf("the slots contain %q", secret)
		}
	}
	if s, err = keyslot.Parse(data); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		secret keyslot.Secret
		opens  core.KeyKind // empty: nothing
	}{
		{keyslot.Secret{Kind: core.KeyPassphrase, Text: "café and more"}, core.KeyPassphrase},
		{keyslot.Secret{Kind: core.KeyPassphrase, Text: "cafe\u0301 and more"}, core.KeyPassphrase}, // as another keyboard types it
		{keyslot.Secret{Kind: core.KeyPassphrase, Text: code}, core.KeyRecovery},
		{keyslot.Secret{Kind: core.KeyPassphrase, Text: " " + strings.ToLower(strings.ReplaceAll(code, "-", " "))}, core.KeyRecovery},
		{keyslot.Secret{Kind: core.KeyRecovery, Text: strings.ReplaceAll(strings.ReplaceAll(code, "0", "o"), "1", "l")}, core.KeyRecovery},
		{keyslot.Secret{Kind: core.KeyPassphrase, Text: "# a comment\n" + identity.String() + "\n"}, core.KeyAge},
		{keyslot.Secret{Kind: core.KeyPassphrase, Text: identity.String() + "\n"}, core.KeyAge},
		{keyslot.Secret{Kind: core.KeyAge, Text: "# a comment\n" + identity.String() + "\n"}, core.KeyAge},
		{keyslot.Secret{Kind: core.KeyKeyring, Text: stored}, core.KeyKeyring},
		{keyslot.Secret{Kind: core.KeyPassphrase, Text: "cafe and more"}, ""},
		{keyslot.Secret{Kind: core.KeyPassphrase, Text: ""}, ""},
		{keyslot.Secret{Kind: core.KeyPassphrase, Text: stored}, ""},
		{keyslot.Secret{Kind: core.KeyRecovery, Text: keyslot.NewRecoveryCode()}, ""},
		{keyslot.Secret{Kind: core.KeyKeyring, Text: "café and more"}, ""},
	} {
		got, id, err := s.Open(c.secret)
		if c.opens == "" {
			if core.CodeOf(err) != core.Auth || got != (keyslot.Key{}) || err.Error() != "the passphrase or key does not open the library" {
				t.Errorf("%s %.20q: %v", c.secret.Kind, c.secret.Text, err)
			}
			continue
		}
		if err != nil || got != key || id != ids[c.opens] {
			t.Errorf("%s %.20q opens %s, %v", c.secret.Kind, c.secret.Text, id, err)
		}
	}
}

func TestChange(t *testing.T) {
	s, key := keyslot.New(), keyslot.NewKey()
	first := add(t, s, key, core.KeyPassphrase, "one")
	if err := s.Remove(first.ID); core.CodeOf(err) != core.Conflict {
		t.Errorf("removing the only key: %v", err)
	}
	second := add(t, s, key, core.KeyPassphrase, "two")
	if err := s.Change(key, first.ID, keyslot.Secret{Kind: core.KeyPassphrase, Text: "three"}); err != nil {
		t.Fatal(err)
	}
	for text, id := range map[string]string{"one": "", "two": second.ID, "three": first.ID} {
		if _, got, _ := s.Open(keyslot.Secret{Kind: core.KeyPassphrase, Text: text}); got != id {
			t.Errorf("%s opens %q, want %q", text, got, id)
		}
	}
	if err := s.Remove("passphrase"); core.CodeOf(err) != core.Invalid {
		t.Errorf("an ambiguous kind: %v", err)
	}
	if err := s.Remove("nothing"); core.CodeOf(err) != core.NotFound {
		t.Errorf("an unknown id: %v", err)
	}
	if err := s.Remove(second.ID); err != nil {
		t.Error(err)
	}
	if all := s.All(); len(all) != 1 || all[0].ID != first.ID || all[0].Kind != core.KeyPassphrase || all[0].CreatedAtMs == 0 {
		t.Errorf("the slots are %+v", all)
	}
}

func TestRefused(t *testing.T) {
	s, key := keyslot.New(), keyslot.NewKey()
	for _, secret := range []keyslot.Secret{
		{Kind: core.KeyPassphrase}, {Kind: core.KeyAge, Text: "age1nothing"}, {Kind: core.KeyRecovery, Text: "ABCD-EFGH"}, {Kind: "other", Text: "x"},
	} {
		if _, err := s.Add(key, secret); err == nil {
			t.Errorf("%+v was added", secret)
		}
	}
	for data, code := range map[string]core.Code{`{"version":2,"slots":[]}`: core.TooNew, `{`: core.Corrupt} {
		if _, err := keyslot.Parse([]byte(data)); core.CodeOf(err) != code {
			t.Errorf("%s: %v", data, err)
		}
	}
}

// TestChangedSlots changes what is stored: no change opens the library with another key, and none takes long.
func TestChangedSlots(t *testing.T) {
	s, key := keyslot.New(), keyslot.NewKey()
	add(t, s, key, core.KeyPassphrase, "one")
	data, err := s.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(slot map[string]any){
		"memory": func(slot map[string]any) { slot["argon"] = []int{3, 1 << 30, 4} },
		"passes": func(slot map[string]any) { slot["argon"] = []int{1 << 30, 64, 4} },
		"weaker": func(slot map[string]any) { slot["argon"] = []int{1, 64, 1} },
		"none":   func(slot map[string]any) { delete(slot, "argon") },
		"kind":   func(slot map[string]any) { slot["kind"] = "keyring" },
		"data":   func(slot map[string]any) { slot["data"] = "AAAA" },
	} {
		var all map[string]any
		if err := json.Unmarshal(data, &all); err != nil {
			t.Fatal(err)
		}
		slots, _ := all["slots"].([]any)
		slot, _ := slots[0].(map[string]any)
		change(slot)
		changed, err := json.Marshal(all)
		if err != nil {
			t.Fatal(err)
		}
		s, err := keyslot.Parse(changed)
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		for _, kind := range []core.KeyKind{core.KeyPassphrase, core.KeyKeyring} {
			if _, _, err := s.Open(keyslot.Secret{Kind: kind, Text: "one"}); core.CodeOf(err) != core.Auth {
				t.Errorf("%s: %v", name, err)
			}
		}
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("%s took %v", name, took)
		}
	}
}

func BenchmarkPassphrase(b *testing.B) {
	s, key := keyslot.New(), keyslot.NewKey()
	if _, err := s.Add(key, keyslot.Secret{Kind: core.KeyPassphrase, Text: "one"}); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, _, err := s.Open(keyslot.Secret{Kind: core.KeyPassphrase, Text: "one"}); err != nil {
			b.Fatal(err)
		}
	}
}
