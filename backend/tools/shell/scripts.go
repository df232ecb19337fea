package shell

import (
	"slices"
	"strings"

	"coppice/backend/lazyregexp"
)

// scriptRisk returns why a user must approve each call with an argument that is a small program itself; empty: no
// reason.
func scriptRisk(program string, args []word) string {
	switch program {
	case "make", "gmake":
		if slices.ContainsFunc(args, setsProgram) {
			return "it sets a variable that can run another program"
		}
	case "go":
		if slices.ContainsFunc(args, func(w word) bool { return strings.Contains(w.text, "-extld") }) {
			return "it runs another program"
		}
		if len(args) > 0 && args[0].text == "env" && hasFlag(args, "wu") {
			return "it changes how go works"
		}
	case "sed", "gsed":
		if !sedEdits(args) {
			return "its script may run programs or write files"
		}
	}
	return ""
}

var plainValue = lazyregexp.New(`^[A-Za-z0-9_.,+-]*$`)

// setsProgram reports whether a word of make sets a variable that make may run: its shell, its flags, or anything it
// expands.
func setsProgram(w word) bool {
	name, value, ok := strings.Cut(w.text, "=")
	if !ok || strings.HasPrefix(w.text, "-") {
		return false
	}
	name = strings.TrimRight(name, ":+?!")
	return !w.literal || !plainValue.MatchString(value) || isLoaded(name) || strings.HasSuffix(strings.ToUpper(name), "FLAGS")
}

// sedCommand matches a command of sed that prints, deletes or substitutes, and neither runs a program nor opens a file.
var sedCommand = lazyregexp.New(`^\s*(\d+|\$|/[^/]*/)?(,(\d+|\$|/[^/]*/))?\s*!?([pdq=]|s(/[^/]*/[^/]*/|\|[^|]*\|[^|]*\||#[^#]*#[^#]*#|,[^,]*,[^,]*,)[gpiI0-9]*)\s*$`)

// sedEdits reports whether every script of a sed command is known to do no more than sedCommand.
func sedEdits(args []word) bool {
	scripts, operands := []word{}, []word{}
	for i := 0; i < len(args); i++ {
		w := args[i]
		value, isLong := strings.CutPrefix(w.text, "--expression=")
		switch {
		case isLong:
			scripts = append(scripts, word{text: value, literal: w.literal})
		case w.text == "-e" || w.text == "-ne" || w.text == "-re" || w.text == "-Ee":
			if i++; i < len(args) {
				scripts = append(scripts, args[i])
			}
		case slices.Contains([]string{"-n", "-E", "-r", "-s", "-u", "-z", "--quiet", "--silent", "--regexp-extended", "--version", "--help"}, w.text):
		case strings.HasPrefix(w.text, "-") && w.text != "-":
			return false
		default:
			operands = append(operands, w)
		}
	}
	if len(scripts) == 0 && len(operands) > 0 {
		scripts = operands[:1]
	}
	return !slices.ContainsFunc(scripts, func(w word) bool {
		return !w.literal || !sedCommand.MatchString(w.text) && slices.ContainsFunc(strings.Split(w.text, ";"), func(s string) bool {
			return strings.ContainsAny(w.text, "\\\n") || !sedCommand.MatchString(s)
		})
	})
}
