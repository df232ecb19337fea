package mcp

import (
	"fmt"
	"os"
	"strings"
)

// isZombie says that a process has ended and nobody has asked how: the children of a child, in a container.
func isZombie(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err != nil || strings.Contains(string(stat), ") Z ")
}
