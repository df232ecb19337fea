//go:build unix

package mcp

import (
	"encoding/json"
	"strings"
	"syscall"
	"testing"
)

// Close ends all that a server started, also one that does not listen.
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

func hasEnded(pid int) bool { return syscall.Kill(pid, 0) != nil || isZombie(pid) }
