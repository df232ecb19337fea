//go:build unix

package conn

import (
	"os"

	"golang.org/x/sys/unix"
)

// The bytes of a database that SQLite locks, https://sqlite.org/src/file/src/os.h: a connection to a library in WAL mode holds a shared lock on
// them as long as it is open.
const (
	lockFrom  = 0x40000000
	lockBytes = 512
)

// InUse reports whether another process has the library at path open.
func InUse(path string) bool {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return false
	}
	defer f.Close() //nolint:errcheck // nothing was written
	lock := unix.Flock_t{Type: unix.F_WRLCK, Start: lockFrom, Len: lockBytes}
	if err := unix.FcntlFlock(f.Fd(), unix.F_GETLK, &lock); err != nil {
		return false
	}
	return lock.Type != unix.F_UNLCK
}
