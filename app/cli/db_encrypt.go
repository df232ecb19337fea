package cli

import (
	"context"
	"os"
	"time"

	"github.com/spf13/cobra"

	"coppice/app/internal/library"
	"coppice/app/term"
	"coppice/backend/core"
	"coppice/backend/sqlite"
	"coppice/backend/sqlite/keyslot"
)

func newEncryptCmd(s *term.Shell) *cobra.Command {
	keyring := false
	cmd := &cobra.Command{
		Use:   "encrypt",
		Short: "Encrypt the library and its backups",
		Long: `Encrypt the library and its backups. The passphrase is asked for at a terminal, else it is what the command in
COPPICE_KEY_COMMAND prints, else the keyring of your system stores a key. A recovery code is printed once.

The library is copied to a new file, the plain one is overwritten and removed. On solid-state disks, on file systems that
copy on write, and in snapshots of the disk, parts of it may survive.`,
		Args: takes(),
		RunE: func(cmd *cobra.Command, _ []string) error { return encryptLibrary(cmd.Context(), s, keyring) },
	}
	cmd.Flags().BoolVar(&keyring, "keyring", false, "store a key in the keyring too, so that nothing is asked on this machine")
	return cmd
}

func newDecryptCmd(s *term.Shell) *cobra.Command {
	return &cobra.Command{
		Use:   "decrypt",
		Short: "Decrypt the library and its backups",
		Args:  takes(),
		RunE:  func(cmd *cobra.Command, _ []string) error { return decryptLibrary(cmd.Context(), s) },
	}
}

func newLockCmd(s *term.Shell) *cobra.Command {
	return &cobra.Command{
		Use:   "lock",
		Short: "Make windows forget the key of the library",
		Long: `Make windows that have the library open close it and forget its key. A command that runs keeps the key until it ends.
A key in the keyring stays there: remove it with "coppice db key remove keyring".`,
		Args: takes(),
		RunE: func(_ *cobra.Command, _ []string) error { return lockLibrary(s) },
	}
}

// alone runs work on the library while no window has it open.
func alone(s *term.Shell, work func(path string) error) error {
	path, err := library.Path(s.Library)
	if err != nil {
		return err
	}
	release, err := library.ClaimWindow(path)
	if err != nil {
		return err
	}
	defer release()
	return work(path)
}

func encryptLibrary(ctx context.Context, s *term.Shell, keyring bool) error {
	return alone(s, func(path string) error {
		if _, err := os.Stat(path); err != nil {
			return core.Wrap(core.NotFound, err, "encrypt the library")
		}
		slots := keyslot.New()
		var secrets []sqlite.Secret
		code := ""
		encrypted, err := sqlite.IsEncrypted(path)
		if err != nil {
			return err
		}
		if encrypted { // what is missing of an interrupted one
			err = s.Unlock(ctx, path)
		} else {
			secrets, code, err = s.NewSecrets(ctx, slots, keyring)
		}
		if err != nil {
			return err
		}
		if err := sqlite.Encrypt(ctx, path, slots, secrets...); err != nil {
			return err
		}
		if code != "" {
			s.SayRecoveryCode(code)
		}
		return s.Printf("encrypted %s\n", path)
	})
}

func decryptLibrary(ctx context.Context, s *term.Shell) error {
	return alone(s, func(path string) error {
		if err := s.Unlock(ctx, path); err != nil {
			return err
		}
		slots, err := sqlite.ReadSlots(path)
		if err != nil {
			return err
		}
		if err := sqlite.Decrypt(ctx, path); err != nil {
			return err
		}
		if slots.Has(core.KeyKeyring) {
			if err := library.ForgetKeyring(slots); err != nil {
				s.Say("the key of the library stays in the keyring: %v", err)
			}
		}
		return s.Printf("decrypted %s\n", path)
	})
}

func lockLibrary(s *term.Shell) error {
	path, err := library.Path(s.Library)
	if err != nil {
		return err
	}
	encrypted, err := sqlite.IsEncrypted(path)
	if err != nil {
		return err
	}
	if !encrypted {
		return core.E(core.Invalid, "%s is not encrypted", path)
	}
	if err := library.RequestLock(path, time.Now()); err != nil {
		return err
	}
	return s.Printf("locked %s\n", path)
}
