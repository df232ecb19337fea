package shell

import (
	"path"
	"slices"
	"strings"
)

// wrapper describes the arguments of a program that starts another one.
type wrapper struct {
	plain    string // its short options
	valued   string // its short options that take a value
	long     string // its long options, between spaces; with = after those that take a value
	operands int    // the number of words before the other program
	assigns  bool   // variables may precede it too
	risk     string // what a user should know about it
	input    bool   // it adds arguments that it reads
}

const (
	becomes = "it runs a command as another user"
	outside = "it works outside of what confines a command"
	hidden  = "it starts programs in a way that cannot be judged"
)

// wrappers lists the programs that start the one their arguments name.
func wrappers() map[string]wrapper {
	sudo := wrapper{
		plain: "AbEeHnPSsik", valued: "ugpChrtTUDR", assigns: true, risk: becomes,
		long: "preserve-env set-home non-interactive stdin login shell background user= group= chdir= host= prompt=",
	}
	return map[string]wrapper{
		"env":   {plain: "i0v", valued: "uC", long: "ignore-environment null debug unset= chdir=", assigns: true},
		"nohup": {}, "builtin": {}, "setsid": {plain: "cfw", long: "ctty fork wait"}, "busybox": {}, "toybox": {},
		"command": {plain: "p"}, "exec": {plain: "cl", valued: "a"},
		"nice":    {plain: "0123456789", valued: "n", long: "adjustment="},
		"ionice":  {plain: "t", valued: "cn", long: "ignore class= classdata="},
		"timeout": {plain: "vpf", valued: "ks", long: "foreground preserve-status verbose kill-after= signal=", operands: 1},
		"time":    {plain: "pvqal", long: "portability verbose quiet"},
		"stdbuf":  {valued: "ioe", long: "input= output= error="},
		"xargs": {
			plain: "0rtpxo", valued: "adEILnPs", input: true,
			long: "null no-run-if-empty verbose interactive exit open-tty arg-file= delimiter= max-args= max-procs= max-lines= max-chars= replace=",
		},
		"taskset": {operands: 1}, "caffeinate": {plain: "disu", valued: "t"},
		"chroot": {operands: 1, long: "userspec= groups= skip-chdir", risk: becomes},
		"sudo":   sudo, "doas": {plain: "Lns", valued: "uC", risk: becomes},
	}
}

// unwrapped is a command without the programs that only start it.
type unwrapped struct {
	words  []word
	sets   []string // variables set by the wrappers
	risks  []string
	input  bool // arguments come from its input
	opaque bool // the started command is unknown; words is what it may be
}

// unwrap removes the wrappers from a command.
func (j *judge) unwrap(words []word) unwrapped {
	u := unwrapped{words: words}
	for len(u.words) > 0 && u.words[0].plain() {
		w, ok := j.wrappers[programOf(u.words)]
		if !ok || isQuery(u.words) {
			break
		}
		rest, ok := w.strip(u.words[1:], &u)
		if !ok {
			u.risks = append(u.risks, "it is not known what "+u.words[0].shown+" starts")
			u.opaque = true
			return u
		}
		if w.risk != "" {
			u.risks = append(u.risks, w.risk)
		}
		u.input = u.input || w.input
		if len(rest) == 0 {
			break
		}
		u.words = rest
	}
	return u
}

// isQuery reports whether a command asks where a program is instead of starting it.
func isQuery(words []word) bool {
	return programOf(words) == "command" && len(words) > 1 && (words[1].text == "-v" || words[1].text == "-V")
}

// strip returns the words after the wrapper's own; false if an option is unknown.
func (w wrapper) strip(words []word, u *unwrapped) ([]word, bool) {
	operands := w.operands
	for len(words) > 0 {
		first := words[0]
		switch {
		case first.text == "--" && first.plain():
			words = words[1:]
			return words[min(operands, len(words)):], true
		case len(first.text) > 1 && first.text[0] == '-':
			taken, ok := w.option(first)
			if !ok || taken > len(words) {
				return nil, false
			}
			words = words[taken:]
		case w.assigns && assignmentName(first) != "":
			u.sets = append(u.sets, assignmentName(first))
			words = words[1:]
		case operands > 0:
			operands--
			words = words[1:]
		default:
			return words, true
		}
	}
	return nil, true
}

// option returns how many words an option takes up.
func (w wrapper) option(o word) (int, bool) {
	if !o.plain() {
		return 0, false
	}
	if name, isLong := strings.CutPrefix(o.text, "--"); isLong {
		name, _, hasValue := strings.Cut(name, "=")
		options := strings.Fields(w.long)
		switch {
		case slices.Contains(options, name+"=") && !hasValue:
			return 2, true
		case slices.Contains(options, name+"="), slices.Contains(options, name):
			return 1, true
		}
		return 0, false
	}
	for i, r := range o.text[1:] {
		switch {
		case strings.ContainsRune(w.valued, r) && i == len(o.text)-2:
			return 2, true
		case strings.ContainsRune(w.valued, r):
			return 1, true
		case !strings.ContainsRune(w.plain, r):
			return 0, false
		}
	}
	return 1, true
}

// assignmentName returns the variable that a word sets, or an empty string.
func assignmentName(w word) string {
	name, _, ok := strings.Cut(w.text, "=")
	if !ok || name == "" || strings.ContainsAny(name, "/$-~ ") {
		return ""
	}
	return strings.TrimSuffix(name, "+")
}

// programOf returns the name of a command's program without its folder, in lower case: some file systems ignore case.
func programOf(words []word) string {
	return strings.TrimSuffix(strings.ToLower(path.Base(strings.ReplaceAll(words[0].text, `\`, "/"))), ".exe")
}
