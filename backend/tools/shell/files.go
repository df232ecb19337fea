package shell

import (
	"path"
	"slices"
	"strings"
)

// Use is what a command does with the path that a word names.
type Use int

// The uses.
const (
	UseNames       Use = iota // it looks at names, sizes and times
	UseContents               // it reads the file
	UseTree                   // it reads the file, or every file below the folder
	UseVisibleTree            // likewise, without hidden and ignored files
)

// Path is a path in a word of a command.
type Path struct {
	Folder  string // where the command runs: absolute, or relative to the folder of the line; empty: the folder of the line
	Text    string
	Pattern bool // Text is a pattern that the shell expands
	Use     Use
}

// Finding is what is known about a path. A word that is not a path is looked up as if it were.
type Finding struct {
	Open   bool   // using it needs no permission
	Secret string // why a stored permission does not cover using it; empty: one may
}

// Files provides information about the files around a command line.
type Files interface {
	// Find resolves a path, and expands a pattern, as the kernel and the shell would.
	Find(p Path) Finding
	// Git reports whether git can read the repository in the folder of the line without starting a program that the
	// repository names and, if contents is set, without printing a file that has secrets.
	Git(contents bool) bool
}

const maxFolders = 16 // that a command may run in

// enter records a change of the folder. It may fail, so the previous folders stay possible.
func (j *judge) enter(args []word) {
	if len(args) == 0 {
		j.folder, j.lost = word{text: "~", tilde: true}, true
		return
	}
	to := args[len(args)-1]
	j.folder = to
	if !to.plain() || strings.HasPrefix(to.text, "-") || len(j.folders) > maxFolders/2 {
		j.lost = true
		return
	}
	for _, from := range slices.Clone(j.folders) {
		next := to.text
		if !path.IsAbs(next) && from != "" {
			next = from + "/" + next
		}
		j.folders = append(j.folders, next)
	}
}

// find looks up all paths that a word may name, in each folder that the command may run in.
func (j *judge) find(w word, use Use) Finding {
	all := Finding{Open: !j.lost && len(j.folders) <= 2}
	for _, text := range pathsIn(w) {
		for _, folder := range j.folders {
			found := j.files.Find(Path{Folder: folder, Text: text, Pattern: w.pattern, Use: use})
			all.Open = all.Open && found.Open
			if all.Secret == "" {
				all.Secret = found.Secret
			}
		}
	}
	return all
}

// open reports whether a command may use all paths that a word may name without a permission.
func (j *judge) open(w word, use Use) bool { return j.find(w, use).Open }

func (j *judge) openAll(args []word, use Use) bool {
	return !slices.ContainsFunc(args, func(w word) bool { return !j.open(w, use) })
}

// pathsIn returns the texts of a word that may be paths: the word itself, the text after an option or an @, and FILE in
// REVISION:FILE.
func pathsIn(w word) []string {
	texts := []string{w.text}
	if strings.HasPrefix(w.text, "-") {
		texts = nil
		if len(w.text) > 2 && w.text[1] != '-' {
			texts = append(texts, w.text[2:])
		}
	}
	for i, r := range w.text {
		if r == ':' || r == '=' || r == '@' {
			texts = append(texts, w.text[i+1:])
		}
	}
	return slices.DeleteFunc(texts, func(text string) bool { return text == "" })
}

// secrets records a risk if a command reads something that has, or may have, secrets: the user must permit each such
// call.
func (j *judge) secrets(program string, words []word) {
	use := useOf(program, words)
	if use == UseNames {
		return
	}
	for _, w := range words[1:] {
		if readsContents(program) && (!w.literal || w.braces || j.lost) {
			j.warn("what it reads is not known before it runs: %s", join(words))
			return
		}
		j.secret(w, use)
	}
	if use >= UseTree && !namesFolder(words[1:]) {
		j.secret(here(), use)
	}
}

// here returns the folder that a command runs in, as a word.
func here() word { return word{text: ".", literal: true} }

// namesFolder reports whether a recursive search certainly names its folder: it has a pattern, a folder and no option
// with a value that could be taken for either.
func namesFolder(args []word) bool {
	operands := 0
	for _, w := range args {
		name, _, isLong := strings.Cut(w.text, "=")
		switch {
		case !strings.HasPrefix(w.text, "-"):
			operands++
		case isLong && strings.HasPrefix(name, "--") && name != "--regexp" && name != "--file":
		case strings.HasPrefix(w.text, "--") || strings.Trim(w.text[1:], "rRnilwcoEFPhHsqvaN") != "":
			return false
		}
	}
	return operands >= 2
}

func (j *judge) secret(w word, use Use) {
	if reason := j.find(w, use).Secret; reason != "" {
		j.warn("%s", reason)
	}
}

// readsContents reports whether a program prints, or copies, the files that its words name.
func readsContents(program string) bool {
	if r, ok := readers()[program]; ok {
		return r.use != UseNames
	}
	return slices.Contains(strings.Fields("cp install base64 base32 less more most view jq yq gzip zip zcat bzip2 xz zstd split csplit iconv pr fmt column look dd "+
		"bat batcat ag ack sed awk gawk mawk nawk scp rsync tar openssl gpg"), program)
}

// useOf returns what a command does with the files that its words name. An unknown program is assumed to read them.
func useOf(program string, words []word) Use {
	args := words[1:]
	switch program {
	case "cp", "zip", "scp", "rsync":
		if hasFlag(args, "rRa", "--recursive", "--archive") {
			return UseTree
		}
	case "grep", "egrep", "fgrep":
		if hasFlag(args, "rRd", "--recursive", "--dereference-recursive", "--directories") {
			return UseTree
		}
	case "rg":
		if hasFlag(args, "gtTuL.", "--glob", "--iglob", "--type", "--type-add", "--unrestricted", "--hidden", "--no-ignore", "--ignore-file") {
			return UseTree
		}
	case "ag", "ack", "tar":
		return UseTree
	case "cd", "pushd", "find", "mkdir", "touch", "rm", "rmdir", "basename":
		return UseNames
	}
	if r, ok := readers()[program]; ok {
		return r.use
	}
	return UseContents
}
