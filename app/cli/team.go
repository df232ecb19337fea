package cli

import (
	"errors"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"coppice/app/internal/exit"
	"coppice/app/internal/present"
	"coppice/app/term"
	"coppice/backend/config"
	"coppice/backend/core"
	"coppice/backend/lists"
)

// teamFile is the file that team init writes if none is named.
const teamFile = "team.yaml"

func newTeamCmd(s *term.Shell) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "team",
		Short: "Write, check and list teams of agents",
		Long: `Write, check and list teams of agents. A team is a YAML file: agents, how the agent of the next turn is selected, and when the
work ends. docs/teams.md describes every key.

TEAM is a file, or the name of a file in ` + config.TeamsFolder + `/ beside your configuration or in ` + config.WorkspaceFolder + "/" + config.TeamsFolder + `/ of a workspace that you trust.`,
		Example: `  coppice team init
  coppice team check team.yaml
  coppice run --team team.yaml "write a haiku about trees"`,
		Args: usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	asJSON := false
	list := &cobra.Command{
		Use: "list", Short: "List the teams that can be named here", Args: usage(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error { return listTeams(s, asJSON) },
	}
	list.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.AddCommand(
		&cobra.Command{
			Use: "init [FILE]", Short: "Write an example of a team to FILE, by default " + teamFile, Args: usage(cobra.MaximumNArgs(1)),
			RunE: func(_ *cobra.Command, args []string) error { return initTeam(s, strings.Join(args, "")) },
		},
		&cobra.Command{
			Use: "check TEAM", Short: "Check a team for mistakes", Args: usage(cobra.ExactArgs(1)),
			RunE: func(_ *cobra.Command, args []string) error { return checkTeam(s, args[0]) },
		},
		list,
		&cobra.Command{
			Use: "schema", Short: "Print the JSON schema of a team, for editors", Args: usage(cobra.NoArgs),
			RunE: func(*cobra.Command, []string) error { return s.Printf("%s", config.TeamSchema()) },
		},
	)
	return cmd
}

func initTeam(s *term.Shell, path string) error {
	if path == "" {
		path = teamFile
	}
	err := config.CreateTeam(path)
	if errors.Is(err, fs.ErrExist) {
		return core.E(core.Invalid, "the file %s exists already", path).WithHint("name another one: coppice team init FILE")
	}
	if err != nil {
		return core.Wrap(core.Unavailable, err, "write %s", path)
	}
	return s.Printf("%s\n", path)
}

func checkTeam(s *term.Shell, ref string) error {
	set, err := hereSettings(s)
	if err != nil {
		return err
	}
	team, problems, err := set.ReadTeam(ref)
	if err != nil {
		return err
	}
	for _, p := range problems {
		s.Report(p.Err())
	}
	if len(problems) > 0 {
		return exit.Outcome(exit.Usage)
	}
	return s.Printf("the team %s is sound: %s, %s\n", present.OneLine(team.Name), present.Count(int64(len(team.Agents)), "agent"), team.Selection.Strategy)
}

// teamView is the JSON form of a team in a list.
type teamView struct {
	Name        string   `json:"name"`
	Description string   `json:"description"`
	Strategy    string   `json:"strategy"`
	Agents      []string `json:"agents"`
	Source      string   `json:"source"`
	Problem     string   `json:"problem,omitempty"` // the first mistake in it
}

func listTeams(s *term.Shell, asJSON bool) error {
	set, err := hereSettings(s)
	if err != nil {
		return err
	}
	files, err := set.TeamFiles()
	if err != nil {
		return err
	}
	views := []teamView{}
	for _, file := range files {
		team, problems, err := set.ReadTeam(file.Name)
		if err != nil {
			return err
		}
		view := teamView{Name: file.Name, Description: team.Description, Strategy: string(team.Selection.Strategy), Source: file.Path}
		for i := range team.Agents {
			view.Agents = append(view.Agents, team.Agents[i].Name)
		}
		view.Agents = lists.NonNil(view.Agents)
		if len(problems) > 0 {
			view.Problem = problems[0].Err().Error()
		}
		views = append(views, view)
	}
	if asJSON {
		return s.PrintJSON(views)
	}
	t := present.Table{Columns: []present.Column{{Title: "TEAM"}, {Title: "DESCRIPTION", Flex: true}, {Title: "STRATEGY"}, {Title: "AGENTS"}, {Title: "FROM", Spare: true}}}
	for _, v := range views {
		about := v.Description
		if v.Problem != "" {
			about = v.Problem
		}
		t.Add(v.Name, present.OneLine(about), v.Strategy, present.OneLine(strings.Join(v.Agents, ", ")), v.Source)
	}
	return t.Write(s.Out, s.Width)
}
