package shell

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// reader is a program that only reads, as long as it is given none of some options.
type reader struct {
	short    string   // letters that are refused
	long     []string // options that are refused, also shortened or with a value
	operands int      // at most so many words that are no options; 0: any number
	names    bool     // it does not open what its words name
}

// readers lists programs that only read.
func readers() map[string]reader {
	r := map[string]reader{
		"tail":  {short: "fF", long: []string{"--follow", "--retry"}},
		"file":  {short: "C", long: []string{"--compile"}},
		"diff":  {short: "r", long: []string{"--recursive"}},
		"sort":  {short: "oT", long: []string{"--output", "--compress-program", "--files0-from", "--temporary-directory"}},
		"uniq":  {operands: 1},
		"xxd":   {short: "r", operands: 1},
		"date":  {short: "s", long: []string{"--set"}, operands: 1},
		"tree":  {short: "o"},
		"wc":    {long: []string{"--files0-from"}},
		"du":    {long: []string{"--files0-from"}},
		"grep":  {short: "rRd", long: []string{"--recursive", "--dereference-recursive", "--directories"}},
		"egrep": {short: "rRd", long: []string{"--recursive", "--dereference-recursive", "--directories"}},
		"fgrep": {short: "rRd", long: []string{"--recursive", "--dereference-recursive", "--directories"}},
		"rg": {short: "uL.z", long: []string{
			"--pre", "--hidden", "--unrestricted", "--no-ignore", "--follow", "--search-zip", "--hostname-bin", "--no-config-x", "--no-ignore-dot", "--no-ignore-vcs",
			"--no-ignore-files", "--no-ignore-exclude", "--no-ignore-global", "--no-ignore-parent",
		}},
		"printf": {short: "v", names: true},
	}
	for name := range strings.FieldsSeq("ls cat head nl tac rev cut paste fold expand unexpand comm cmp md5sum sha1sum sha256sum sha512sum b2sum cksum stat realpath readlink od hexdump strings") {
		r[name] = reader{}
	}
	for name := range strings.FieldsSeq("echo true false : pwd basename dirname whoami id uname arch nproc uptime free which type seq test [ tr sleep df ps printenv") {
		r[name] = reader{names: true}
	}
	return r
}

// readsOnly says whether a command does nothing but read what is in scope.
func (j *judge) readsOnly(program string, words []word) bool {
	if words[0].text != program || slices.ContainsFunc(words, func(w word) bool { return !w.literal || w.braces || w.tilde }) {
		return false
	}
	args := words[1:]
	switch program {
	case "cd":
		return len(args) == 1 && j.folders == 0 && !strings.HasPrefix(args[0].text, "-") && !args[0].pattern && j.inScope(args[0])
	case "find":
		return j.inScopeAll(args) && !slices.ContainsFunc(args, func(w word) bool {
			return slices.ContainsFunc([]string{"-exec", "-ok", "-delete", "-fprint", "-fls", "-files0-from"}, func(o string) bool { return strings.HasPrefix(w.text, o) })
		})
	case "git":
		return j.folders == 0 && j.inScopeAll(args) && gitReadsOnly(args)
	case "sed":
		return len(args) >= 2 && args[0].text == "-n" && sedPrint.MatchString(args[1].text) && noFlags(args[2:]) && j.inScopeAll(args[2:])
	case "command":
		return isQuery(words)
	case "go", "node", "npm", "python", "python3", "cargo", "rustc", "java", "ruby", "git-lfs", "make", "bash":
		return len(args) == 1 && slices.Contains([]string{"--version", "-version", "-V", "version"}, args[0].text) && (program == "go" || args[0].text != "version")
	}
	r, ok := readers()[program]
	return ok && r.allows(args) && (r.names && noPatterns(args) || j.inScopeAll(args))
}

// sedPrint is a script that prints lines by their numbers.
var sedPrint = regexp.MustCompile(`^[0-9$]+(,[0-9$]+)?p$`)

func (r reader) allows(args []word) bool {
	operands := 0
	for _, w := range args {
		switch {
		case isFlag(w.text, r.short, r.long...):
			return false
		case !strings.HasPrefix(w.text, "-"):
			operands++
		}
	}
	return r.operands == 0 || operands <= r.operands
}

func noFlags(args []word) bool {
	return !slices.ContainsFunc(args, func(w word) bool { return strings.HasPrefix(w.text, "-") })
}

func noPatterns(args []word) bool {
	return !slices.ContainsFunc(args, func(w word) bool { return w.pattern })
}

// inScopeAll says whether all that the words may name is in scope: the words themselves, and what hangs on an option.
func (j *judge) inScopeAll(args []word) bool {
	return !slices.ContainsFunc(args, func(w word) bool { return !j.inScope(w) })
}

func (j *judge) inScope(w word) bool {
	if w.pattern && !isTame(w.text) {
		return false
	}
	texts := []string{w.text}
	if strings.HasPrefix(w.text, "-") {
		texts = nil
		if _, value, ok := strings.Cut(w.text, "="); ok {
			texts = append(texts, value)
		} else if len(w.text) > 2 && w.text[1] != '-' {
			texts = append(texts, w.text[2:])
		}
	}
	for i, r := range w.text {
		if r == ':' {
			texts = append(texts, w.text[i+1:]) // REVISION:FILE
		}
	}
	for _, text := range texts {
		if text != "" && (!j.scope(text) || j.folders > 0 && !j.scope(path.Join(j.folder.text, text))) {
			return false
		}
	}
	return j.folders <= 1
}

// isTame says whether a pattern cannot match hidden files, nor others that its end does not tell: it is * and an extension, in
// folders without a pattern that could be hidden.
func isTame(pattern string) bool {
	for part := range strings.SplitSeq(path.Dir(pattern), "/") {
		if strings.ContainsAny(part, "?[") || strings.Contains(part, "*") && part[0] != '*' {
			return false
		}
	}
	rest, ok := strings.CutPrefix(path.Base(pattern), "*.")
	return ok && rest != "" && !strings.ContainsAny(rest, "*?[")
}

// gitReadsOnly says whether a git command only reads. The repository's own configuration is trusted: to change it takes a
// person's word each time.
func gitReadsOnly(args []word) bool {
	for len(args) > 0 && (args[0].text == "--no-pager" || args[0].text == "--no-optional-locks") {
		args = args[1:]
	}
	if len(args) == 0 {
		return false
	}
	sub, args := args[0].text, args[1:]
	if hasFlag(args, "O", "--output", "--output-directory", "--ext-diff", "--textconv", "--filters", "--no-index", "--open-files-in-pager", "--exec", "--contents") {
		return false
	}
	texts := make([]string, len(args))
	for i, w := range args {
		texts[i] = w.text
	}
	line := strings.Join(texts, " ")
	switch sub {
	case "status", "log", "diff", "show", "blame", "shortlog", "describe", "rev-parse", "rev-list", "ls-files", "ls-tree", "merge-base", "name-rev",
		"for-each-ref", "count-objects", "whatchanged", "grep", "check-ignore", "cat-file", "diff-tree", "show-ref", "version", "cherry":
		return true
	case "branch":
		return !slices.ContainsFunc(texts, func(t string) bool {
			return !slices.Contains([]string{"-a", "-r", "-v", "-vv", "-av", "-l", "--list", "--all", "--remotes", "--verbose", "--show-current"}, t)
		})
	case "tag":
		return line == "" || texts[0] == "-l" || texts[0] == "--list"
	case "remote":
		return line == "" || line == "-v" || line == "--verbose"
	case "stash":
		return line == "list" || line == "show" || line == "show -p"
	case "worktree":
		return line == "list"
	case "reflog":
		return line == "" || line == "show"
	}
	return false
}
