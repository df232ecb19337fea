package library

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"coppice/backend/config"
	"coppice/backend/core"
	"coppice/backend/provider/key"
	"coppice/backend/sqlite"
	"coppice/backend/sqlite/keyslot"
)

// KeyCommand is the environment variable with a command that prints the passphrase of an encrypted library.
const KeyCommand = "COPPICE_KEY_COMMAND"

// NewKeyCommand is the environment variable with a command that prints the passphrase that replaces it.
const NewKeyCommand = "COPPICE_NEW_KEY_COMMAND"

// askTries is how often a user is asked for a passphrase.
const askTries = 3

// Unlock unlocks the library at path if it is encrypted. With ask, which may be nil, a user can be asked: the keyring is tried first, if it is to
// open the library. Without it the passphrase comes from the command in COPPICE_KEY_COMMAND, else from the keyring. An Auth error means
// that nothing opened it.
func Unlock(ctx context.Context, path string, ask func() (string, error)) error {
	locked, err := sqlite.IsLocked(path)
	if err != nil || !locked {
		return err
	}
	if ask == nil {
		return unlockUnasked(ctx, path)
	}
	if UnlockByKeyring(ctx, path) == nil {
		return nil
	}
	for try := 1; ; try++ {
		text, err := ask()
		if err != nil {
			return err
		}
		err = sqlite.Unlock(path, sqlite.Secret{Kind: core.KeyPassphrase, Text: text})
		if core.CodeOf(err) != core.Auth || try == askTries {
			return err
		}
	}
}

func unlockUnasked(ctx context.Context, path string) error {
	if os.Getenv(KeyCommand) == "" {
		if err := UnlockByKeyring(ctx, path); err != nil {
			return core.Wrap(core.Auth, core.E(core.Auth, "%s is encrypted and locked", path).WithRemedy(core.UnlockLibrary), "open the library")
		}
		return nil
	}
	text, err := SecretFrom(ctx, KeyCommand)
	if err != nil {
		return err
	}
	return sqlite.Unlock(path, sqlite.Secret{Kind: core.KeyPassphrase, Text: text})
}

// keyCommandTimeout is the longest time that a command may take that prints a passphrase: it may open a dialog.
const keyCommandTimeout = 2 * time.Minute

// SecretFrom returns what the command in an environment variable prints, without the end of its last line; empty if the variable is not set.
func SecretFrom(ctx context.Context, variable string) (string, error) {
	command := os.Getenv(variable)
	if command == "" {
		return "", nil
	}
	ctx, cancel := context.WithTimeout(ctx, keyCommandTimeout)
	defer cancel()
	shell := []string{"/bin/sh", "-c", command}
	if runtime.GOOS == "windows" {
		shell = []string{"cmd", "/c", command}
	}
	var out bytes.Buffer
	cmd := exec.CommandContext(ctx, shell[0], shell[1:]...) //nolint:gosec // the user has set it for this
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, &out, os.Stderr
	if err := cmd.Run(); err != nil {
		return "", core.Wrap(core.Auth, err, "run the command in %s", variable)
	}
	text := strings.TrimRight(out.String(), "\r\n")
	if text == "" {
		return "", core.E(core.Auth, "the command in %s printed nothing", variable)
	}
	return text, nil
}

// account is the name in the keyring of the secret of a library.
func account(slots *sqlite.Slots) string { return "library-" + slots.ID }

// keyringPatience is the longest wait for the keyring, which may ask the user for a password.
const keyringPatience = time.Minute

// UnlockByKeyring unlocks the library at path with its secret in the keyring. An Auth error means that no such secret opens it.
func UnlockByKeyring(ctx context.Context, path string) error {
	slots, err := sqlite.ReadSlots(path)
	if err != nil {
		return err
	}
	if !slots.Has(core.KeyKeyring) {
		return core.E(core.Auth, "no key of %s is in the keyring", path)
	}
	ctx, cancel := context.WithTimeout(ctx, keyringPatience)
	defer cancel()
	text, _, err := key.New(nil).Find(ctx, account(slots))
	if err != nil {
		return core.Wrap(core.Auth, err, "read the key of the library from the keyring")
	}
	return sqlite.Unlock(path, sqlite.Secret{Kind: core.KeyKeyring, Text: text})
}

// KeyringSecret stores a new random secret for a library in the keyring, and returns it.
func KeyringSecret(slots *sqlite.Slots) (sqlite.Secret, error) {
	text := keyslot.NewKeyringText()
	err := key.New(nil).Set(account(slots), text)
	return sqlite.Secret{Kind: core.KeyKeyring, Text: text}, err
}

// ForgetKeyring removes the secret of a library from the keyring. A secret that is not there is no error.
func ForgetKeyring(slots *sqlite.Slots) error {
	if err := key.New(nil).Delete(account(slots)); core.CodeOf(err) != core.NotFound {
		return err
	}
	return nil
}

// HasKeyring reports whether the keyring of the system responds.
func HasKeyring(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, keyringPatience)
	defer cancel()
	return key.New(nil).Check(ctx) == nil
}

// EncryptsNew reports whether a library that does not exist yet is to be encrypted: the user's configuration has library.encrypt.
func EncryptsNew(path string) (bool, error) {
	info, err := os.Stat(path)
	if err == nil && info.Size() > 0 || err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return config.EncryptsNew()
}
