package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/gofrs/flock"

	"coppice/backend/core"
)

// lockPatience is how long to wait for another process that migrates the same file, or closes it.
const lockPatience = time.Minute

// lockPeriod is how often to try again meanwhile.
const lockPeriod = 20 * time.Millisecond

// presence is the lock that a process holds on the library's lock file. Each process with the library open holds it
// shared. A process that migrates or replaces the library, or removes its write-ahead log at the end, holds it alone.
type presence struct {
	lock *flock.Flock
}

func newPresence(library string) *presence {
	return &presence{lock: flock.New(library+".lock", flock.SetPermissions(0o600))}
}

// presentReadOnly takes the shared lock if there is a lock file. It creates none.
func presentReadOnly(library string) *presence {
	p := &presence{lock: flock.New(library+".lock", flock.SetFlag(os.O_RDONLY))}
	if _, err := p.lock.TryRLock(); err != nil {
		return nil // the locks of SQLite alone do as well
	}
	return p
}

// share takes the shared lock. It waits while another process holds the lock alone.
func (p *presence) share(ctx context.Context) error {
	if _, err := p.lock.TryRLockContext(ctx, lockPeriod); err != nil {
		return lockFailure(err)
	}
	return nil
}

// takeAlone reports whether no other process has the library open, and holds the lock alone if so. Otherwise no lock
// is held: a lock cannot be converted without a moment in which it is not held.
func (p *presence) takeAlone() (bool, error) {
	if err := p.release(); err != nil {
		return false, err
	}
	alone, err := p.lock.TryLock()
	if err != nil {
		return false, lockFailure(err)
	}
	return alone, nil
}

// holds reports whether the lock is held on the file that has the lock's name: somebody may have removed it.
func (p *presence) holds() bool {
	held, err := p.lock.Stat()
	if err != nil || !p.lock.RLocked() {
		return false
	}
	named, err := os.Stat(p.lock.Path())
	return err == nil && os.SameFile(held, named)
}

func (p *presence) release() error {
	if p == nil {
		return nil
	}
	return p.lock.Unlock()
}

func lockFailure(err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return core.E(core.Busy, "another Coppice is migrating or replacing the library, or has it open in an older version").
			WithHint("close it, or wait for it, and try again")
	}
	return fmt.Errorf("lock the library: %w", err)
}
