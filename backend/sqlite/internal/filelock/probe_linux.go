package filelock

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// Probe looks from the outside at the locks of an open database in WAL mode.
type Probe struct {
	database, sharedMemory *os.File
}

// NewProbe opens a probe for a database that has connections. It returns nil if open-file-description locks are not
// in use: closing a probe would then drop the process's locks.
func NewProbe(path string) (*Probe, error) {
	if !Active() {
		return nil, nil // nothing to look at is no error
	}
	database, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	sharedMemory, err := os.Open(path + "-shm")
	if err != nil {
		return nil, errors.Join(err, database.Close())
	}
	return &Probe{database: database, sharedMemory: sharedMemory}, nil
}

// Held reports whether some connection has the locks that each connection holds as long as it is open: on the
// database's shared range and on the shared memory's last lock byte. See https://sqlite.org/walformat.html and
// https://sqlite.org/src/file/src/os.h.
func (p *Probe) Held() (bool, error) {
	if p == nil {
		return true, nil
	}
	if held, err := isLocked(p.database, 0x40000002, 510); !held {
		return false, err
	}
	return isLocked(p.sharedMemory, 128, 1)
}

func isLocked(f *os.File, start, length int64) (bool, error) {
	lock := unix.Flock_t{Type: unix.F_WRLCK, Start: start, Len: length}
	if err := unix.FcntlFlock(f.Fd(), unix.F_OFD_GETLK, &lock); err != nil {
		return false, os.NewSyscallError("fcntl", err)
	}
	return lock.Type != unix.F_UNLCK, nil
}

// Close closes the probe.
func (p *Probe) Close() error {
	if p == nil {
		return nil
	}
	return errors.Join(p.database.Close(), p.sharedMemory.Close())
}
