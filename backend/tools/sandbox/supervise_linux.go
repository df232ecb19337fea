package sandbox

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// adoptOrphans makes this process the parent of all descendants whose own parent ends, so that none escapes by forking
// twice.
func adoptOrphans() error { return unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) }

// start starts the command in its confinement.
//
// Landlock restricts the calling thread and the processes it starts. The restriction is applied on a separate thread,
// so that the rest of this process stays outside, where the command cannot signal it. The thread lives as long as the
// process: its end would count as the parent's.
func start(o order, program string) (int, error) {
	attr := attributes(o)
	attr.Sys.Pdeathsig = syscall.SIGKILL
	args := o.Args
	var extra []*os.File
	if o.Level.Kind == Bubblewrap {
		if o.offline() {
			filter, err := socketFilterFile()
			if err != nil {
				return 0, fmt.Errorf("shut sockets: %w", err)
			}
			defer filter.Close() //nolint:errcheck // it was only read
			extra = []*os.File{filter}
		}
		var err error
		if program, args, err = bubblewrapped(o, program); err != nil {
			return 0, err
		}
	}
	type outcome struct {
		pid int
		err error
	}
	done := make(chan outcome, 1)
	onOwnThread(func() {
		if err := confineThread(o); err != nil {
			done <- outcome{0, err}
			return
		}
		pid, err := launch(program, args, attr, extra...)
		done <- outcome{pid, err}
	})
	ended := <-done
	return ended.pid, ended.err
}

// confineThread confines the calling thread with Landlock and seccomp. If bubblewrap starts the command, bubblewrap
// confines it.
func confineThread(o order) error {
	if o.Level.Kind == Landlock {
		if err := restrictThread(o); err != nil {
			return fmt.Errorf("landlock: %w", err)
		}
	}
	if o.Level.Kind != Bubblewrap && o.offline() {
		if err := shutSockets(); err != nil {
			return fmt.Errorf("shut sockets: %w", err)
		}
	}
	return nil
}

// onOwnThread runs f on a thread that does nothing else, ever, and is not the first thread of the process, which
// receives its signals.
func onOwnThread(f func()) {
	go func() {
		runtime.LockOSThread()
		if unix.Gettid() == unix.Getpid() {
			onOwnThread(f)
		} else {
			f()
		}
		select {}
	}()
}

// descendants returns the processes below pid, whatever their group or session.
func descendants(pid int) []int {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	parents := map[int]int{}
	for _, entry := range entries {
		child, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		if parent, ok := parentOf(child); ok {
			parents[child] = parent
		}
	}
	return family(pid, parents)
}

// parentOf reads the fourth field of a process's stat, the second after its name, which may contain any character; see
// proc(5).
func parentOf(pid int) (int, bool) {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0, false
	}
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) < 2 {
		return 0, false
	}
	parent, err := strconv.Atoi(string(fields[1]))
	return parent, err == nil
}
