package cli

import (
	"fmt"
	"os"
	"slices"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"coppice/app/internal/exit"
	"coppice/app/internal/present"
	"coppice/app/term"
	"coppice/backend/config"
	"coppice/backend/core"
	"coppice/backend/lists"
)

func newConfigCmd(s *term.Shell) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Show the configuration in force, and where each value is from",
		Long: `Show the configuration in force here, and where each value is from.

Your own file applies everywhere. The .coppice/config.yaml of a workspace overrides it as far as you
trust the workspace; the flags of a command override both. docs/config.md describes every key.`,
		Args: usage(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error { return showConfig(s, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.AddCommand(
		&cobra.Command{
			Use:   "path",
			Short: "Print the path of your own configuration",
			Args:  usage(cobra.NoArgs),
			RunE:  func(*cobra.Command, []string) error { return s.Printf("%s\n", config.Path()) },
		}, &cobra.Command{
			Use:   "get KEY",
			Short: "Print a value, or all below a section",
			Args:  usage(cobra.ExactArgs(1)),
			RunE:  func(_ *cobra.Command, args []string) error { return getConfig(s, args[0]) },
		}, &cobra.Command{
			Use:   "set KEY VALUE",
			Short: "Set a value in your own configuration; lists are written [a, b]",
			Args:  usage(cobra.ExactArgs(2)),
			RunE:  func(_ *cobra.Command, args []string) error { return config.Set(args[0], args[1]) },
		}, &cobra.Command{
			Use:   "unset KEY",
			Short: "Remove a value from your own configuration",
			Args:  usage(cobra.ExactArgs(1)),
			RunE:  func(_ *cobra.Command, args []string) error { return config.Unset(args[0]) },
		}, &cobra.Command{
			Use:   "check",
			Short: "Check the configuration and the agents for mistakes",
			Args:  usage(cobra.NoArgs),
			RunE:  func(*cobra.Command, []string) error { return checkSettings(s) },
		},
		newConfigAgentsCmd(s), newConfigKeyCmd(s), newConfigTrustCmd(s),
	)
	return cmd
}

// hereSettings reads the configuration for the current folder.
func hereSettings(s *term.Shell) (*config.Settings, error) {
	workspace, err := os.Getwd()
	if err != nil {
		return nil, core.Wrap(core.Unavailable, err, "find this folder")
	}
	return s.Settings(workspace)
}

func showConfig(s *term.Shell, asJSON bool) error {
	set, err := hereSettings(s)
	if err != nil {
		return err
	}
	if asJSON {
		return s.PrintJSON(struct {
			Path      string           `json:"path"`
			Workspace string           `json:"workspacePath"`
			Trusted   bool             `json:"trusted"`
			Ignored   []string         `json:"ignored"`
			Settings  []config.Setting `json:"settings"`
		}{config.Path(), set.Workspace, set.Trusted, lists.NonNil(set.Ignored), set.List()})
	}
	t := present.Table{Columns: []present.Column{{Title: "KEY"}, {Title: "VALUE", Flex: true}, {Title: "FROM"}}}
	for _, one := range set.List() {
		from := one.Source
		if one.Line > 0 {
			from = fmt.Sprintf("%s line %d", from, one.Line)
		}
		t.Add(one.Key, present.OneLine(one.String()), from)
	}
	return t.Write(s.Out, s.Width)
}

func getConfig(s *term.Shell, key string) error {
	if _, err := config.KeyType(key); err != nil {
		return err
	}
	set, err := hereSettings(s)
	if err != nil {
		return err
	}
	for _, one := range config.Below(set.List(), key) {
		if one.Key == key {
			return s.Printf("%s\n", one.String())
		}
		if err := s.Printf("%s: %s\n", one.Key, present.OneLine(one.String())); err != nil {
			return err
		}
	}
	return nil
}

func checkSettings(s *term.Shell) error {
	workspace, err := os.Getwd()
	if err != nil {
		return core.Wrap(core.Unavailable, err, "find this folder")
	}
	set, err := config.Read(workspace, s.Trust)
	if err != nil {
		return err
	}
	for _, line := range slices.Concat(set.Ignored, set.RelativeArguments()) {
		s.Say("coppice: %s", line)
	}
	for _, p := range set.Problems {
		s.Report(p.Err())
	}
	if len(set.Problems) > 0 {
		return exit.Outcome(exit.Usage)
	}
	return s.Printf("the configuration is sound\n")
}

func newConfigAgentsCmd(s *term.Shell) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:   "agents",
		Short: "List agents",
		Long:  "List agents: those of Coppice, yours in " + config.AgentsFolder + "/ beside your configuration, and the workspace's in " + config.WorkspaceFolder + "/" + config.AgentsFolder + "/.",
		Args:  usage(cobra.NoArgs),
		RunE:  func(*cobra.Command, []string) error { return listAgents(s, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// agentView is the JSON form of an agent.
type agentView struct {
	Name        string      `json:"name"`
	Description string      `json:"description"`
	Model       string      `json:"model"` // empty: no model is configured
	Mode        core.Mode   `json:"mode"`
	Effort      core.Effort `json:"effort"`
	Tools       []string    `json:"tools"` // empty: all tools
	Budget      core.Budget `json:"budget"`
	Source      string      `json:"source"` // the path of the file; empty: a built-in agent
}

func listAgents(s *term.Shell, asJSON bool) error {
	set, err := hereSettings(s)
	if err != nil {
		return err
	}
	var views []agentView
	for _, a := range set.AllAgents() {
		taken, err := set.Resolve(a.Name)
		if err != nil {
			return err
		}
		views = append(views, agentView{
			Name: taken.Name, Description: taken.Description, Model: taken.Model, Mode: taken.Mode, Effort: taken.Effort,
			Tools: lists.NonNil(taken.Tools), Budget: taken.Limits, Source: a.Source,
		})
	}
	if asJSON {
		return s.PrintJSON(views)
	}
	t := present.Table{Columns: []present.Column{
		{Title: "AGENT"}, {Title: "DESCRIPTION", Flex: true}, {Title: "MODE"}, {Title: "STEPS", Right: true}, {Title: "MODEL", Spare: true}, {Title: "FROM", Spare: true},
	}}
	for _, v := range views {
		steps := "any"
		if v.Budget.Steps > 0 {
			steps = humanize.Comma(v.Budget.Steps)
		}
		t.Add(v.Name, present.OneLine(v.Description), string(v.Mode), steps, v.Model, v.Source)
	}
	return t.Write(s.Out, s.Width)
}
