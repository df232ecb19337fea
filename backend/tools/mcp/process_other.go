//go:build !unix

package mcp

import (
	"os/exec"
	"syscall"
)

// ownSession asks for nothing: there are no groups of processes here.
func ownSession() *syscall.SysProcAttr { return nil }

func endGroup(command *exec.Cmd) error  { return command.Process.Kill() }
func killGroup(command *exec.Cmd) error { return command.Process.Kill() }
