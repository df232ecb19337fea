package shell

import (
	"slices"
	"strings"

	"coppice/backend/lazyregexp"
)

// reader describes a program that only reads, unless it is given certain options.
type reader struct {
	short    string   // letters that are refused
	long     []string // options that are refused, also shortened or with a value
	operands int      // the most words that are not options; 0: any number
	use      Use      // of the paths that its words name
	ignores  bool     // it opens none of the paths that its words name
}

// readers lists programs that only read.
func readers() map[string]reader {
	grep := reader{use: UseContents, short: "Rd", long: []string{"--dereference-recursive", "--directories"}}
	r := map[string]reader{
		"ls":   {short: "LH", long: []string{"--dereference"}},
		"tail": {use: UseContents, short: "fF", long: []string{"--follow", "--retry"}},
		"file": {use: UseContents, short: "Cfz", long: []string{"--compile", "--files-from", "--uncompress"}},
		"diff": {use: UseTree, short: "l", long: []string{"--paginate"}},
		"sort": {use: UseContents, short: "oT", long: []string{"--output", "--compress-program", "--files0-from", "--temporary-directory"}},
		"uniq": {use: UseContents, operands: 1},
		"xxd":  {use: UseContents, short: "r", operands: 1},
		"tree": {short: "oRl", long: []string{"--fromfile", "--fromtabfile", "--gitfile", "--infofile"}},
		"wc":   {use: UseContents, long: []string{"--files0-from"}},
		"du":   {short: "LHD", long: []string{"--files0-from", "--dereference"}},
		"stat": {}, "realpath": {}, "readlink": {},
		"grep": grep, "egrep": grep, "fgrep": grep,
		"rg": {use: UseVisibleTree, short: "uL.z", long: []string{
			"--pre", "--hidden", "--unrestricted", "--no-ignore", "--follow", "--search-zip", "--hostname-bin", "--no-config-x", "--no-ignore-dot", "--no-ignore-vcs",
			"--no-ignore-files", "--no-ignore-exclude", "--no-ignore-global", "--no-ignore-parent",
		}},
		"printf": {short: "v", ignores: true},
		"test":   {short: "vR", ignores: true}, // -v and -R evaluate a subscript
		"[":      {short: "vR", ignores: true},
	}
	for name := range strings.FieldsSeq("cat head nl tac rev cut paste fold expand unexpand comm cmp md5sum sha1sum sha256sum sha512sum b2sum cksum od hexdump strings") {
		r[name] = reader{use: UseContents}
	}
	for name := range strings.FieldsSeq("echo true false : pwd basename dirname whoami id uname arch nproc uptime free which type seq tr sleep df") {
		r[name] = reader{ignores: true}
	}
	return r
}

// readsOnly reports whether a command only reads, and only what is open.
func (j *judge) readsOnly(program string, words []word) bool {
	if words[0].text != program || slices.ContainsFunc(words, func(w word) bool { return !w.literal || w.braces || w.tilde }) {
		return false
	}
	args := words[1:]
	switch program {
	case "cd":
		return len(args) == 1 && len(j.folders) == 1 && !j.lost && isBelow(args[0]) && j.open(args[0], UseNames)
	case "find":
		return j.openAll(args, UseNames) && !slices.ContainsFunc(args, func(w word) bool {
			return w.text == "-L" || w.text == "-H" || slices.ContainsFunc([]string{"-exec", "-ok", "-delete", "-fprint", "-fls", "-files0-from", "-follow"},
				func(o string) bool { return strings.HasPrefix(w.text, o) })
		})
	case "git":
		contents, reads := gitReadsOnly(args)
		return reads && len(j.folders) == 1 && !j.lost && j.openAll(args, UseContents) && j.files.Git(contents)
	case "sed":
		return len(args) >= 2 && args[0].text == "-n" && sedPrint.MatchString(args[1].text) && noFlags(args[2:]) && j.openAll(args[2:], UseContents)
	case "command":
		return isQuery(words)
	case "date":
		return showsDate(args) && j.openAll(args, UseContents)
	case "ps":
		return listsProcesses(args)
	case "strings":
		if slices.ContainsFunc(args, func(w word) bool { return strings.HasPrefix(w.text, "@") }) {
			return false // a file with more arguments
		}
	case "go", "node", "npm", "python", "python3", "java", "ruby", "git-lfs", "make", "bash": // not cargo: a folder may name the program that runs
		return len(args) == 1 && slices.Contains([]string{"--version", "-version", "-V", "version"}, args[0].text) && (program == "go" || args[0].text != "version")
	}
	r, ok := readers()[program]
	if !ok || !r.allows(args) {
		return false
	}
	if r.ignores {
		return noPatterns(args)
	}
	use := useOf(program, words)
	return j.openAll(args, use) && (use < UseTree || namesFolder(args) || j.open(here(), use))
}

// isBelow reports whether a folder is below the current one, without a .. that the shell would resolve lexically.
func isBelow(w word) bool {
	return !w.pattern && !strings.HasPrefix(w.text, "-") && !slices.Contains(strings.Split(w.text, "/"), "..")
}

// showsDate reports whether date only shows a time. A word of digits sets it.
func showsDate(args []word) bool {
	for i := 0; i < len(args); i++ {
		switch text := args[i].text; {
		case slices.Contains([]string{"-d", "--date", "-r", "--reference"}, text):
			i++
		case strings.HasPrefix(text, "+"):
		case !strings.HasPrefix(text, "-") || len(text) == 1 || isFlag(text, "sf", "--set", "--file"):
			return false
		}
	}
	return true
}

// listsProcesses reports whether ps lists processes without their environment.
func listsProcesses(args []word) bool {
	return !slices.ContainsFunc(args, func(w word) bool {
		return !slices.Contains([]string{"aux", "ax", "-e", "-f", "-ef", "-A", "-a", "-u", "-x", "-l", "-eo", "-o", "pid,ppid,cmd", "pid,cmd", "pid,comm"}, w.text)
	})
}

// sedPrint is a script that prints lines by their numbers.
var sedPrint = lazyregexp.New(`^[0-9$]+(,[0-9$]+)?p$`)

func (r reader) allows(args []word) bool {
	operands, ended := 0, false
	for _, w := range args {
		switch {
		case ended, w.text == "-", !strings.HasPrefix(w.text, "-"):
			operands++
		case w.text == "--":
			ended = true
		case isFlag(w.text, r.short, r.long...):
			return false
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
