package soak

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestSuspended stops a process that writes, as the suspension of a computer does, at several moments. Meanwhile
// another process either writes or reports that the library is busy. Afterwards both continue and nothing is lost.
func TestSuspended(t *testing.T) {
	t.Parallel()
	work := t.TempDir()
	library := filepath.Join(work, "coppice.db")
	env := []string{
		"COPPICE_DB=" + library, "HOME=" + work, "XDG_DATA_HOME=" + filepath.Join(work, "data"), "XDG_CONFIG_HOME=" + filepath.Join(work, "config"),
		"XDG_STATE_HOME=" + filepath.Join(work, "state"), "XDG_CACHE_HOME=" + filepath.Join(work, "cache"), "NO_COLOR=1",
	}
	const count = 12
	writer := exec.Command(os.Args[0], "1", fmt.Sprint(count), "false", "slept")
	writer.Env = append(os.Environ(), append(env, roleVar+"="+roleWriter)...)
	writer.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	writer.Stderr = os.Stderr
	out, err := writer.StdoutPipe()
	if err == nil {
		err = writer.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	expected := map[string]string{}
	lines := bufio.NewScanner(out)
	for n := 0; lines.Scan(); n++ {
		text, ok := strings.CutPrefix(lines.Text(), "ack ")
		if !ok {
			continue
		}
		expected[text] = kindText
		if n%3 > 0 {
			continue
		}
		if err := writer.Process.Signal(syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
		label := fmt.Sprintf("while%d", n)
		p, err := start(append(env, roleVar+"="+roleCLI), 0, nil, "label", onlySession(t, env), fmt.Sprintf("m%d", n), label)
		switch {
		case err != nil:
			t.Fatal(err)
		case p.code == 0:
			expected[label] = kindLabel
		case !strings.Contains(p.err, "busy"):
			t.Errorf("beside a suspended process: exit %d: %s", p.code, p.err)
		}
		if err := writer.Process.Signal(syscall.SIGCONT); err != nil {
			t.Fatal(err)
		}
	}
	if err := writer.Wait(); err != nil {
		t.Errorf("the suspended process: %v", err)
	}
	now, err := read(t.Context(), library)
	if err != nil {
		t.Fatal(err)
	}
	texts := 0
	for _, kind := range expected {
		if kind == kindText {
			texts++
		}
	}
	if lost := missing(expected, nil, now); len(lost) > 0 || texts != count {
		t.Errorf("%d of %d messages were acknowledged; lost: %v", texts, count, lost)
	}
	p, err := start(append(env, roleVar+"="+roleCLI), 0, nil, "db", "check")
	if err != nil || p.code != 0 {
		t.Errorf("db check: %v %s%s", err, p.out, p.err)
	}
}

// onlySession returns the id of the only session of the library.
func onlySession(t *testing.T, env []string) string {
	t.Helper()
	p, err := start(append(env, roleVar+"="+roleCLI), 0, nil, "sessions", "--json")
	var sessions []struct{ ID string }
	if err == nil {
		err = json.Unmarshal([]byte(p.out), &sessions)
	}
	if err != nil || len(sessions) != 1 {
		t.Fatalf("list the session: %v: %s%s", err, p.out, p.err)
	}
	return sessions[0].ID
}
