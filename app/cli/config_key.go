package cli

import (
	"context"

	"github.com/spf13/cobra"

	"coppice/app/internal/present"
	"coppice/app/term"
	"coppice/backend/config"
	"coppice/backend/core"
	"coppice/backend/launch"
	"coppice/backend/provider/key"
)

func newConfigKeyCmd(s *term.Shell) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "key",
		Short: "Store the API keys of providers in the keyring of your system",
		Args:  usage(cobra.NoArgs),
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(&cobra.Command{
		Use:   "set PROVIDER",
		Short: "Ask for a key, or read it from the standard input, and store it",
		Args:  usage(cobra.ExactArgs(1)),
		RunE:  func(_ *cobra.Command, args []string) error { return storeKey(s, args[0]) },
	}, &cobra.Command{
		Use:   "list",
		Short: "List the providers that have a key, and where it is from",
		Args:  usage(cobra.NoArgs),
		RunE:  func(cmd *cobra.Command, _ []string) error { return listKeys(cmd.Context(), s) },
	}, &cobra.Command{
		Use:   "remove PROVIDER",
		Short: "Remove a key from the keyring",
		Args:  usage(cobra.ExactArgs(1)),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := key.New(nil).Delete(args[0]); err != nil {
				return err
			}
			return s.Printf("removed the key for %s from the keyring\n", args[0])
		},
	})
	return cmd
}

func storeKey(s *term.Shell, provider string) error {
	if !config.ProviderForm.MatchString(provider) {
		return core.E(core.Invalid, "invalid provider %q: want a name", provider).WithHint("such as openai, anthropic, google or openrouter")
	}
	secret, err := s.AskSecret("API key of " + provider)
	if err != nil {
		return err
	}
	if err := key.New(nil).Set(provider, secret); err != nil {
		return err
	}
	return s.Printf("the keyring has the key of %s\n", provider)
}

// listKeys prints which providers have a key, and where each key is from.
func listKeys(ctx context.Context, s *term.Shell) error {
	set, err := hereSettings(s)
	if err != nil {
		return err
	}
	sources, err := launch.KeySources(ctx, set)
	if err != nil {
		return err
	}
	t := present.Table{Columns: []present.Column{{Title: "PROVIDER"}, {Title: "KEY FROM"}}}
	for _, source := range sources {
		t.Add(source.Provider, source.From)
	}
	if len(t.Rows) == 0 {
		s.Say("no provider has a key")
		return nil
	}
	return t.Write(s.Out, s.Width)
}
