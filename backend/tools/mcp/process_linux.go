package mcp

import (
	"os/exec"
	"syscall"
)

// ownSession gives a child its own session, which has no terminal and is ended with all processes it starts, and ends
// the child when this process is killed.
func ownSession() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
}

func endGroup(command *exec.Cmd) error { return syscall.Kill(-command.Process.Pid, syscall.SIGTERM) }

func killGroup(command *exec.Cmd) error { return syscall.Kill(-command.Process.Pid, syscall.SIGKILL) }
