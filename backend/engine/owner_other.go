//go:build !linux

package engine

import (
	"os"
	"runtime"
	"syscall"
)

// started returns a fixed text if a process exists. It does not know when the process began, so a process with a reused
// number looks like the earlier one.
func started(pid int) string {
	p, err := os.FindProcess(pid)
	if err != nil {
		return ""
	}
	if runtime.GOOS != "windows" && p.Signal(syscall.Signal(0)) != nil {
		return ""
	}
	return "running"
}
