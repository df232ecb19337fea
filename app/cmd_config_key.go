package app

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"strings"

	"coppice/app/internal/present"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"coppice/backend/config"
	"coppice/backend/core"
	"coppice/backend/provider/key"
)

func newConfigKeyCmd(s *shell) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "key",
		Short: "Keeps the API keys of providers in the keyring of your system",
		Args:  usage(cobra.NoArgs),
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(&cobra.Command{
		Use:   "set PROVIDER",
		Short: "Asks for a key, or reads it from the standard input, and keeps it",
		Args:  usage(cobra.ExactArgs(1)),
		RunE:  func(_ *cobra.Command, args []string) error { return storeKey(s, args[0]) },
	}, &cobra.Command{
		Use:   "list",
		Short: "Lists the providers that have a key, and where it is from",
		Args:  usage(cobra.NoArgs),
		RunE:  func(cmd *cobra.Command, _ []string) error { return listKeys(cmd.Context(), s) },
	}, &cobra.Command{
		Use:   "remove PROVIDER",
		Short: "Takes a key out of the keyring",
		Args:  usage(cobra.ExactArgs(1)),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := key.New(nil).Delete(args[0]); err != nil {
				return err
			}
			return s.printf("the keyring has no key for %s any more\n", args[0])
		},
	})
	return cmd
}

func storeKey(s *shell, provider string) error {
	if !config.ProviderForm.MatchString(provider) {
		return core.E(core.Invalid, "%q is no name of a provider", provider).WithHint("such as openai, anthropic, google or openrouter")
	}
	secret, err := askSecret(s.terminal, "API key of "+provider)
	if err != nil {
		return err
	}
	if err := key.New(nil).Set(provider, secret); err != nil {
		return err
	}
	return s.printf("the keyring has the key of %s\n", provider)
}

// listKeys prints which providers have a key, and where each is from.
func listKeys(ctx context.Context, s *shell) error {
	set, err := hereSettings(s)
	if err != nil {
		return err
	}
	sources, err := keySources(ctx, set)
	if err != nil {
		return err
	}
	t := present.Table{Columns: []present.Column{{Title: "PROVIDER"}, {Title: "KEY FROM"}}}
	for _, source := range sources {
		t.Add(source.Provider, source.From)
	}
	if len(t.Rows) == 0 {
		s.say("no provider has a key")
		return nil
	}
	return t.Write(s.out, s.width)
}

// maxSecretBytes is longer than any key.
const maxSecretBytes = 16 << 10

// askSecret reads a line that is not shown while it is typed; from a pipe it reads the first line.
func askSecret(t terminal, what string) (string, error) {
	if in, ok := t.in.(*os.File); ok && term.IsTerminal(int(in.Fd())) {
		_, _ = io.WriteString(t.err, what+": ") // nobody is there to tell
		secret, err := term.ReadPassword(int(in.Fd()))
		t.say("")
		return string(secret), core.Wrap(core.Canceled, err, "read the key")
	}
	line, err := bufio.NewReader(io.LimitReader(t.in, maxSecretBytes)).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", core.Wrap(core.Unavailable, err, "read the key")
	}
	return strings.TrimRight(line, "\r\n"), nil
}
