//go:build unix

package mcp

import (
	"encoding/json"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// Close ends every process that a server started, even one that ignores signals.
func TestCloseEndsProcesses(t *testing.T) {
	t.Parallel()
	for _, behaviour := range []string{"tools", "stubborn"} {
		pool := open(t, fakeCommand(t, behaviour))
		said := textOf(run(t, pool, "process", `{}`))
		var pids []int
		for word := range strings.FieldsSeq(said) {
			var pid int
			if err := json.Unmarshal([]byte(word), &pid); err != nil {
				t.Fatalf("%q", said)
			}
			if session, err := unix.Getsid(pid); err != nil || session == ownSessionID(t) {
				t.Errorf("process %d is in the session of the program: %d, %v", pid, session, err)
			}
			pids = append(pids, pid)
		}
		pool.Close()
		for _, pid := range pids {
			eventually(t, "the process has ended", func() bool { return hasEnded(pid) })
		}
		if state := pool.States()[0]; state.Status != StatusClosed {
			t.Errorf("%+v", state)
		}
		if got := run(t, pool, "echo", `{"text":"a"}`); !got.IsError {
			t.Errorf("a closed server answered: %+v", got)
		}
	}
}

// ownSessionID returns the session of the test program: its terminal, if it has one, belongs to that session.
func ownSessionID(t *testing.T) int {
	t.Helper()
	id, err := unix.Getsid(0)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func hasEnded(pid int) bool { return syscall.Kill(pid, 0) != nil || isZombie(pid) }
