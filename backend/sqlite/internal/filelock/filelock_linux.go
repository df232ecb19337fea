package filelock

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"unsafe"

	"modernc.org/libc"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// SQLite has one table of system calls per process, so what replaces one of them is process-wide too.
var (
	install = sync.OnceValue(replaceFcntl)

	// confirmed reports that the kernel accepted an open-file-description lock of the driver. Before that, and
	// where the kernel refuses them, the driver takes POSIX locks, and a file must not have locks of both kinds.
	confirmed atomic.Bool
)

// Use makes SQLite lock with open-file-description locks in this process. Call it before the first database is
// opened; later calls return what the first one returned. After an error SQLite takes POSIX locks, as it does by
// default.
func Use() error { return install() }

// Active reports whether open-file-description locks are in use.
func Active() bool { return confirmed.Load() }

// replaceFcntl enables the driver's own support, which covers the database file, and replaces fcntl for the shared
// memory file, which it leaves to POSIX locks.
func replaceFcntl() error {
	if _, err := sqlite.OFDLocking(true); err != nil {
		return fmt.Errorf("use open-file-description locks: %w", err)
	}
	tls := libc.NewTLS()
	defer tls.Close()
	vfs := sqlite3.Xsqlite3_vfs_find(tls, 0)
	name, err := libc.CString("fcntl")
	if err != nil {
		return err
	}
	defer libc.Xfree(tls, name)
	if vfs == 0 {
		return errors.New("use open-file-description locks: SQLite has no file system")
	}
	// A function of this package is never collected, so its address may be kept outside of Go's memory.
	replacement := fcntl
	set := deref[sqlite3.Tsqlite3_vfs](vfs).FxSetSystemCall
	code := callable[func(tls *libc.TLS, vfs, name, replacement uintptr) int32](set)(tls, vfs, name, address(replacement))
	if code != sqlite3.SQLITE_OK {
		return fmt.Errorf("use open-file-description locks: SQLite refused to replace fcntl (%d)", code)
	}
	return nil
}

// fcntl is SQLite's fcntl. SQLite locks shared memory by one descriptor per process, so each lock on it can become
// one of that descriptor's description.
func fcntl(tls *libc.TLS, fd, cmd int32, args uintptr) int32 {
	command, isLock := ofdCommand(cmd)
	if !isLock || !confirmed.Load() {
		result := libc.Xfcntl(tls, fd, cmd, args)
		if cmd == sqlite3.F_OFD_SETLK && result == 0 {
			confirmed.Store(true)
		}
		return result
	}
	next := args
	lock := deref[sqlite3.Tflock](libc.VaUintptr(&next))
	lock.Fl_pid = 0 // the kernel refuses any other value
	result := libc.Xfcntl(tls, fd, command, args)
	if result == -1 && *deref[int32](libc.X__errno_location(tls)) == libc.EINVAL {
		return libc.Xfcntl(tls, fd, cmd, args)
	}
	return result
}

// ofdCommand returns the command that does on the description what cmd does on the process.
func ofdCommand(cmd int32) (command int32, isLock bool) {
	switch cmd {
	case sqlite3.F_GETLK:
		return sqlite3.F_OFD_GETLK, true
	case sqlite3.F_SETLK:
		return sqlite3.F_OFD_SETLK, true
	case sqlite3.F_SETLKW:
		return sqlite3.F_OFD_SETLKW, true
	default:
		return cmd, false
	}
}

// deref returns what lies at an address in C memory, which the garbage collector neither moves nor frees.
func deref[T any](at uintptr) *T { return *(**T)(unsafe.Pointer(&at)) }

// callable returns the function at an address.
func callable[F any](at uintptr) F {
	target := struct{ uintptr }{at}
	return *(*F)(unsafe.Pointer(&target))
}

// address returns the address by which the translated C code calls a function; see callable.
func address(f func(*libc.TLS, int32, int32, uintptr) int32) uintptr {
	return *(*uintptr)(unsafe.Pointer(&f))
}
