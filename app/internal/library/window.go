package library

import (
	"os"
	"path/filepath"

	"github.com/gofrs/flock"

	"coppice/backend/core"
)

// ClaimWindow makes this process the only one with a window on the library, until release is called or the process
// ends. It returns a Busy error if another process has a window. The toolkit's own lock needs D-Bus and is taken too
// late.
func ClaimWindow(library string) (release func(), err error) {
	release = func() {}
	if err := os.MkdirAll(filepath.Dir(library), 0o700); err != nil {
		return release, core.Wrap(core.Unavailable, err, "make the library's folder")
	}
	lock := flock.New(library+".window", flock.SetPermissions(0o600))
	claimed, err := lock.TryLock()
	if err != nil {
		return release, core.Wrap(core.Unavailable, err, "claim the window")
	}
	if !claimed {
		return release, core.E(core.Busy, "another window has %s open", library)
	}
	return func() { _ = lock.Close() }, nil // the system releases the lock in any case
}
