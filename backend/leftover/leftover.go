// Package leftover names temporary files and folders so that the next process can remove what a killed one leaves. A lock file beside each
// belongs to the process that uses it; the system releases the lock when that process ends, however it ends.
package leftover

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"

	"coppice/backend/core"
)

// lockSuffix is the suffix of the lock file beside a temporary file.
const lockSuffix = ".lock"

// attempts is how often a new name is tried if another process sweeps it before it is locked.
const attempts = 10

// Claim is a name that this process uses for a temporary file or folder.
type Claim struct {
	Path string // nothing has this name yet
	lock *flock.Flock
}

// New claims a name in a folder: the pattern with a random text for its last *. It first removes what ended processes left under such names.
func New(folder, pattern string) (*Claim, error) {
	Sweep(folder, pattern)
	for range attempts {
		file, err := os.CreateTemp(folder, pattern+lockSuffix)
		if err != nil {
			return nil, err
		}
		if err := file.Close(); err != nil {
			return nil, err
		}
		lock := flock.New(file.Name())
		if locked, err := lock.TryLock(); err != nil {
			return nil, err
		} else if locked && names(lock) {
			return &Claim{Path: strings.TrimSuffix(file.Name(), lockSuffix), lock: lock}, nil
		}
		_ = lock.Close() // a sweep was faster
	}
	return nil, core.E(core.Busy, "claim a temporary name in %s: other processes remove it", folder)
}

// NewFolder claims a name and creates a folder with it.
func NewFolder(parent, pattern string) (*Claim, error) {
	c, err := New(parent, pattern)
	if err != nil {
		return nil, err
	}
	if err := os.Mkdir(c.Path, 0o700); err != nil {
		return nil, errors.Join(err, c.Release())
	}
	return c, nil
}

// Release removes the file or folder, if it exists, and releases the name.
func (c *Claim) Release() error {
	return errors.Join(os.RemoveAll(c.Path), c.lock.Close(), remove(c.lock.Path()))
}

// Sweep removes what ended processes left under such names. What it cannot remove it leaves to the next one.
func Sweep(folder, pattern string) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return
	}
	star := strings.LastIndexByte(pattern, '*')
	before, after := pattern[:star], pattern[star+1:]+lockSuffix
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), before) || !strings.HasSuffix(e.Name(), after) {
			continue
		}
		path := filepath.Join(folder, e.Name())
		info, err := os.Lstat(path)
		if err != nil || !info.Mode().IsRegular() || !isOwn(info) {
			continue
		}
		lock := flock.New(path, flock.SetFlag(os.O_RDWR))
		if locked, err := lock.TryLock(); err == nil && locked && names(lock) {
			_ = (&Claim{Path: strings.TrimSuffix(path, lockSuffix), lock: lock}).Release()
			continue
		}
		_ = lock.Close()
	}
}

// names reports whether a lock's file still has its name.
func names(lock *flock.Flock) bool {
	held, err := lock.Stat()
	if err != nil {
		return false
	}
	named, err := os.Lstat(lock.Path())
	return err == nil && os.SameFile(held, named)
}

func remove(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
