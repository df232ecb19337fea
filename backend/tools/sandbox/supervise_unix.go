//go:build unix

package sandbox

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"
)

const (
	termGrace  = 200 * time.Millisecond // between SIGTERM and SIGKILL
	killPause  = 10 * time.Millisecond  // between two rounds of killing: processes may have forked meanwhile
	killRounds = 100
)

// apart gives the supervisor its own session: it has no controlling terminal, and does not receive a terminal's Ctrl+C.
func apart() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// supervise runs the command to its end and ends all of its processes.
func supervise(o order, program string) (int, error) {
	if err := adoptOrphans(); err != nil {
		return 0, fmt.Errorf("adopt orphans: %w", err)
	}
	if err := keepDescriptors(); err != nil {
		return 0, fmt.Errorf("keep descriptors from the command: %w", err)
	}
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	pid, err := start(o, program)
	if err != nil {
		return 0, err
	}
	first, all := reap(pid)
	select {
	case <-signals:
	case <-ownerGone():
	case <-all:
	case code := <-first:
		endAll(pid, all)
		return code, nil
	}
	endAll(pid, all)
	select {
	case code := <-first:
		return code, nil
	default:
		return 128 + int(syscall.SIGKILL), nil
	}
}

// ownerGone returns a channel that is closed when the process that started this one closes its end of our stdin, or
// ends.
func ownerGone() <-chan struct{} {
	gone := make(chan struct{})
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin) // any end means that the owner is gone
		close(gone)
	}()
	return gone
}

// reap collects every child that ends. It sends the exit code of the first process and closes all when no child is
// left.
func reap(pid int) (first <-chan int, all <-chan struct{}) {
	code, none := make(chan int, 1), make(chan struct{})
	go func() {
		defer close(none)
		for {
			var status syscall.WaitStatus
			ended, err := syscall.Wait4(-1, &status, 0, nil)
			switch {
			case errors.Is(err, syscall.EINTR):
			case err != nil:
				return
			case ended == pid:
				code <- exitCode(status)
			}
		}
	}()
	return code, none
}

func exitCode(status syscall.WaitStatus) int {
	if status.Signaled() {
		return 128 + int(status.Signal())
	}
	return status.ExitStatus()
}

// endAll ends the remaining processes: first with SIGTERM, then with SIGKILL. A process blocked in the kernel is left
// behind.
func endAll(group int, all <-chan struct{}) {
	signalAll(group, syscall.SIGTERM)
	signalAll(group, syscall.SIGCONT) // a stopped process handles no other signal
	pause := termGrace
	for range killRounds {
		select {
		case <-all:
			return
		case <-time.After(pause):
		}
		signalAll(group, syscall.SIGKILL)
		pause = killPause
	}
}

// signalAll signals the command's group and every descendant of this process. It ignores those that have ended.
func signalAll(group int, s syscall.Signal) {
	_ = syscall.Kill(-group, s)
	for _, pid := range descendants(os.Getpid()) {
		_ = syscall.Kill(pid, s)
	}
}

// keepDescriptors marks every descriptor but the first three to be closed when the command starts. The program may have
// inherited others, such as a terminal, from the shell that started it.
func keepDescriptors() error {
	entries, err := os.ReadDir("/dev/fd")
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if fd, err := strconv.Atoi(entry.Name()); err == nil && fd > 2 {
			syscall.CloseOnExec(fd)
		}
	}
	return nil
}

// attributes returns the attributes of the command's first process: it leads a session without a controlling terminal.
func attributes(o order) *syscall.ProcAttr {
	return &syscall.ProcAttr{Dir: o.Dir, Env: os.Environ(), Files: nil, Sys: &syscall.SysProcAttr{Setsid: true}}
}

// launch starts the command with an empty stdin. It gets the descriptors in extra from number 3 on.
func launch(program string, args []string, attr *syscall.ProcAttr, extra ...*os.File) (int, error) {
	empty, err := os.Open(os.DevNull)
	if err != nil {
		return 0, err
	}
	defer empty.Close() //nolint:errcheck // the command has its own
	attr.Files = []uintptr{empty.Fd(), os.Stdout.Fd(), os.Stderr.Fd()}
	for _, file := range extra {
		attr.Files = append(attr.Files, file.Fd())
	}
	pid, err := syscall.ForkExec(program, args, attr)
	if err != nil {
		return 0, fmt.Errorf("start %s: %w", program, err)
	}
	return pid, nil
}

// family returns all descendants of pid. parents maps each process to its parent.
func family(pid int, parents map[int]int) []int {
	children := map[int][]int{}
	for child, parent := range parents {
		children[parent] = append(children[parent], child)
	}
	found := children[pid]
	for i := 0; i < len(found); i++ {
		found = append(found, children[found[i]]...)
	}
	return found
}
