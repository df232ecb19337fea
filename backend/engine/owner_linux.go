package engine

import (
	"fmt"
	"os"
	"strings"
)

// started returns when a process began: the boot and the ticks since then, the 22nd field of its stat (proc(5)). Empty
// if the process does not exist, or has ended and was not collected.
func started(pid int) string {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return ""
	}
	// The second field is the program's name in parentheses and may contain any character.
	_, rest, _ := strings.Cut(string(stat[strings.LastIndexByte(string(stat), ')')+1:]), " ")
	fields := strings.Fields(rest)
	if len(fields) < 20 || fields[0] == "Z" || fields[0] == "X" {
		return ""
	}
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		boot = nil
	}
	return strings.TrimSpace(string(boot)) + " " + fields[19]
}
