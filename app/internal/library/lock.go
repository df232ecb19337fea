package library

import (
	"os"
	"time"

	"coppice/backend/core"
)

// lockRequest returns the path of the file whose time is that of the last request to lock a library.
func lockRequest(library string) string { return library + ".keys" }

// RequestLock makes the windows that have the library open lock it.
func RequestLock(library string, now time.Time) error {
	f, err := os.OpenFile(lockRequest(library), os.O_CREATE|os.O_RDWR, 0o600)
	if err == nil {
		err = f.Close()
	}
	if err == nil {
		err = os.Chtimes(lockRequest(library), now, now)
	}
	return core.Wrap(core.Unavailable, err, "ask windows to lock the library")
}

// LockRequestedAt returns the time of the last request to lock a library; the zero time if none was made.
func LockRequestedAt(library string) time.Time {
	info, err := os.Stat(lockRequest(library))
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}
