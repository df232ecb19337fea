package sandbox_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"coppice/backend/tools/sandbox"
)

const ownerVerb = "__owner"

// TestMain lets the test program act as a supervisor, as the real one does, and as the owner of one.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == sandbox.Verb {
		os.Exit(sandbox.Main(os.Args[2:]))
	}
	if len(os.Args) > 5 && os.Args[1] == atTermVerb {
		atTerminal(os.Args[2:])
		os.Exit(0)
	}
	if len(os.Args) > 3 && os.Args[1] == intruderVerb {
		intrude(os.Args[2], os.Args[3])
		os.Exit(0)
	}
	if len(os.Args) > 3 && os.Args[1] == ownerVerb {
		cmd, err := sandbox.Command(context.Background(), options(os.Args[2], sandbox.Level{Kind: sandbox.None}), "bash", "-c", os.Args[3])
		if err == nil {
			err = cmd.Run()
		}
		fmt.Println(err)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func options(dir string, level sandbox.Level) sandbox.Options {
	return sandbox.Options{Level: level, Dir: dir, Env: sandbox.Environment(os.Environ(), dir)}
}

// levels returns the levels that this machine offers, starting with none.
func levels(t *testing.T) []sandbox.Level {
	t.Helper()
	all := []sandbox.Level{{Kind: sandbox.None}}
	if best := sandbox.Detect(false); best.Kind != sandbox.None {
		all = append(all, best)
	}
	probe := exec.Command("bwrap", "--unshare-all", "--ro-bind", "/", "/", "true")
	if probe.Run() == nil {
		all = append(all, sandbox.Level{Kind: sandbox.Bubblewrap})
	}
	return all
}

// run runs a line and returns its exit code and output.
func run(t *testing.T, o sandbox.Options, line string) (int, string) {
	t.Helper()
	cmd, err := sandbox.Command(t.Context(), o, "bash", "-c", line)
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.CombinedOutput()
	if ended, ok := errors.AsType[*exec.ExitError](err); ok {
		return ended.ExitCode(), string(out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return 0, string(out)
}

func TestExitCodes(t *testing.T) {
	t.Parallel()
	for _, level := range levels(t) {
		for line, want := range map[string]int{
			"true": 0, "exit 7": 7, "kill -KILL $$": 137, "kill -TERM $$": 143, "no-such-program": 127,
			"read line": 1, // stdin is empty
		} {
			if code, out := run(t, options(t.TempDir(), level), line); code != want {
				t.Errorf("%s: %q exits with %d, not %d: %s", level, line, code, want, out)
			}
		}
	}
	cmd, err := sandbox.Command(t.Context(), options(t.TempDir(), sandbox.Level{}), "no-such-program")
	if err != nil {
		t.Fatal(err)
	}
	if out, _ := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() != 127 || !strings.Contains(string(out), "no-such-program") {
		t.Errorf("a missing program: %d %s", cmd.ProcessState.ExitCode(), out)
	}
}

func TestConfinement(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	for _, level := range levels(t)[1:] {
		outside, dir := t.TempDir(), t.TempDir()
		secret := filepath.Join(outside, "secret")
		if err := os.WriteFile(secret, []byte("hunter2"), 0o600); err != nil {
			t.Fatal(err)
		}
		for name, line := range map[string]string{
			"write outside":      "echo x > " + filepath.Join(outside, "new"),
			"overwrite outside":  "echo x > " + secret,
			"read outside":       "cat " + secret,
			"list outside":       "ls " + outside,
			"read through link":  "ln -s " + secret + " link && cat link",
			"read by hard link":  "ln " + secret + " hard && cat hard",
			"delete outside":     "rm " + secret,
			"write to system":    "touch /etc/coppice-test",
			"signal the test":    fmt.Sprintf("kill -0 %d", os.Getpid()),
			"environment of it":  fmt.Sprintf("cat /proc/%d/environ", os.Getpid()),
			"signal supervisor":  "kill -0 $PPID",
			"connect to a port":  "exec 3<>/dev/tcp/127.0.0.1/" + port,
			"move out":           "echo x > here && mv here " + filepath.Join(outside, "here"),
			"file beside folder": "echo x > " + dir + "-beside && exit 1", // bubblewrap lets it write to its own /tmp
		} {
			if name == "signal supervisor" && level.Kind == sandbox.Bubblewrap {
				continue // its parent is the first process of the namespace
			}
			if code, out := run(t, options(dir, level), line); code == 0 {
				t.Errorf("%s: %s was possible: %s", level, name, out)
			}
		}
		if _, err := os.Lstat(dir + "-beside"); err == nil {
			t.Errorf("%s: a file beside the folder was made", level)
		}
		if got, err := os.ReadFile(secret); err != nil || string(got) != "hunter2" {
			t.Errorf("%s: the secret is now %q, %v", level, got, err)
		}
		for name, line := range map[string]string{
			"write inside":         "mkdir -p a/b && echo x > a/b/c && cat a/b/c && rm -r a",
			"move inside":          "mkdir -p d e && echo x > d/f && mv d/f e/f && rm -r d e",
			"temporary file":       "f=$(mktemp) && echo x > $f && rm $f",
			"devices":              "echo x > /dev/null && head -c 4 /dev/urandom | wc -c",
			"process substitution": "cat <(echo x)",
			"see processes":        "ls /proc/self/fd",
		} {
			if code, out := run(t, options(dir, level), line); code != 0 {
				t.Errorf("%s: %s was not possible: %s", level, name, out)
			}
		}
	}
}

func TestGit(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git")
	}
	const who = "git -c user.name=a -c user.email=a@b "
	for _, level := range levels(t) {
		base := t.TempDir()
		main, tree := filepath.Join(base, "main"), filepath.Join(base, "tree")
		setup := "git init -q " + main + " && cd " + main + " && " + who + "commit -q --allow-empty -m zero && echo x > other && git add other && " + who + "commit -q -m one && git worktree add -q " + tree
		if out, err := exec.Command("bash", "-c", setup).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		if err := os.Mkdir(filepath.Join(main, "sub"), 0o755); err != nil {
			t.Fatal(err)
		}
		for _, dir := range []string{main, tree, filepath.Join(main, "sub")} {
			line := "echo x > f && git add f && " + who + "commit -q -m two && git status --short && git log --oneline | wc -l"
			if code, out := run(t, options(dir, level), line); code != 0 || strings.Count(out, "\n") > 2 {
				t.Errorf("%s in %s: %d %s", level, filepath.Base(dir), code, out)
			}
		}
	}
}

// The .git file of a work tree that points to a repository which does not list that work tree opens nothing.
func TestForgedWorkTree(t *testing.T) {
	t.Parallel()
	level := sandbox.Detect(true)
	if level.Kind == sandbox.None {
		t.Skip("nothing confines here")
	}
	dir, outside := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, ".git"), []byte("gitdir: "+outside+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _ := run(t, options(dir, level), "touch "+outside+"/x"); code == 0 {
		t.Error("a forged .git file opened another folder")
	}
}

// marked returns a duration of sleep that no other process uses, and a function that counts the processes that sleep
// for it.
func marked(t *testing.T) (string, func() int) {
	t.Helper()
	mark := fmt.Sprintf("10000.%d%d", os.Getpid(), time.Now().UnixNano())
	return mark, func() int {
		count := 0
		entries, err := os.ReadDir("/proc")
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if _, err := strconv.Atoi(e.Name()); err != nil {
				continue
			}
			line, _ := os.ReadFile("/proc/" + e.Name() + "/cmdline")
			if bytes.HasPrefix(line, []byte("sleep\x00"+mark)) {
				count++
			}
		}
		return count
	}
}

func escapes(mark string) map[string]string {
	return map[string]string{
		"child":       "sleep " + mark + " & wait",
		"setsid":      "setsid sleep " + mark + " & wait",
		"nohup":       "nohup sleep " + mark + " >/dev/null 2>&1 & wait",
		"double fork": "(setsid bash -c 'sleep " + mark + " & disown' &); sleep " + mark,
		"trap":        "trap '' TERM; (trap '' TERM; sleep " + mark + ") & wait; sleep " + mark,
		"stopped":     "sleep " + mark + " & sleep 0.1; kill -STOP $!; wait",
		"no pipes":    "setsid sleep " + mark + " </dev/null >/dev/null 2>&1 & wait",
	}
}

func TestCancelLeavesNothing(t *testing.T) {
	t.Parallel()
	for _, level := range levels(t) {
		mark, running := marked(t)
		for name, line := range escapes(mark) {
			ctx, cancel := context.WithCancel(t.Context())
			cmd, err := sandbox.Command(ctx, options(t.TempDir(), level), "bash", "-c", line)
			if err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &out
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			within(t, name+" runs", func() bool { return running() > 0 })
			cancel()
			_ = cmd.Wait()
			if n := running(); n != 0 {
				t.Errorf("%s, %s: %d processes are left: %s", level, name, n, out.String())
			}
		}
	}
}

func TestEndLeavesNothing(t *testing.T) {
	t.Parallel()
	for _, level := range levels(t) {
		mark, running := marked(t)
		line := "setsid sleep " + mark + " & (setsid bash -c 'trap \"\" TERM; sleep " + mark + " & disown' &); sleep 0.3; echo over; exit 3"
		if code, out := run(t, options(t.TempDir(), level), line); code != 3 || out != "over\n" {
			t.Errorf("%s: %d %q", level, code, out)
		}
		if n := running(); n != 0 {
			t.Errorf("%s: %d processes are left", level, n)
		}
	}
}

func TestOwnerKilledLeavesNothing(t *testing.T) {
	t.Parallel()
	mark, running := marked(t)
	owner := exec.Command("/proc/self/exe", ownerVerb, t.TempDir(), "setsid sleep "+mark+" & trap '' TERM; wait")
	if err := owner.Start(); err != nil {
		t.Fatal(err)
	}
	within(t, "it runs", func() bool { return running() > 0 })
	if err := owner.Process.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	_ = owner.Wait()
	within(t, "all are gone", func() bool { return running() == 0 })
}

func within(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for range 1000 {
		if holds() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("never: %s", what)
}

func TestEnvironment(t *testing.T) {
	t.Parallel()
	got := sandbox.Environment([]string{
		"PATH=/bin", "HOME=/home/a", "OPENAI_API_KEY=sk-1", "GITHUB_TOKEN=x", "LC_ALL=C", "npm_config_cache=/c", "npm_config__authToken=x",
		"GOPROXY=https://user:pass@proxy", "HTTPS_PROXY=http://proxy:80", "LD_PRELOAD=/x.so", "SSH_AUTH_SOCK=/s", "TERM=xterm", "broken",
		"AWS_SECRET_ACCESS_KEY=x", "DBUS_SESSION_BUS_ADDRESS=unix:path=/run", "BASH_ENV=/x", "BASH_FUNC_ls%%=() { rm; }",
	}, "/tmp/own")
	want := []string{
		"PATH=/bin", "HOME=/home/a", "LC_ALL=C", "npm_config_cache=/c", "HTTPS_PROXY=http://proxy:80", "TERM=dumb", "NO_COLOR=1", "PAGER=cat",
		"GIT_PAGER=cat", "GIT_TERMINAL_PROMPT=0", "GIT_DISCOVERY_ACROSS_FILESYSTEM=1", "TMPDIR=/tmp/own", "TMP=/tmp/own", "TEMP=/tmp/own",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("the environment is %q", got)
	}
}

func TestLevelDescribesWhatItCovers(t *testing.T) {
	t.Parallel()
	for want, level := range map[string]sandbox.Level{
		"none: commands can read and change everything that you can":                                                      {},
		"files confined by bubblewrap; network off":                                                                       {Kind: sandbox.Bubblewrap},
		"files confined by bubblewrap; network open, this machine's own services included; only sockets in the workspace": {Kind: sandbox.Bubblewrap, Network: true},
		"files confined by landlock; network off":                                                                         {Kind: sandbox.Landlock, ABI: 7},
		"files confined by landlock; network and sockets of other programs open":                                          {Kind: sandbox.Landlock, ABI: 7, Network: true},
		"files confined by landlock; network open, this machine's own services included":                                  {Kind: sandbox.Landlock, ABI: 10, Network: true},
	} {
		if got := level.String(); got != want {
			t.Errorf("%+v is %q, not %q", level, got, want)
		}
	}
}
