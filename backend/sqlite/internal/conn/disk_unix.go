//go:build unix

package conn

import (
	"math"

	"golang.org/x/sys/unix"
)

// FreeBytes returns how much can be written to the file system of a folder; the most there is if that is not known.
func FreeBytes(folder string) int64 {
	var s unix.Statfs_t
	if err := unix.Statfs(folder, &s); err != nil {
		return math.MaxInt64
	}
	return int64(min(uint64(s.Bavail)*uint64(s.Bsize), math.MaxInt64)) //nolint:gosec,nolintlint // types differ between systems
}
