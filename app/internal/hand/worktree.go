package hand

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"coppice/app/internal/export"
	"coppice/backend/core"
)

// gitPatience is how long git may take to write the files of a worktree.
const gitPatience = 2 * time.Minute

// addWorktree adds a worktree of the workspace's repository, with a branch of its own that begins at the commit that is checked out, and makes
// it the workspace of the plan. Changes that are not committed stay where they are. undo removes both.
func (p *Plan) addWorktree(ctx context.Context, leaf core.Message) (undo func(), err error) {
	folder := cmp.Or(p.Workspace, p.Session.WorkspacePath)
	root, err := git(ctx, folder, "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, core.E(core.Invalid, "add a worktree for %s: %v", folder, err).WithHint("Continue without a worktree.")
	}
	inside, err := git(ctx, folder, "rev-parse", "--show-prefix")
	if err != nil {
		return nil, core.Wrap(core.Unavailable, err, "add a worktree")
	}
	name := cmp.Or(export.Slug(p.Session.Title), "session") + fmt.Sprintf("-n%d", leaf.Turn)
	tree, branch := filepath.Join(filepath.Dir(root), filepath.Base(root)+"-"+name), "coppice/"+name
	for i := 2; ; i++ {
		_, err := os.Lstat(tree)
		_, exists := git(ctx, root, "rev-parse", "--verify", "--quiet", "refs/heads/"+branch)
		if os.IsNotExist(err) && exists != nil {
			break
		}
		tree, branch = fmt.Sprintf("%s-%s-%d", root, name, i), fmt.Sprintf("coppice/%s-%d", name, i)
	}
	if _, err := git(ctx, root, "worktree", "add", "-b", branch, tree); err != nil {
		return nil, core.Wrap(core.Unavailable, err, "add the worktree %s", tree)
	}
	p.Workspace = filepath.Join(tree, filepath.FromSlash(inside))
	if err := os.MkdirAll(p.Workspace, 0o750); err != nil { // a folder without files of the commit
		return nil, core.Wrap(core.Unavailable, err, "make the folder %s", p.Workspace)
	}
	return func() {
		for _, args := range [][]string{{"worktree", "remove", "--force", tree}, {"branch", "-D", branch}} {
			if _, err := git(context.WithoutCancel(ctx), root, args...); err != nil {
				slog.Warn("removing a worktree", slog.Any("error", err))
			}
		}
	}, nil
}

// git runs git in a folder and returns its output. It runs no hooks: the repository can be another user's.
func git(ctx context.Context, folder string, args ...string) (string, error) {
	ctx, stop := context.WithTimeout(ctx, gitPatience)
	defer stop()
	cmd := exec.CommandContext(ctx, "git", append([]string{"-C", folder, "-c", "core.hooksPath=" + os.DevNull, "-c", "core.fsmonitor=false"}, args...)...) //nolint:gosec // no shell reads them
	var problem strings.Builder
	cmd.Stderr = &problem
	out, err := cmd.Output()
	if line, _, _ := strings.Cut(strings.TrimSpace(problem.String()), "\n"); err != nil && line != "" {
		return "", fmt.Errorf("git: %s", strings.TrimPrefix(line, "fatal: "))
	}
	return strings.TrimSuffix(string(out), "\n"), err
}
