package term

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"coppice/app/internal/library"
	"coppice/backend/core"
	"coppice/backend/sqlite"
	"coppice/backend/sqlite/keyslot"
)

// Unlock unlocks the library at path if it is encrypted; see library.Unlock. A user at a terminal is asked for the passphrase.
func (s *Shell) Unlock(ctx context.Context, path string) error {
	if !s.TypesSecrets() {
		return library.Unlock(ctx, path, nil)
	}
	tries := 0
	return library.Unlock(ctx, path, func() (string, error) {
		if tries++; tries > 1 {
			s.Say("this passphrase or recovery code does not open the library")
		}
		return s.AskSecret("Passphrase or recovery code of " + path)
	})
}

// createEncrypted makes a new library encrypted if the configuration asks for it.
func (s *Shell) createEncrypted(ctx context.Context, path string) error {
	if s.NoEncrypt {
		return nil
	}
	if wanted, err := library.EncryptsNew(path); err != nil || !wanted {
		return err
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) { // it is empty
		return err
	}
	slots := keyslot.New()
	secrets, code, err := s.NewSecrets(ctx, slots, false)
	if err != nil {
		return err
	}
	if err := sqlite.CreateEncrypted(path, slots, secrets...); err != nil {
		return err
	}
	s.SayRecoveryCode(code)
	return nil
}

// NewSecrets returns the secrets of a library that is to be encrypted: a passphrase from the user or from COPPICE_KEY_COMMAND, else a secret in the
// keyring, which may be wanted in any case; and a recovery code.
func (s *Shell) NewSecrets(ctx context.Context, slots *sqlite.Slots, withKeyring bool) (secrets []sqlite.Secret, code string, err error) {
	s.Say("if every key of an encrypted library is lost, nothing can open it; keep the recovery code in a safe place")
	text, err := s.firstPassphrase(ctx)
	if err != nil {
		return nil, "", err
	}
	if text != "" {
		secrets = append(secrets, sqlite.Secret{Kind: core.KeyPassphrase, Text: text})
	}
	if withKeyring || text == "" {
		secret, err := library.KeyringSecret(slots)
		if err != nil && text == "" {
			return nil, "", core.Wrap(core.Auth, err, "encrypt the library: no passphrase was given")
		} else if err != nil {
			return nil, "", err
		}
		secrets = append(secrets, secret)
	}
	code = keyslot.NewRecoveryCode()
	return append(secrets, sqlite.Secret{Kind: core.KeyRecovery, Text: code}), code, nil
}

// SayRecoveryCode prints a new recovery code.
func (s *Shell) SayRecoveryCode(code string) {
	s.Say("recovery code: %s", code)
	s.Say("print it or write it down: it opens the library if the passphrase is lost, and is not shown again")
}

// firstPassphrase asks a user at a terminal for a new passphrase, or reads it from COPPICE_NEW_KEY_COMMAND, else from COPPICE_KEY_COMMAND. It is empty if neither exists.
func (s *Shell) firstPassphrase(ctx context.Context) (string, error) {
	if s.TypesSecrets() {
		return s.NewPassphrase()
	}
	if text, err := library.SecretFrom(ctx, library.NewKeyCommand); text != "" || err != nil {
		return text, err
	}
	return library.SecretFrom(ctx, library.KeyCommand)
}

// NewPassphrase asks for a passphrase, twice at a terminal.
func (s *Shell) NewPassphrase() (string, error) {
	text, err := s.AskSecret("New passphrase")
	if err != nil {
		return "", err
	}
	if text == "" {
		return "", core.E(core.Invalid, "the passphrase is empty")
	}
	if !s.TypesSecrets() {
		return text, nil
	}
	again, err := s.AskSecret("The same passphrase again")
	if err == nil && again != text {
		err = core.E(core.Invalid, "the passphrases differ")
	}
	return text, err
}
