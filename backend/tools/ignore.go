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
	foldersToo bool // it ends in /: only folders
}

// ignoreRules are those that hold in a folder, the farther ones first.
type ignoreRules []ignoreRule

// with adds the rules of a folder's file to those from above. The slice given stays as it is.
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
	// Braces mean nothing in git's patterns.
	rule.pattern = strings.NewReplacer("{", `\{`, "}", `\}`).Replace(strings.TrimPrefix(line, "/"))
	if !strings.Contains(line, "/") {
		rule.pattern = "**/" + rule.pattern
	}
	return rule, rule.pattern != "" && doublestar.ValidatePattern(rule.pattern)
}

// ignores says whether a path is to be left out. The folder it is in is not.
func (r ignoreRules) ignores(at string, isFolder bool) bool {
	for i := len(r) - 1; i >= 0; i-- { // the last one decides
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
