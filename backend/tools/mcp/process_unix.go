//go:build unix && !linux

package mcp

import (
	"os/exec"
	"syscall"
)

// ownSession gives a child its own session, which has no terminal and is ended with all processes it starts.
func ownSession() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

func endGroup(command *exec.Cmd) error { return syscall.Kill(-command.Process.Pid, syscall.SIGTERM) }

func killGroup(command *exec.Cmd) error { return syscall.Kill(-command.Process.Pid, syscall.SIGKILL) }
