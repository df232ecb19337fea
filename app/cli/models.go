package cli

import (
	"cmp"
	"context"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"coppice/app/internal/present"
	"coppice/app/internal/version"
	"coppice/app/term"
	"coppice/backend/core"
	"coppice/backend/launch"
	"coppice/backend/provider"
	"coppice/backend/provider/script"
)

func newModelsCmd(s *term.Shell) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:   "models",
		Short: "List the models that can be used now, and what the others need",
		Long: `List the models that can be used now, with their context and their price of a million tokens, and for every
other provider what it needs. All providers with a key are asked, and the usual ports of this machine.`,
		Args: usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return listModels(cmd.Context(), s, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON: models, providers, and the model that is used if none is named")
	return cmd
}

func listModels(ctx context.Context, s *term.Shell, asJSON bool) error {
	o, err := hereEnv(ctx, s)
	if err != nil {
		return err
	}
	catalog, err := o.Registry.Models(ctx)
	if err != nil {
		return err
	}
	usual, err := o.Registry.Default(ctx)
	if err != nil && core.CodeOf(err) != core.NotFound {
		return err
	}
	if asJSON {
		return s.PrintJSON(struct {
			Default string `json:"default"` // PROVIDER/MODEL; empty: no default
			provider.Catalog
		}{usual, catalog})
	}
	if err := printModels(s, catalog.Models, usual); err != nil {
		return err
	}
	if err := printProblems(s, catalog.Providers); err != nil {
		return err
	}
	if usual == "" {
		s.Say("no model found but the scripted one: no key in the environment or the keyring, and no server answers on this machine")
		s.Say("hint: the list above shows what each needs; to try Coppice without any: coppice run \"hello\" --model script/%s", script.Demo)
	}
	return nil
}

// hereEnv returns the environment of runs in this folder, without a library.
func hereEnv(ctx context.Context, s *term.Shell) (*launch.RunEnv, error) {
	set, err := hereSettings(s)
	if err != nil {
		return nil, err
	}
	return launch.New(version.Number, s.Trust).Env(nil, set.Workspace)
}

// printModels prints models for users, and marks the model that is the default.
func printModels(s *term.Shell, models []core.ModelInfo, usual string) error {
	t := present.Table{Columns: []present.Column{
		{Title: "MODEL", Flex: true}, {Title: "CONTEXT", Right: true}, {Title: "IN", Right: true}, {Title: "OUT", Right: true}, {Title: "", Spare: true},
	}}
	for _, m := range models {
		var notes []string
		if m.Local {
			notes = append(notes, "local")
		}
		if m.Provider+"/"+m.ID == usual {
			notes = append(notes, "default")
		}
		t.Add(present.OneLine(m.Provider+"/"+m.ID), contextWords(m.ContextTokens), priceOf(m.InputNanoUSD), priceOf(m.OutputNanoUSD), strings.Join(notes, ", "))
	}
	return t.Write(s.Out, s.Width)
}

func contextWords(tokens int64) string {
	if tokens == 0 {
		return ""
	}
	return humanize.Comma(tokens)
}

// priceOf returns the price of a million tokens. An unknown price is a question mark, never 0.
func priceOf(nanoUSD *int64) string {
	switch {
	case nanoUSD == nil:
		return "?"
	case *nanoUSD == 0:
		return "free"
	default:
		return present.Money(nanoUSD)
	}
}

// printProblems prints why each unusable provider cannot be used, and what to do.
func printProblems(s *term.Shell, providers []provider.Status) error {
	t := present.Table{Columns: []present.Column{{Title: "PROVIDER"}, {Title: "WHY NOT", Flex: true}, {Title: "WHAT TO DO"}}}
	for _, p := range providers {
		if p.Code != "" {
			t.Add(p.Provider, present.OneLine(p.Problem), present.OneLine(cmp.Or(term.Hint(p.Hint, p.Remedy), "start it, or give its address with --base-url")))
		}
	}
	if len(t.Rows) == 0 {
		return nil
	}
	if err := s.Printf("\n"); err != nil {
		return err
	}
	return t.Write(s.Out, s.Width)
}
