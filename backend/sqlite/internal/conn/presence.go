package conn

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/gofrs/flock"

	"coppice/backend/core"
)

// LockPatience is the longest wait for another process that migrates the same file, or closes it.
const LockPatience = time.Minute

// LockPeriod is the time between two attempts to get the lock.
const LockPeriod = 20 * time.Millisecond

// Presence is the lock that a process holds on the library's lock file. Each process with the library open holds it
// shared. A process that migrates or replaces the library, or removes its write-ahead log at the end, holds it alone.
type Presence struct {
	lock *flock.Flock
}

// NewPresence returns the lock of a library, not held.
func NewPresence(library string) *Presence {
	return &Presence{lock: flock.New(library+".lock", flock.SetPermissions(0o600))}
}

// presentReadOnly takes the shared lock if there is a lock file. It creates none.
func presentReadOnly(library string) *Presence {
	p := &Presence{lock: flock.New(library+".lock", flock.SetFlag(os.O_RDONLY))}
	if _, err := p.lock.TryRLock(); err != nil {
		return nil // the locks of SQLite alone do as well
	}
	return p
}

// Share takes the shared lock. It waits while another process holds the lock alone.
func (p *Presence) Share(ctx context.Context) error {
	if _, err := p.lock.TryRLockContext(ctx, LockPeriod); err != nil {
		return LockFailure(err)
	}
	return nil
}

// TakeAlone reports whether no other process has the library open, and holds the lock alone if so. Otherwise no lock
// is held: a lock cannot be converted without a moment in which it is not held.
func (p *Presence) TakeAlone() (bool, error) {
	if err := p.Release(); err != nil {
		return false, err
	}
	alone, err := p.lock.TryLock()
	if err != nil {
		return false, LockFailure(err)
	}
	return alone, nil
}

// holds reports whether the lock is held on the file that has the lock's name: somebody may have removed it.
func (p *Presence) holds() bool {
	held, err := p.lock.Stat()
	if err != nil || !p.lock.RLocked() {
		return false
	}
	named, err := os.Stat(p.lock.Path())
	return err == nil && os.SameFile(held, named)
}

// Release gives the lock back.
func (p *Presence) Release() error {
	if p == nil {
		return nil
	}
	return p.lock.Unlock()
}

// LockFailure returns the error of a lock that was not got.
func LockFailure(err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return core.E(core.Busy, "another Coppice is migrating or replacing the library, or has it open in an older version").
			WithHint("close it, or wait for it, and try again")
	}
	return fmt.Errorf("lock the library: %w", err)
}

// WaitAlone takes the lock alone. It waits while other processes hold it.
func (p *Presence) WaitAlone(ctx context.Context) error {
	if _, err := p.lock.TryLockContext(ctx, LockPeriod); err != nil {
		return LockFailure(err)
	}
	return nil
}

// leftOpen reports whether the last process that had the library at path open did not close it: its write-ahead log exists, and
// no process has the library open.
func leftOpen(path string) (bool, error) {
	if info, err := os.Stat(path + "-wal"); err != nil || info.Size() == 0 {
		return false, nil
	}
	p := NewPresence(path)
	alone, err := p.TakeAlone()
	return alone, errors.Join(err, p.Release())
}
