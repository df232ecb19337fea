// Package workspace names the project that a folder belongs to: its repository, of which every worktree is a part.
package workspace

import (
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Project returns the name of the project of a folder: that of the repository that the folder is in, as its .git names it, else what the
// path shows. Empty for an empty path.
func Project(folder string) string {
	if root := repository(folder); root != "" {
		return ProjectOfPath(root)
	}
	return ProjectOfPath(folder)
}

// maxLevels bounds how far up a repository is looked for.
const maxLevels = 64

// repository returns the main folder of the repository that a folder of this machine is in; empty if it is in none, or cannot be read.
func repository(folder string) string {
	if !filepath.IsAbs(folder) {
		return ""
	}
	for dir, level := filepath.Clean(folder), 0; level < maxLevels; level++ {
		git := filepath.Join(dir, ".git")
		info, err := os.Stat(git)
		switch {
		case err != nil:
		case info.IsDir():
			return dir
		case info.Mode().IsRegular():
			return mainFolder(dir, git)
		}
		up := filepath.Dir(dir)
		if up == dir {
			break
		}
		dir = up
	}
	return ""
}

// mainFolder returns the folder of the repository whose worktree has this .git file; the worktree itself if it is a submodule, or the file
// is not readable.
func mainFolder(worktree, git string) string {
	f, err := os.Open(git)
	if err != nil {
		return worktree
	}
	defer f.Close() //nolint:errcheck // only read
	text, err := io.ReadAll(io.LimitReader(f, 4096))
	at, found := strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir:")
	if err != nil || !found {
		return worktree
	}
	at = strings.TrimSpace(at)
	if !filepath.IsAbs(at) {
		at = filepath.Join(worktree, at)
	}
	// REPOSITORY/.git/worktrees/NAME, or of a bare repository REPOSITORY/worktrees/NAME.
	if top := filepath.Dir(at); filepath.Base(top) == "worktrees" {
		if main := filepath.Dir(top); filepath.Base(main) == ".git" {
			return filepath.Dir(main)
		}
		return filepath.Dir(top)
	}
	return worktree
}

// ProjectOfPath returns the name of the project that a path shows. Known layouts of worktrees are named by their repository.
func ProjectOfPath(path string) string {
	parts := strings.FieldsFunc(path, func(r rune) bool { return r == '/' || r == '\\' })
	for i, part := range parts {
		switch strings.ToLower(part) {
		case ".worktrees", ".claude-worktrees", "worktrees":
			if i == 0 {
				continue
			}
			return ofWorktrees(parts, i)
		}
		if repository, ok := strings.CutSuffix(part, ".worktrees"); ok && repository != "" && i+1 < len(parts) {
			return repository
		}
		if repository, ok := strings.CutSuffix(part, "-worktrees"); ok && repository != "" && !strings.HasPrefix(part, ".") && i+1 < len(parts) {
			return repository
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.TrimSuffix(parts[len(parts)-1], ".git")
}

// ofWorktrees returns the repository of a path whose element at i holds worktrees.
func ofWorktrees(parts []string, i int) string {
	before, after := parts[i-1], parts[i+1:]
	switch {
	case before == ".git", before == ".claude", before == ".cursor" && i >= 2 && !isHome(parts[:i-1]):
		return elementAt(parts, i-2) // REPOSITORY/.claude/worktrees/NAME
	case before == ".codex" && len(after) > 1:
		return after[1] // ~/.codex/worktrees/ID/REPOSITORY
	case strings.HasPrefix(before, "."), isHome(parts[:i]):
		if len(after) > 0 {
			return after[0] // ~/.cursor/worktrees/REPOSITORY/NAME
		}
	}
	return before // REPOSITORY/.worktrees/NAME
}

// elementAt returns the element at i; the last one if it has no such index.
func elementAt(parts []string, i int) string {
	if i < 0 {
		return parts[len(parts)-1]
	}
	return parts[i]
}

// isHome reports whether the elements name the home folder of a user.
func isHome(parts []string) bool {
	return len(parts) == 2 && (parts[0] == "home" || parts[0] == "Users") || len(parts) == 3 && strings.EqualFold(parts[1], "Users") || len(parts) == 1 && parts[0] == "root"
}
