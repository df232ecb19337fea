package term

import (
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// inOwnGroup starts a command in a process group of its own, which Ctrl+C does not reach. cmd.Cancel ends it: Windows interrupts no single
// group of processes that share a console.
func inOwnGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP}
	cmd.Cancel = func() error { return cmd.Process.Kill() }
}

// endGroup does nothing on this system.
func endGroup(*exec.Cmd) {}
