package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"coppice/backend/core"
	"coppice/backend/durable"
)

// exampleTeam is for any model: its agents use that of the run.
const exampleTeam = `# A team of Coppice. A mistake is reported with its line and the valid values.
description: A writer, and a critic who approves
agents:
  - name: writer
    # model: anthropic/claude-sonnet-5    # otherwise that of the run
    prompt: Write what the user asks for. Revise it when the critic asks you to.
    tools: [read_file]
  - name: critic
    prompt: Name what is wrong with the text. Say APPROVED on a line of its own if nothing is.
    tools: [read_file]
selection:
  strategy: round_robin
termination:
  any:
    - {pattern: '(?m)^APPROVED', agents: [critic]}
    - {max_turns: 6}
`

// CreateTeam writes an example of a team to a file that does not exist yet; otherwise the error is fs.ErrExist.
func CreateTeam(file string) error {
	return durable.Create(file, func(f *os.File) error {
		_, err := f.WriteString(exampleTeam)
		return err
	})
}

// UserTeams returns the folder of the user's teams.
func UserTeams() string { return filepath.Join(Folder(), TeamsFolder) }

// CreateUserTeam adds an example to the user's teams, and returns its name.
func CreateUserTeam() (name string, err error) {
	for n := 1; n <= maxAgents; n++ {
		name = "team"
		if n > 1 {
			name = fmt.Sprintf("team-%d", n)
		}
		if err = CreateTeam(filepath.Join(UserTeams(), name+".yaml")); !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	if err != nil {
		return "", core.Wrap(core.Unavailable, err, "write a team to %s", UserTeams())
	}
	return name, nil
}
