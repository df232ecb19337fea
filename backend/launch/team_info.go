package launch

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"coppice/backend/core"
	"coppice/backend/sqlite"
)

// TeamInfo describes a team that a run may have.
type TeamInfo struct {
	Ref         string          `json:"ref"`  // as RunRequest.Team takes it; empty: the team of the session
	Name        string          `json:"name"` // as it is shown
	Description string          `json:"description"`
	Strategy    string          `json:"strategy"`
	Agents      []TeamAgentInfo `json:"agents"`
	Source      string          `json:"source"`  // the file; empty: as it was recorded
	Problem     string          `json:"problem"` // why it cannot run; empty: it can
}

// TeamAgentInfo describes an agent of a team.
type TeamAgentInfo struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Model       string `json:"model"` // empty: the model of the run
	Mode        string `json:"mode"`
	Skipped     bool   `json:"skipped"`
}

// Teams returns the teams that can be named here. One with a mistake has a Problem.
func (o *RunEnv) Teams() ([]TeamInfo, error) {
	files, err := o.TeamFiles()
	if err != nil {
		return nil, err
	}
	teams := make([]TeamInfo, 0, len(files))
	for _, file := range files {
		info := o.TeamInfo(file.Name)
		info.Source = file.Path
		teams = append(teams, info)
	}
	return teams, nil
}

// SessionTeam describes the team that the session continues with. It has no agents if one agent works alone.
func SessionTeam(ctx context.Context, db *sqlite.DB, session core.Session) (TeamInfo, error) {
	former, err := FormerState(ctx, db, session, "")
	if err != nil || former.Team == nil || former.Imported {
		return TeamInfo{Agents: []TeamAgentInfo{}}, err
	}
	return recordedTeam(former.Team), nil
}

// TeamInfo describes the team of a name or a file.
func (o *RunEnv) TeamInfo(ref string) TeamInfo {
	definition, err := o.Team(ref)
	info := describeTeam(&definition)
	info.Ref, info.Source = ref, ref
	info.Name = cmp.Or(info.Name, strings.TrimSuffix(filepath.Base(ref), filepath.Ext(ref)))
	if err != nil {
		info.Problem = err.Error()
	}
	return info
}

// recordedTeam describes the team of a session, with the models that its agents have used.
func recordedTeam(crew *core.TeamRun) TeamInfo {
	info := describeTeam(&crew.Definition)
	for i := range info.Agents {
		agent := &info.Agents[i]
		if at := slices.IndexFunc(crew.Members, func(m core.TeamMember) bool { return m.Name == agent.Name }); at >= 0 {
			agent.Model, agent.Mode = crew.Members[at].Model, string(crew.Members[at].Mode)
		}
	}
	return info
}

func describeTeam(t *core.Team) TeamInfo {
	info := TeamInfo{Name: t.Name, Description: t.Description, Strategy: string(t.Selection.Strategy), Agents: make([]TeamAgentInfo, 0, len(t.Agents))}
	for i := range t.Agents {
		a := &t.Agents[i]
		info.Agents = append(info.Agents, TeamAgentInfo{Name: a.Name, Description: a.Description, Model: a.Model, Mode: string(a.Mode), Skipped: a.Skipped})
	}
	return info
}
