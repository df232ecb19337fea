package location

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// mountedAs returns the type of the mount that holds a path, such as fuse.sshfs.
func mountedAs(path string) string {
	data, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return ""
	}
	return typeIn(string(data), path)
}

// typeIn finds the mount with the longest path that holds a path; see proc_pid_mountinfo(5). A later mount covers an earlier one.
func typeIn(mountinfo, path string) string {
	best, found := -1, ""
	for line := range strings.Lines(mountinfo) {
		mount, source, ok := strings.Cut(line, " - ")
		fields, kinds := strings.Fields(mount), strings.Fields(source)
		if !ok || len(fields) < 5 || len(kinds) == 0 {
			continue
		}
		if at := unescape(fields[4]); len(at) >= best && below(path, at) {
			best, found = len(at), kinds[0]
		}
	}
	return found
}

func below(path, folder string) bool {
	rest, err := filepath.Rel(folder, path)
	return err == nil && rest != ".." && !strings.HasPrefix(rest, "../")
}

// unescape decodes the octal numbers that replace spaces.
func unescape(path string) string {
	var b strings.Builder
	for i := 0; i < len(path); i++ {
		if path[i] == '\\' && i+3 < len(path) {
			if n, err := strconv.ParseUint(path[i+1:i+4], 8, 8); err == nil {
				b.WriteByte(byte(n))
				i += 3
				continue
			}
		}
		b.WriteByte(path[i])
	}
	return b.String()
}
