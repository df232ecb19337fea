package hand

import (
	"os"
	"path/filepath"
	"testing"

	"coppice/backend/core"
)

// TestWorktree hands a session over into a new worktree, twice, and removes it if the session cannot be written.
func TestWorktree(t *testing.T) {
	repository := filepath.Join(t.TempDir(), "shop")
	sub := filepath.Join(repository, "cmd")
	if err := os.MkdirAll(sub, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"init", "-q"}, {"-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-q", "--allow-empty", "-m", "first"}} {
		if _, err := git(t.Context(), repository, args...); err != nil {
			t.Skip("no git: ", err)
		}
	}
	plan := Plan{Session: core.Session{Title: "Add a login page", WorkspacePath: sub}}
	var undos []func()
	for _, want := range []string{"shop-add-a-login-page-n3", "shop-add-a-login-page-n3-2"} {
		one := plan
		undo, err := one.addWorktree(t.Context(), core.Message{Turn: 3})
		if err != nil {
			t.Fatal(err)
		}
		undos = append(undos, undo)
		tree := filepath.Join(filepath.Dir(repository), want)
		if one.Workspace != filepath.Join(tree, "cmd") {
			t.Errorf("workspace %s, want one in %s", one.Workspace, tree)
		}
		if _, err := os.Stat(filepath.Join(tree, ".git")); err != nil {
			t.Error(err)
		}
	}
	for _, undo := range undos {
		undo()
	}
	if branches, err := git(t.Context(), repository, "branch", "--list", "coppice/*"); err != nil || branches != "" {
		t.Errorf("branches %q are left, %v", branches, err)
	}
	outside := Plan{Session: core.Session{WorkspacePath: t.TempDir()}}
	if _, err := outside.addWorktree(t.Context(), core.Message{}); core.CodeOf(err) != core.Invalid {
		t.Errorf("outside of a repository: %v", err)
	}
}
