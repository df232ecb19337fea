package app

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestExampleTeams runs the teams of docs/teams, whose models play scripts, as docs/teams.md does.
func TestExampleTeams(t *testing.T) {
	const script = `exec coppice team check docs/teams/pair.yaml
exec coppice run --team docs/teams/pair.yaml 'write a haiku about coppicing'
stdout '^APPROVED$'
stderr '^· done · 4 steps'
exec coppice team check docs/teams/council.yaml
exec coppice run --team docs/teams/council.yaml --name council 'shall we share sessions by a link?'
stdout '^Not now. Export a page instead'
stderr '^· in all: 4 steps'
exec coppice tree council
stdout '4 msgs|user|council'
exec coppice team check docs/teams/pipeline.yaml
exec coppice run --team docs/teams/pipeline.yaml --mode yolo 'write double.py' --name pipeline
stderr '^· the team is done: the state done is reached$'
exec cat double.py
stdout 'x \* 2'
exec coppice context pipeline
exec coppice db check
stdout 'is sound$'
`
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "teams.txtar"), []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: folder,
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOME", env.WorkDir+"-home")
			env.Setenv("XDG_DATA_HOME", env.WorkDir+"/data")
			if err := os.Mkdir(env.WorkDir+"-home", 0o700); err != nil {
				return err
			}
			return os.CopyFS(filepath.Join(env.WorkDir, "docs", "teams"), os.DirFS("../docs/teams"))
		},
	})
}
