package sandbox_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"coppice/backend/tools/sandbox"
)

// The verbs of the test program for the tests of terminals.
const (
	intruderVerb = "__intruder" // OTHER-TERMINAL SHARED-FILE: runs in the sandbox and tries to reach terminals
	atTermVerb   = "__at-terminal"
)

// atTerminal is a coppice that was started at a terminal: it runs the intruder in a sandbox. args: KIND DIR OTHER-TERMINAL SHARED-FILE.
func atTerminal(args []string) {
	level := sandbox.Level{Kind: sandbox.None}
	switch sandbox.Kind(args[0]) {
	case sandbox.Landlock:
		level = sandbox.Detect(true)
	case sandbox.Bubblewrap:
		level.Kind = sandbox.Bubblewrap
	default:
	}
	self, err := os.Executable()
	if err != nil {
		fmt.Println(err)
		return
	}
	o := options(args[1], level)
	o.Readable = []string{filepath.Dir(self)}
	cmd, err := sandbox.Command(context.Background(), o, self, intruderVerb, args[2], args[3])
	if err != nil {
		fmt.Println(err)
		return
	}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err = cmd.Run()
	fmt.Printf("%sended: %v\n", out.String(), err)
}

// intrude prints a line for everything that it reached.
func intrude(other, shared string) {
	signal.Ignore(syscall.SIGTTOU) // a background process is stopped by it
	reached := func(what string, err error) {
		if err == nil {
			fmt.Println("reached:", what)
		}
	}
	inject := func(fd uintptr) error {
		key := byte('x')
		_, _, errno := unix.Syscall(unix.SYS_IOCTL, fd, unix.TIOCSTI, uintptr(unsafe.Pointer(&key)))
		if errno != 0 {
			return errno
		}
		return nil
	}
	for fd := range uintptr(64) {
		if _, err := unix.IoctlGetTermios(int(fd), unix.TCGETS); err == nil {
			fmt.Println("reached: inherited terminal", fd)
			reached("injection into an inherited terminal", inject(fd))
		}
	}
	for _, at := range []string{"/dev/tty", other} {
		for name, flags := range map[string]int{"read": unix.O_RDONLY, "write": unix.O_WRONLY, "both": unix.O_RDWR} {
			fd, err := unix.Open(at, flags|unix.O_NONBLOCK, 0)
			if err != nil {
				continue
			}
			fmt.Println("reached:", name, at)
			reached("injection into "+at, inject(uintptr(fd)))
			reached("foreground of "+at, unix.IoctlSetPointerInt(fd, unix.TIOCSPGRP, unix.Getpgrp()))
			_, err = unix.Write(fd, []byte("forged"))
			reached("forged line on "+at, err)
		}
	}
	_, err := os.ReadFile(shared)
	reached("shared memory of another program", err)
	session, err := unix.Getsid(0)
	if err != nil || session != unix.Getpid() && session != 1 { // 1 is the first process of bubblewrap's namespace
		fmt.Println("reached: the session of another process", session, err)
	}
	fmt.Println("tried everything")
}

// terminal opens a pair of a pseudo-terminal.
func terminal(t *testing.T) (master, slave *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = master.Close() })
	number, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	slave, err = os.OpenFile("/dev/pts/"+strconv.Itoa(number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = slave.Close() })
	return master, slave
}

// A command reaches no terminal: neither the one that the program was started at, nor one it inherited, nor another of the user.
func TestCommandsReachNoTerminal(t *testing.T) {
	t.Parallel()
	shared := filepath.Join("/dev/shm", fmt.Sprintf("coppice-test-%d", os.Getpid()))
	if err := os.WriteFile(shared, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Remove(shared) })
	kinds := []sandbox.Kind{sandbox.None}
	for _, level := range levels(t) {
		if !slices.Contains(kinds, level.Kind) {
			kinds = append(kinds, level.Kind)
		}
	}
	for _, kind := range kinds {
		_, own := terminal(t)
		_, other := terminal(t)
		seen := other.Name()
		if kind == sandbox.None {
			seen, shared = "/dev/tty", "/dev/missing" // without a sandbox files of the user are open
		}
		owner := exec.Command("/proc/self/exe", atTermVerb, string(kind), t.TempDir(), seen, shared)
		owner.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
		owner.Stdin = own
		owner.ExtraFiles = []*os.File{own, other} // as a shell leaves some open
		out, err := owner.CombinedOutput()
		if err != nil || !strings.Contains(string(out), "tried everything\nended: <nil>") {
			t.Fatalf("%s: %v: %s", kind, err, out)
		}
		if strings.Contains(string(out), "reached:") {
			t.Errorf("%s:\n%s", kind, out)
		}
		shared = filepath.Join("/dev/shm", fmt.Sprintf("coppice-test-%d", os.Getpid()))
	}
}
