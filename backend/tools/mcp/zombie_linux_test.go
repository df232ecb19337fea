package mcp

import (
	"fmt"
	"os"
	"strings"
)

// isZombie reports whether a process has ended and its status was not collected: the children of a child, in a
// container.
func isZombie(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err != nil || strings.Contains(string(stat), ") Z ")
}
