package workspace_test

import (
	"os"
	"path/filepath"
	"testing"

	"coppice/backend/workspace"
)

func TestProjectOfPath(t *testing.T) {
	for path, want := range map[string]string{
		"":                               "",
		"/":                              "",
		"/Users/soph/Work/entire/cli":    "cli",
		"/Users/alex/cli/.worktrees/2":   "cli",
		"/Users/alex/cli/.worktrees/a/b": "cli",
		"/x/irrlicht/.claude/worktrees/268/.build/cwd": "irrlicht",
		"/x/repo/.git/worktrees/a":                     "repo",
		"/x/repo/worktrees/a":                          "repo",
		"/x/repo.worktrees/a":                          "repo",
		"/x/repo-worktrees/a":                          "repo",
		"/home/u/.codex/worktrees/1a2b/repo":           "repo",
		"/home/u/.cursor/worktrees/repo/x":             "repo",
		"/home/u/worktrees/repo/x":                     "repo",
		"/home/u/worktrees":                            "u",
		"/worktrees":                                   "worktrees",
		`C:\Users\me\code\app`:                         "app",
		"/srv/git/app.git":                             "app",
	} {
		if got := workspace.ProjectOfPath(path); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}

func TestProject(t *testing.T) {
	dir := t.TempDir()
	for _, folder := range []string{"repo/.git/worktrees/w", "repo/sub", "elsewhere/inner", "plain"} {
		if err := os.MkdirAll(filepath.Join(dir, folder), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	gitFile := "gitdir: " + filepath.Join(dir, "repo/.git/worktrees/w") + "\n"
	if err := os.WriteFile(filepath.Join(dir, "elsewhere/.git"), []byte(gitFile), 0o600); err != nil {
		t.Fatal(err)
	}
	for folder, want := range map[string]string{"repo/sub": "repo", "elsewhere/inner": "repo", "plain": "plain", "missing/app": "app", "repo/missing": "repo"} {
		if got := workspace.Project(filepath.Join(dir, folder)); got != want {
			t.Errorf("%s: %q, want %q", folder, got, want)
		}
	}
}
