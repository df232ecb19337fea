package shell

import (
	"slices"
	"strings"

	"coppice/backend/lazyregexp"
)

// subcommands returns how many words after a program's name define what the command does. Programs that run whatever
// their arguments name are in neverPrefix instead.
func subcommands() map[string]int {
	depths := map[string]int{
		"go mod": 2, "go work": 2, "go tool": 2, "npm run": 2, "npm exec": 2, "pnpm run": 2, "pnpm exec": 2, "yarn run": 2, "bun run": 2,
		"uv run": 2, "uv pip": 2, "poetry run": 2, "bundle exec": 2, "gh": 2, "nx": 2, "dotnet tool": 2, "git stash": 2, "git remote": 2,
		"git submodule": 2, "git worktree": 2, "kubectl config": 2, "cargo": 1,
	}
	for name := range strings.FieldsSeq("git go npm pnpm yarn bun npx bunx uvx pip pip3 pipx uv poetry bundle kubectl helm terraform tofu make gmake just task rake " +
		"mvn gradle gradlew dotnet brew apt apt-get dnf yum pacman apk systemctl composer mix rails rustup swift zig flutter dart turbo pre-commit tox nox " +
		"golangci-lint buf gcloud aws az jj hg svn conda mamba cmake ninja bazel sqlx wails deno") {
		depths[name] = 1
	}
	return depths
}

// neverPrefix reports whether one use of a program does not predict the next.
func neverPrefix(program string) bool {
	return isShell(program) || isInterpreter(program) || isDownloader(program) || slices.Contains([]string{
		"rm", "rmdir", "shred", "dd", "chmod", "chown", "mv", "ln", "kill", "pkill", "killall", "ssh", "scp", "sftp", "rsync", "telnet", "ftp", "mail", "sendmail",
		"sudo", "doas", "su", "runuser", "pkexec", "chroot", "eval", "exec", "source", ".", "trap", "command", "builtin", "env", "xargs", "tee", "cd", "pushd",
		"alias", "set", "export", "deno", "crontab", "docker", "podman", "tar", "make -f", "nohup", "setsid", "timeout", "time", "nice", "install",
	}, program)
}

var plainWord = lazyregexp.New(`^[A-Za-z0-9_][A-Za-z0-9_./:@-]*$`)

// prefixOf returns the words that a permission for more than one call would name, or an empty string.
func prefixOf(program string, words []word) string {
	if neverPrefix(program) || !words[0].plain() {
		return ""
	}
	depths := subcommands()
	depth := depths[program]
	if len(words) > 1 {
		depth = max(depth, depths[program+" "+words[1].text])
	}
	if depth == 0 {
		return words[0].shown
	}
	if len(words) <= depth {
		return ""
	}
	for _, w := range words[1 : depth+1] {
		if !w.plain() || !plainWord.MatchString(w.text) {
			return ""
		}
	}
	return join(words[:depth+1])
}
