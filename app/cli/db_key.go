package cli

import (
	"context"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"coppice/app/internal/library"
	"coppice/app/internal/present"
	"coppice/app/term"
	"coppice/backend/core"
	"coppice/backend/sqlite"
	"coppice/backend/sqlite/keyslot"
)

func newDBKeyCmd(s *term.Shell) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "key",
		Short: "List, add, change and remove the keys that open the library",
		Args:  usage(cobra.NoArgs),
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	asJSON, name, keyring := false, "", false
	list := &cobra.Command{
		Use: "list", Short: "List the keys", Args: takes(),
		RunE: func(_ *cobra.Command, _ []string) error { return listSlots(s, asJSON) },
	}
	list.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	add := &cobra.Command{
		Use:   "add passphrase|keyring|recovery|age [RECIPIENT]",
		Short: "Add a key",
		Long: `Add a key: a passphrase, a secret in the keyring of your system, a recovery code to print, or an age recipient (age1…).
A new passphrase is asked for at a terminal, else it is what the command in COPPICE_NEW_KEY_COMMAND prints, else the first line of
the standard input.`,
		Args: usage(cobra.RangeArgs(1, 2)),
		RunE: func(cmd *cobra.Command, args []string) error { return addKey(cmd.Context(), s, name, args) },
	}
	add.Flags().StringVar(&name, "name", "", "a `NAME` for the list")
	rotate := &cobra.Command{
		Use:   "rotate",
		Short: "Encrypt the library again with a new data key, and replace all keys",
		Args:  takes(),
		RunE:  func(cmd *cobra.Command, _ []string) error { return rotateKey(cmd.Context(), s, keyring) },
	}
	rotate.Flags().BoolVar(&keyring, "keyring", false, "store a key in the keyring too")
	cmd.AddCommand(list, add, &cobra.Command{
		Use: "change [KEY]", Short: "Replace a passphrase or recovery code", Args: usage(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error { return changeKey(cmd.Context(), s, args) },
	}, &cobra.Command{
		Use: "remove KEY", Short: "Remove a key, by its id or its kind", Args: takes("KEY"),
		RunE: func(cmd *cobra.Command, args []string) error { return removeKey(cmd.Context(), s, args[0]) },
	}, rotate)
	return cmd
}

func listSlots(s *term.Shell, asJSON bool) error {
	read := func(path string) ([]core.KeySlot, error) {
		slots, err := sqlite.ReadSlots(path)
		if err != nil {
			return nil, err
		}
		return slots.All(), nil
	}
	return listUnopened(s, asJSON, read, func(_ string, list []core.KeySlot) error {
		t := present.Table{Columns: []present.Column{{Title: "KEY"}, {Title: "KIND"}, {Title: "SINCE"}, {Title: "NAME", Flex: true}}}
		for _, slot := range list {
			t.Add(slot.ID, string(slot.Kind), time.UnixMilli(slot.CreatedAtMs).Format("2006-01-02"), present.OneLine(slot.Name))
		}
		return t.Write(s.Out, s.Width)
	})
}

// unlocked runs work on an encrypted library.
func unlocked(ctx context.Context, s *term.Shell, work func(path string, slots *sqlite.Slots) error) error {
	path, err := library.Path(s.Library)
	if err != nil {
		return err
	}
	slots, err := sqlite.ReadSlots(path)
	if err != nil {
		return err
	}
	if err := s.Unlock(ctx, path); err != nil {
		return err
	}
	return work(path, slots)
}

// replacement returns a passphrase that is to replace another one.
func replacement(ctx context.Context, s *term.Shell) (string, error) {
	if !s.TypesSecrets() {
		if text, err := library.SecretFrom(ctx, library.NewKeyCommand); text != "" || err != nil {
			return text, err
		}
	}
	return s.NewPassphrase()
}

// newSecret returns a secret of a kind that the user has named.
func newSecret(ctx context.Context, s *term.Shell, slots *sqlite.Slots, args []string) (secret sqlite.Secret, err error) {
	secret.Kind = core.KeyKind(args[0])
	recipient := append(args, "")[1] // empty: none was named
	if (secret.Kind == core.KeyAge) != (len(args) == 2) {
		return secret, core.E(core.Invalid, "want an age recipient behind age, and nothing behind other kinds")
	}
	switch secret.Kind {
	case core.KeyPassphrase:
		secret.Text, err = replacement(ctx, s)
	case core.KeyKeyring:
		if slots.Has(core.KeyKeyring) {
			return secret, core.E(core.Conflict, "the library has a key in a keyring").WithHint("remove it first: coppice db key remove keyring")
		}
		return library.KeyringSecret(slots)
	case core.KeyRecovery:
		secret.Text = keyslot.NewRecoveryCode()
	case core.KeyAge:
		secret.Text = recipient
	default:
		return secret, core.E(core.Invalid, "unknown kind of key %q", args[0]).WithHint("passphrase, keyring, recovery or age")
	}
	return secret, err
}

func addKey(ctx context.Context, s *term.Shell, name string, args []string) error {
	return unlocked(ctx, s, func(path string, slots *sqlite.Slots) error {
		secret, err := newSecret(ctx, s, slots, args)
		if err != nil {
			return err
		}
		secret.Name = name
		added, err := sqlite.AddKey(ctx, path, secret)
		if err != nil {
			return err
		}
		if secret.Kind == core.KeyRecovery {
			s.SayRecoveryCode(secret.Text)
		}
		return s.Printf("added %s %s\n", added.Kind, added.ID)
	})
}

func changeKey(ctx context.Context, s *term.Shell, args []string) error {
	id := string(core.KeyPassphrase)
	if len(args) > 0 {
		id = args[0]
	}
	return unlocked(ctx, s, func(path string, slots *sqlite.Slots) error {
		kind := core.KeyKind(id)
		for _, slot := range slots.All() {
			if slot.ID == id {
				kind = slot.Kind
			}
		}
		if kind != core.KeyPassphrase && kind != core.KeyRecovery {
			return core.E(core.Invalid, "change the key %s: only passphrases and recovery codes are changed", id).WithHint("add another key and remove this one")
		}
		secret, err := newSecret(ctx, s, slots, []string{string(kind)})
		if err != nil {
			return err
		}
		if err := sqlite.ChangeKey(ctx, path, id, secret); err != nil {
			return err
		}
		if kind == core.KeyRecovery {
			s.SayRecoveryCode(secret.Text)
		}
		return s.Printf("changed %s\n", id)
	})
}

func removeKey(ctx context.Context, s *term.Shell, id string) error {
	return unlocked(ctx, s, func(path string, slots *sqlite.Slots) error {
		inKeyring := slices.ContainsFunc(slots.All(), func(slot core.KeySlot) bool {
			return slot.Kind == core.KeyKeyring && (slot.ID == id || id == string(core.KeyKeyring))
		})
		if err := sqlite.RemoveKey(ctx, path, id); err != nil {
			return err
		}
		if inKeyring {
			if err := library.ForgetKeyring(slots); err != nil {
				s.Say("the keyring still has the former key, which opens nothing now: %v", err)
			}
		}
		return s.Printf("removed %s\n", id)
	})
}

// rotateKey encrypts the library with a new data key. Recipients of age are carried over, other keys are made again.
func rotateKey(ctx context.Context, s *term.Shell, keyring bool) error {
	return alone(s, func(path string) error {
		return unlocked(ctx, s, func(path string, former *sqlite.Slots) error {
			slots := keyslot.New()
			secrets, code, err := s.NewSecrets(ctx, slots, keyring || former.Has(core.KeyKeyring))
			if err != nil {
				return err
			}
			for _, slot := range former.All() {
				if slot.Kind == core.KeyAge {
					secrets = append(secrets, sqlite.Secret{Kind: core.KeyAge, Text: slot.Name})
				}
			}
			if err := sqlite.Rotate(ctx, path, slots, secrets...); err != nil {
				return err
			}
			if former.Has(core.KeyKeyring) {
				if err := library.ForgetKeyring(former); err != nil {
					s.Say("the keyring still has the former key, which opens nothing now: %v", err)
				}
			}
			s.SayRecoveryCode(code)
			return s.Printf("encrypted %s again\n", path)
		})
	})
}
