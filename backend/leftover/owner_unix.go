//go:build unix

package leftover

import (
	"io/fs"
	"os"
	"syscall"
)

// isOwn reports whether a file belongs to this user: others may put files into the system's temporary folder.
func isOwn(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}
