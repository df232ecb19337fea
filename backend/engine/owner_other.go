//go:build !linux

package engine

import (
	"os"
	"runtime"
	"syscall"
)

// started says whether a process is there; when it began is not told here, so that a number that was given away again
// looks like its former owner.
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
