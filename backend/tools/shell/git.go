package shell

import (
	"slices"
	"strings"
)

// gitReadsOnly reports whether a git command only reads, and whether it prints contents of files. Files.Git judges the
// effect of the repository's configuration.
func gitReadsOnly(args []word) (contents, reads bool) {
	for len(args) > 0 && (args[0].text == "--no-pager" || args[0].text == "--no-optional-locks") {
		args = args[1:]
	}
	if len(args) == 0 {
		return false, false
	}
	sub, args := args[0].text, args[1:]
	if hasFlag(args, "O", "--output", "--output-directory", "--ext-diff", "--textconv", "--filters", "--no-index", "--open-files-in-pager", "--exec", "--contents",
		"--show-signature", "--recurse-submodules", "--submodule") {
		return false, false
	}
	texts := make([]string, len(args))
	for i, w := range args {
		texts[i] = w.text
	}
	line := strings.Join(texts, " ")
	switch sub {
	case "log":
		return slices.ContainsFunc(texts, func(t string) bool { return !isTerse(t) }), !strings.Contains(line, "%G")
	case "diff", "show", "blame", "whatchanged", "grep", "cat-file", "diff-tree":
		return true, !strings.Contains(line, "%G")
	case "status", "shortlog", "describe", "rev-parse", "rev-list", "ls-files", "ls-tree", "merge-base", "name-rev", "for-each-ref", "count-objects",
		"check-ignore", "show-ref", "version", "cherry":
		return slices.ContainsFunc(texts, isVerbose), !strings.Contains(line, "%G") && !strings.Contains(line, "signature")
	case "branch":
		return false, !slices.ContainsFunc(texts, func(t string) bool {
			return !slices.Contains([]string{"-a", "-r", "-v", "-vv", "-av", "-l", "--list", "--all", "--remotes", "--verbose", "--show-current"}, t)
		})
	case "tag":
		return false, (line == "" || texts[0] == "-l" || texts[0] == "--list") && !strings.Contains(line, "signature")
	case "remote":
		return false, line == "" || line == "-v" || line == "--verbose"
	case "stash":
		return strings.HasPrefix(line, "show"), line == "list" || line == "show" || line == "show -p"
	case "worktree":
		return false, line == "list"
	case "reflog":
		return false, line == "" || line == "show"
	}
	return false, false
}

// isVerbose reports whether an option may print the contents of files: git status -v does.
func isVerbose(text string) bool { return isFlag(text, "vp", "--verbose", "--patch") }

// isTerse reports whether a word of git log adds no contents of files to the output.
func isTerse(text string) bool {
	if !strings.HasPrefix(text, "-") || strings.Trim(text[1:], "0123456789") == "" {
		return true
	}
	if rest, ok := strings.CutPrefix(text, "-n"); ok && strings.Trim(rest, "0123456789") == "" {
		return true
	}
	name, _, _ := strings.Cut(text, "=")
	return slices.Contains([]string{
		"--", "--oneline", "--graph", "--all", "--decorate", "--no-decorate", "--format", "--pretty", "--name-only", "--name-status", "--stat", "--shortstat", "--numstat",
		"--since", "--until", "--after", "--before", "--author", "--committer", "--grep", "--no-merges", "--merges", "--date", "--abbrev-commit", "--first-parent",
		"--reverse", "--max-count", "--skip", "--follow", "--branches", "--tags", "--remotes", "-i", "-S", "-G",
	}, name)
}
