//go:build linux

package tools_test

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"coppice/backend/core"
	"coppice/backend/tools"
)

// Commands may read without permission exactly what read_file may, and no stored permission covers secrets.
func TestCommandsReadWhatReadFileMay(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{
		"main.go": "x", "docs/a.md": "x", "data/b.json": "x", "service-account.json": "x", "deep/.env": "x", "deep/er/f": "x", "keys/server.key": "x", "config/c.yaml": "x",
		"p/q/r/s/f": "x", "many/x": "x", "hidden/a.txt": "x", "hidden/.env": "x",
	})
	outside := t.TempDir()
	for name, to := range map[string]string{"alias.txt": "deep/.env", "p/q/r/s/t": "../../../..", "out": outside, "docs/link": "../deep/.env", "linked": "p/q/r", "t": "p/q/r/s"} {
		if err := os.Symlink(to, filepath.Join(b.dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	const safe, ask, risk = "safe", "ask", "risk"
	for command, want := range map[string]string{
		"cat main.go": safe, "cat *.go": safe, "cat data/*.json": safe, "cat d*/*.json": safe, "cat */*.json": ask, "grep -rn x config": safe, "diff config data": safe, "sort data/b.json": safe,
		"cat *.json": risk, "head *.json": risk, "tail -n 3 *.json": risk, "sort *.json": risk, "grep '' *.json": risk, "wc -l *": risk, "cat s*t.json": risk, "cat s[e]rvice-account.json": risk,
		"diff -N . docs": risk, "diff config deep": risk, "grep -r x deep": risk, "grep -r x .": risk, "grep -r x": risk, "rg x": risk, "rg x keys": risk, "cat deep/.e*": risk, "cat */.env": risk,
		"cat alias.txt": risk, "cat < alias.txt": risk, "cp alias.txt x": risk, "base64 deep/.env": risk, "cd deep && cat .env": risk, "diff docs config": risk,
		"rg x hidden": ask, "rg -g .env x hidden": risk, "rg -u x hidden": risk,
		"cd p/q/r/s && cat t/main.go": safe, "cat p/q/r/s/t/main.go": safe, "cat p/q/r/s/t/../x": ask, "cd p/q/r/s && cat t/../../../outside.txt": ask, "cd linked && cat ../main.go": ask,
		"cat linked/../r/s/f": safe, "cat linked/s/t/deep/.env": risk, "ls out": ask, "cat out/*": ask, "cat ../*": ask, "cat missing*": safe, "ls *.json": ask,
	} {
		a, err := b.access("run_command", object{"command": command})
		got := ask
		switch {
		case err != nil:
			t.Fatal(err)
		case a.Risk != "":
			got = risk
		case a.Safe:
			got = safe
		}
		if got != want {
			t.Errorf("%q is %s, not %s: %+v", command, got, want, a)
		}
	}
}

// A call that runs without permission is refused if the files it names have changed by then.
func TestUnaskedCommandIsJudgedAgain(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a.txt": "ordinary", ".env": "PASSWORD=1"})
	call := core.ToolCall{ID: "c", Arguments: marshal(b, object{"command": "cat a.txt"}), Unasked: true}
	if r := b.tools["run_command"].Run(t.Context(), call); r.IsError || !strings.HasPrefix(r.Parts[0].Text, "ordinary") {
		t.Fatalf("%+v", r)
	}
	if err := os.Remove(filepath.Join(b.dir, "a.txt")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(".env", filepath.Join(b.dir, "a.txt")); err != nil {
		t.Fatal(err)
	}
	if r := b.tools["run_command"].Run(t.Context(), call); !r.IsError || strings.Contains(r.Parts[0].Text, "PASSWORD") {
		t.Errorf("%+v", r)
	}
}

func TestCommandsThatReadHaveNoNetwork(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	b := newBenchWith(t, map[string]string{"f": "x"}, tools.Options{Network: true})
	// A command is unasked only if every part of it is; the network is tested through a hook that git would run.
	script := filepath.Join(b.dir, "monitor")
	b.put("monitor", "#!/bin/bash\necho ran > "+b.dir+"/ran\nexec 3<>/dev/tcp/"+strings.Replace(listener.Addr().String(), ":", "/", 1)+" && echo connected > "+b.dir+"/connected\n")
	if err := os.Chmod(script, 0o755); err != nil {
		t.Fatal(err)
	}
	git(t, b.dir, "init", "-q")
	git(t, b.dir, "add", "-A")
	git(t, b.dir, "commit", "-q", "-m", "x")
	git(t, b.dir, "config", "core.hooksPath", b.dir)
	if err := os.Symlink("monitor", filepath.Join(b.dir, "post-index-change")); err != nil {
		t.Fatal(err)
	}
	later := time.Now().Add(time.Hour) // git status reads the file again and writes the index, which triggers a hook
	if err := os.Chtimes(filepath.Join(b.dir, "f"), later, later); err != nil {
		t.Fatal(err)
	}
	if a, err := b.access("run_command", object{"command": "git status"}); err != nil || !a.Safe {
		t.Fatalf("%+v %v", a, err)
	}
	if r := b.run("run_command", object{"command": "git status --short"}); r.IsError {
		t.Errorf("%+v", r)
	}
	for _, name := range []string{"ran", "connected"} {
		if _, err := os.Stat(filepath.Join(b.dir, name)); err == nil {
			t.Errorf("git %s", name)
		}
	}
}

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@b", "-c", "protocol.file.allow=always"}, args...)...)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v: %s", args, err, out)
	}
}

// Git runs unasked only if the repository's own configuration cannot start a program.
func TestGitOfARepository(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git")
	}
	for name, c := range map[string]struct {
		config  string // appended
		prepare func(t *testing.T, dir string)
		status  bool // git status runs without permission
		diff    bool
	}{
		"plain":           {status: true, diff: true},
		"ordinary":        {config: "[user]\n\tname = a\n[core]\n\tautocrlf = input\n\thooksPath = .husky\n[branch \"main\"]\n\tremote = origin\n", status: true, diff: true},
		"file monitor":    {config: "[core]\n\tfsmonitor = sh -c 'touch PWNED'\n"},
		"on one line":     {config: "[core] fsmonitor = ./x\n"},
		"spelled oddly":   {config: "[CORE]\n\tFsMonitor=./x\n"},
		"external diff":   {config: "[diff]\n\texternal = ./x\n"},
		"textconv":        {config: "[diff \"x\"]\n\ttextconv = ./x\n"},
		"old subsection":  {config: "[diff.x]\n\ttextconv = ./x\n"},
		"driver":          {config: "[diff \"x\"]\n\tcommand = ./x\n"},
		"filter":          {config: "[filter \"x\"]\n\tclean = ./x\n"},
		"process":         {config: "[filter \"x\"]\n\tprocess = ./x\n"},
		"include":         {config: "[include]\n\tpath = ../x\n"},
		"conditional":     {config: "[includeIf \"gitdir:/\"]\n\tpath = ../x\n"},
		"signatures":      {config: "[gpg]\n\tprogram = ./x\n[log]\n\tshowSignature = true\n"},
		"other work tree": {config: "[core]\n\tworktree = /\n"},
		"promisor":        {config: "[remote \"o\"]\n\tpromisor = true\n\turl = ext::./x\n"},
		"continued":       {config: "[user]\n\tname = a\\\n\tb\n"},
		"per work tree": {prepare: func(t *testing.T, dir string) {
			write(t, filepath.Join(dir, ".git/config.worktree"), "[core]\n\tfsmonitor = ./x\n")
		}},
		"linked": {prepare: func(t *testing.T, dir string) {
			write(t, filepath.Join(dir, "elsewhere/config"), "[core]\n\tfsmonitor = ./x\n")
			if err := os.RemoveAll(filepath.Join(dir, ".git")); err != nil {
				t.Fatal(err)
			}
			write(t, filepath.Join(dir, ".git"), "gitdir: elsewhere\n")
		}},
		"none": {prepare: func(t *testing.T, dir string) {
			if err := os.RemoveAll(filepath.Join(dir, ".git")); err != nil {
				t.Fatal(err)
			}
		}},
		"tracked secret": {prepare: func(t *testing.T, dir string) {
			write(t, filepath.Join(dir, "deep/.env"), "x")
			git(t, dir, "add", "-A")
		}, status: true},
		"submodule": {prepare: func(t *testing.T, dir string) {
			other := t.TempDir()
			git(t, other, "init", "-q")
			git(t, other, "commit", "-q", "--allow-empty", "-m", "x")
			git(t, dir, "submodule", "add", "-q", other, "sub")
		}},
		"index of version 4": {prepare: func(t *testing.T, dir string) {
			write(t, filepath.Join(dir, "abc/def.go"), "x")
			write(t, filepath.Join(dir, "abc/deg.go"), "x")
			git(t, dir, "add", "-A")
			git(t, dir, "update-index", "--index-version", "4")
		}, status: true, diff: true},
		"secret in version 4": {prepare: func(t *testing.T, dir string) {
			write(t, filepath.Join(dir, "abc/.env"), "x")
			write(t, filepath.Join(dir, "abc/b"), "x")
			git(t, dir, "add", "-A")
			git(t, dir, "update-index", "--index-version", "4")
		}, status: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, map[string]string{"a.txt": "x", "x": "#!/bin/sh\n"})
			git(t, b.dir, "init", "-q")
			git(t, b.dir, "add", "-A")
			git(t, b.dir, "commit", "-q", "-m", "x")
			at := filepath.Join(b.dir, ".git/config")
			before, err := os.ReadFile(at)
			if err != nil {
				t.Fatal(err)
			}
			if c.prepare != nil {
				c.prepare(t, b.dir)
			} else {
				write(t, at, string(before)+c.config)
			}
			for command, want := range map[string]bool{"git status --short": c.status, "git diff": c.diff, "git log -p": c.diff, "git log --oneline": c.status} {
				if a, err := b.access("run_command", object{"command": command}); err != nil || a.Safe != want {
					t.Errorf("%s: unasked is %t: %+v %v", command, a.Safe, a, err)
				} else if r := b.run("run_command", object{"command": command}); want && r.IsError {
					t.Errorf("%s: %+v", command, r)
				}
			}
		})
	}
}

func write(t *testing.T, at, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(at, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// A workspace has its own caches, which are removed when no run has used them for long.
func TestCachesOfWorkspaces(t *testing.T) {
	t.Parallel()
	caches := t.TempDir()
	b := newBenchWith(t, nil, tools.Options{Cache: caches})
	if b.box.Level() == tools.LevelOf(tools.Options{Unconfined: true}).String() {
		t.Skip("nothing confines here")
	}
	stale := filepath.Join(caches, "stale")
	write(t, filepath.Join(stale, "f"), "x")
	old := time.Now().AddDate(0, -2, 0)
	if err := os.Chtimes(stale, old, old); err != nil {
		t.Fatal(err)
	}
	r := b.run("run_command", object{"command": "mkdir -p $npm_config_cache && echo x > $npm_config_cache/f && echo $npm_config_cache"})
	at := strings.SplitN(r.Parts[0].Text, "\n", 2)[0]
	if r.IsError || !strings.HasPrefix(at, caches) || strings.Contains(at, ":") {
		t.Fatalf("%+v", r)
	}
	if other := newBenchWith(t, nil, tools.Options{Cache: caches}); !strings.HasPrefix(other.run("run_command", object{"command": "cat " + at + "/f; echo end"}).Parts[0].Text, "cat: ") {
		t.Error("a command of another workspace reads this cache")
	}
	if err := b.box.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(stale); err == nil {
		t.Error("a cache of two months ago is still there")
	}
	if _, err := os.Stat(filepath.Join(at, "f")); err != nil {
		t.Error(err)
	}
}
