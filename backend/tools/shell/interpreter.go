package shell

import (
	"slices"
	"strings"
)

// source is where a shell or an interpreter reads its program from.
type source int

const (
	unknown source = iota
	fromFile
	fromArgument
	fromInput
)

func isShell(program string) bool {
	return isPOSIX(program) || slices.Contains([]string{"fish", "csh", "tcsh", "pwsh", "powershell", "cmd", "nu", "elvish", "xonsh"}, program)
}

// isPOSIX reports whether a shell's scripts can be parsed like those of bash.
func isPOSIX(program string) bool {
	return slices.Contains([]string{"sh", "bash", "dash", "ash", "zsh", "ksh", "mksh", "rbash"}, program)
}

// isInterpreter reports whether a program runs the code in its arguments or its input.
func isInterpreter(program string) bool {
	name := strings.TrimRight(program, "0123456789.")
	return slices.Contains([]string{
		"python", "pypy", "ipython", "node", "nodejs", "deno", "perl", "ruby", "irb", "php", "lua", "luajit", "rscript", "osascript",
		"awk", "gawk", "mawk", "nawk", "tclsh", "wish", "expect", "ghci", "runghc", "jshell", "groovy", "scala", "kotlin", "julia", "elixir", "iex",
		"guile", "racket", "sbcl", "clojure", "ed", "ex", "vi", "vim", "nvim", "emacs", "m4", "bc", "dc", "ts-node", "tsx",
	}, name)
}

func isDownloader(program string) bool {
	return slices.Contains([]string{"curl", "wget", "fetch", "aria2c", "http", "https", "lynx", "links", "w3m", "nc", "ncat", "netcat", "socat"}, program)
}

// programIn returns where a shell or an interpreter reads its program from, and the word that contains or names the
// program.
func programIn(words []word) (word, source) {
	isArgument := false
	for i := 1; i < len(words); i++ {
		w := words[i]
		switch {
		case !w.literal && !strings.HasPrefix(w.text, "-"):
			if isArgument {
				return w, fromArgument
			}
			return w, unknown
		case w.text == "-" || w.text == "-s":
			return word{}, fromInput
		case isArgument && !strings.HasPrefix(w.text, "-") && !strings.HasPrefix(w.text, "+"):
			return w, fromArgument
		case isShell(programOf(words)) && (w.text == "-o" || w.text == "+o" || w.text == "-O" || w.text == "+O"):
			i++
		case w.text == "--rcfile" || w.text == "--init-file":
			return w, unknown
		case isScriptFlag(w.text):
			isArgument = true
		case strings.HasPrefix(w.text, "-") || strings.HasPrefix(w.text, "+"):
		default:
			return w, fromFile
		}
	}
	if isArgument {
		return word{}, unknown
	}
	return word{}, fromInput
}

// isScriptFlag reports whether an option is followed by a program: -c of shells and python, -e and -p of others, alone
// or at the end of combined options, and -m, which names one.
func isScriptFlag(option string) bool {
	if strings.HasPrefix(option, "--") {
		return option == "--eval" || option == "--print" || option == "--command"
	}
	return strings.HasPrefix(option, "-") && strings.ContainsAny(option, "cepmrE")
}
