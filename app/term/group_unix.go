//go:build unix

package term

import (
	"os/exec"
	"syscall"
)

// inOwnGroup starts a command in a process group of its own, which Ctrl+C does not reach: it would end the command before this program
// receives the signal, which would then end the chat. cmd.Cancel interrupts the whole group instead.
func inOwnGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGINT) }
}

// endGroup kills what is left of the group of a command that has ended, such as a child that ignored the interrupt.
func endGroup(cmd *exec.Cmd) {
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // it fails if nothing is left
}
