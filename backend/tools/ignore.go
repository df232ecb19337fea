package tools

import (
	"bytes"
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// ignoreRule is a line of a .gitignore; see gitignore(5).
type ignoreRule struct {
	base       string // the folder of the file
	pattern    string // for doublestar, matched against the path below base
	negated    bool
	foldersToo bool // it ends in /: folders only
}

// ignoreRules are the rules that apply in a folder, from the outermost file to the innermost.
type ignoreRules []ignoreRule

// with returns the rules from above followed by those of a folder's file. It does not change r.
func (r ignoreRules) with(base string, file []byte) ignoreRules {
	all := r[:len(r):len(r)]
	for line := range bytes.Lines(file) {
		if rule, ok := readIgnoreRule(base, string(bytes.TrimRight(line, "\r\n"))); ok {
			all = append(all, rule)
		}
	}
	return all
}

func readIgnoreRule(base, line string) (ignoreRule, bool) {
	if trimmed := strings.TrimRight(line, " "); !strings.HasSuffix(trimmed, `\`) {
		line = trimmed
	}
	rule := ignoreRule{base: base}
	if line == "" || line[0] == '#' {
		return rule, false
	}
	if line[0] == '!' {
		rule.negated, line = true, line[1:]
	}
	line, rule.foldersToo = strings.CutSuffix(line, "/")
	// Braces have no meaning in git's patterns.
	rule.pattern = strings.NewReplacer("{", `\{`, "}", `\}`).Replace(strings.TrimPrefix(line, "/"))
	if !strings.Contains(line, "/") {
		rule.pattern = "**/" + rule.pattern
	}
	return rule, rule.pattern != "" && doublestar.ValidatePattern(rule.pattern)
}

// ignores reports whether a path is ignored. It assumes that the folder of the path is not.
func (r ignoreRules) ignores(at string, isFolder bool) bool {
	for i := len(r) - 1; i >= 0; i-- { // the last matching rule decides
		rule := r[i]
		if rule.foldersToo && !isFolder {
			continue
		}
		rest := at
		if rule.base != "." {
			rest = strings.TrimPrefix(at, rule.base+"/")
		}
		if matched, err := doublestar.Match(rule.pattern, path.Clean(rest)); err == nil && matched {
			return !rule.negated
		}
	}
	return false
}
