//go:build !unix

package mcp

import (
	"os/exec"
	"syscall"
)

// ownSession returns nil: this system has no process groups.
func ownSession() *syscall.SysProcAttr { return nil }

func endGroup(command *exec.Cmd) error  { return command.Process.Kill() }
func killGroup(command *exec.Cmd) error { return command.Process.Kill() }
