package mcp

import (
	"os/exec"
	"syscall"
)

// ownSession gives a child a session of its own, which has no terminal and is ended with all that it starts, and ends it when this process is killed.
func ownSession() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
}

func endGroup(command *exec.Cmd) error { return syscall.Kill(-command.Process.Pid, syscall.SIGTERM) }

func killGroup(command *exec.Cmd) error { return syscall.Kill(-command.Process.Pid, syscall.SIGKILL) }
