package shell

import (
	"slices"
	"strings"
)

// riskOf returns why a user must approve each call of a command; empty: no reason.
func riskOf(program string, words []word) string {
	args, text := words[1:], join(words)
	switch {
	case slices.Contains([]string{
		"docker", "podman", "nerdctl", "systemd-run", "at", "batch", "crontab", "launchctl", "screen", "tmux", "machinectl", "lxc", "virsh", "nsenter",
		"unshare", "dbus-send", "gdbus", "busctl", "xdg-open", "open", "osascript",
	}, program):
		return outside + ": " + text
	case slices.Contains([]string{
		"parallel", "watch", "script", "expect", "gdb", "lldb", "strace", "ltrace", "flock", "entr", "unbuffer", "coproc", "enable", "hash", "alias", "complete",
	}, program):
		return hidden + ": " + text
	case program == "git":
		return gitRisk(args, text)
	case slices.ContainsFunc(args, func(w word) bool { return strings.HasPrefix(w.text, "--output") && !w.pattern }):
		return "it writes to a file: " + text
	}
	for _, o := range riskyOptions() {
		if slices.Contains(strings.Fields(o.programs), program) && slices.ContainsFunc(args, o.has) {
			return o.reason + ": " + text
		}
	}
	if reason := scriptRisk(program, args); reason != "" {
		return reason + ": " + text
	}
	dynamic := slices.ContainsFunc(args, func(w word) bool { return !w.literal || w.braces })
	if (program == "rm" || program == "shred") && dynamic {
		return "what it deletes is not known before it runs: " + text
	}
	return ""
}

// riskyOption is an option that makes a program do something that its name does not suggest.
type riskyOption struct {
	programs string
	short    string   // single letters after one -
	words    []string // whole options, also followed by = or a value
	reason   string
}

func riskyOptions() []riskyOption {
	const runs, writes, sets = "it runs another program", "it writes to a file", "it sets a variable by its name"
	return []riskyOption{
		{"find", "", []string{"-exec", "-execdir", "-ok", "-okdir"}, runs},
		{"find", "", []string{"-delete", "-fprint", "-fprint0", "-fprintf", "-fls"}, "it deletes or writes what it finds"},
		{"sort", "o", nil, writes},
		{"sort", "", []string{"--compress-program"}, runs},
		{"tree", "o", nil, writes},
		{"curl", "oOJ", []string{"--remote-name", "--remote-name-all", "--config", "--dump-header"}, writes},
		{"wget", "", nil, writes},
		{"tar", "IF", []string{"--to-command", "--checkpoint-action", "--use-compress-program", "--info-script", "--new-volume-script", "--rmt-command", "--rsh-command"}, runs},
		{"rsync", "e", []string{"--rsh", "--rsync-path"}, runs},
		{"ssh scp sftp", "oF", []string{"-o", "-F", "-S"}, runs},
		{"zip", "", []string{"-TT", "--unzip-command"}, runs},
		{"rg", "", []string{"--pre", "--hostname-bin"}, runs},
		{"go", "", []string{"-exec", "-toolexec", "-vettool", "-overlay", "-modfile"}, runs},
		{"cargo", "", []string{"--config", "-Z"}, runs},
		{"mvn", "", []string{"-f", "--file", "-s", "--settings", "-gs", "--global-settings"}, runs},
		{"gradle gradlew", "", []string{"-I", "--init-script", "-b", "--build-file", "-c", "--settings-file", "--include-build"}, runs},
		{"man", "PH", []string{"--pager", "--html"}, runs},
		{"less more", "", []string{"+"}, runs},
		{"less", "oOk", []string{"--log-file", "--LOG-FILE", "--lesskey-file", "--lesskey-src", "--lesskey-content"}, writes},
		{"printf", "v", nil, sets},
		{"read mapfile readarray getopts unset let", "", nil, sets},
		{"sed", "", []string{"-i", "--in-place"}, "it changes files in place"},
		{"yum dnf apt apt-get", "", []string{"-c", "-o", "--option", "--config-file"}, "it changes how packages are installed"},
		{"npm pnpm yarn npx", "", []string{"--script-shell", "--node-options", "--prefix", "--userconfig", "--globalconfig", "--git", "--shell", "--shell-mode"}, runs},
		{"make gmake", "", []string{"--eval", "-E", "-f", "--file", "--makefile", "-C", "--directory", "-I", "--include-dir"}, runs},
		{"shopt", "", nil, "it changes how the shell reads what follows"},
		{"uniq xxd", "r", nil, writes},
	}
}

// has reports whether a word is the option, in any of its spellings. An option without letters and words matches every
// word.
func (o riskyOption) has(w word) bool {
	if o.short == "" && len(o.words) == 0 || o.short != "" && isFlag(w.text, o.short) {
		return true
	}
	name, _, _ := strings.Cut(w.text, "=")
	return slices.ContainsFunc(o.words, func(option string) bool {
		switch {
		case name == option:
			return true
		case strings.HasPrefix(option, "--"):
			return len(name) > 3 && strings.HasPrefix(option, name) // a long option may be shortened
		case len(option) <= 2: // -o or +: the value follows immediately
			return strings.HasPrefix(w.text, option)
		default: // go accepts -exec and --exec
			return name == "-"+option
		}
	})
}

// gitRisk returns why a git command may run other programs, or discard what cannot be restored; empty: no reason.
func gitRisk(args []word, text string) string {
	for len(args) > 0 && strings.HasPrefix(args[0].text, "-") {
		if slices.ContainsFunc([]string{"-c", "--config-env", "--exec-path", "--git-dir", "--work-tree"}, func(o string) bool { return strings.HasPrefix(args[0].text, o) }) {
			return "it changes how git works: " + text
		}
		skip := 1
		if args[0].text == "-C" || args[0].text == "--namespace" {
			skip = min(2, len(args))
		}
		args = args[skip:]
	}
	if len(args) == 0 {
		return ""
	}
	sub, args := args[0], args[1:]
	if !sub.plain() {
		return "what runs is not known before it does: " + text
	}
	has := func(short string, long ...string) bool { return hasFlag(args, short, long...) }
	first := ""
	if len(args) > 0 {
		first = args[0].text
	}
	switch {
	case has("", "--output", "--upload-pack", "--receive-pack", "--exec", "--ext-diff", "--open-files-in-pager", "--extcmd"),
		slices.ContainsFunc(args, func(w word) bool { return strings.HasPrefix(w.text, "ext::") }),
		sub.text == "rebase" && has("x"), sub.text == "grep" && has("O"), sub.text == "clone" && has("cu", "--config", "--template"), sub.text == "archive" && has("o"),
		sub.text == "bisect" && first == "run", sub.text == "submodule" && first == "foreach",
		slices.Contains([]string{"filter-branch", "difftool", "mergetool", "daemon", "instaweb", "send-email", "credential", "hook"}, sub.text):
		return "it runs another program, or writes to a file: " + text
	case sub.text == "config" && !has("l", "--list", "--get", "--get-all", "--get-regexp") && first != "get" && first != "list":
		return "it changes how git works: " + text
	case sub.text == "push" && (has("fd", "--force", "--force-with-lease", "--mirror", "--delete", "--prune") || slices.ContainsFunc(args, forcedRef)),
		sub.text == "reset" && has("", "--hard", "--merge"), sub.text == "clean" && !has("n", "--dry-run"),
		sub.text == "branch" && has("DMf", "--force"), sub.text == "stash" && (first == "drop" || first == "clear"),
		sub.text == "reflog" && (first == "expire" || first == "delete"), sub.text == "update-ref", sub.text == "gc" && has("", "--prune"),
		(sub.text == "checkout" || sub.text == "switch") && (has("fB", "--force", "--discard-changes") || slices.ContainsFunc(args, isAll)),
		sub.text == "restore":
		return "it throws away work: " + text
	}
	return ""
}

func forcedRef(w word) bool { return strings.HasPrefix(w.text, "+") || strings.HasPrefix(w.text, ":") }

func isAll(w word) bool { return w.text == "." || w.text == "--" || w.text == "*" }
