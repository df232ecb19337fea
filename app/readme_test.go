package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestReadmeTour runs the commands of the README one after the other, as a reader would.
func TestReadmeTour(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, tour, found := strings.Cut(string(readme), "The same on the command line")
	if !found {
		t.Fatal("the README has no tour")
	}
	tour, _, _ = strings.Cut(tour, "\n## ")
	var script strings.Builder
	commands := 0
	for line := range strings.Lines(tour) {
		command, _, _ := strings.Cut(strings.TrimSpace(line), " # ")
		if !strings.HasPrefix(command, "coppice ") {
			continue
		}
		commands++
		verb := "exec "
		if command = strings.TrimSpace(command); command == "coppice resume" {
			verb = "exit 3 " // no user is at a terminal to choose
		} else if strings.HasPrefix(command, "coppice run ") && !strings.Contains(command, "--team docs/") {
			verb = "exit 2 " // nor to approve a call
		} else if strings.HasPrefix(command, "coppice blame ") || strings.HasPrefix(command, "coppice open ") {
			verb = "exit 3 " // the samples have no files, and come from no other tool
		}
		script.WriteString(verb + strings.NewReplacer(`"`, `'`, "~", "$HOME").Replace(command) + "\n")
	}
	script.WriteString("exists mail.html $HOME/coppice-backup.db\nexec coppice tree mail-outbox\nstdout 'n3 .the plan that failed.'\n")
	if commands < 12 {
		t.Fatalf("only %d commands:\n%s", commands, script.String())
	}
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "tour.txtar"), []byte(script.String()), 0o600); err != nil {
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
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exit": exitCmd},
	})
}
