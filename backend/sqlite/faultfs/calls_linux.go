package faultfs

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
	"modernc.org/libc"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// What SQLite calls, in Go's types.
type (
	openCall     func(tls *libc.TLS, path uintptr, flags, mode int32) int32
	writeCall    func(tls *libc.TLS, fd int32, data uintptr, size sqlite3.Tsize_t) sqlite3.Tssize_t
	pwriteCall   func(tls *libc.TLS, fd int32, data uintptr, size sqlite3.Tsize_t, offset sqlite3.Toff_t) sqlite3.Tssize_t
	truncateCall func(tls *libc.TLS, fd int32, size sqlite3.Toff_t) int32
	unlinkCall   func(tls *libc.TLS, path uintptr) int32
	folderCall   func(tls *libc.TLS, path, fd uintptr) int32
	syncMethod   func(tls *libc.TLS, file uintptr, flags int32) int32
	openMethod   func(tls *libc.TLS, vfs, path, file uintptr, flags int32, outFlags uintptr) int32
)

// calls holds the functions that SQLite calls in place of the system's. They must stay reachable: SQLite knows their addresses only.
type calls struct {
	disk  *Disk
	tls   *libc.TLS
	vfs   uintptr
	saved map[string]uintptr // system calls as they were
	kept  []any              // functions and the names of system calls

	open    openMethod          // of the VFS, as it was
	openPtr uintptr             // the same
	methods map[uintptr]uintptr // the method that syncs, as it was, by the table of methods that it is in
}

// divert sends the system calls of SQLite's VFS for Unix through a disk. fsync is not among the calls that can be replaced, so the
// method of open files that calls it is replaced.
func divert(d *Disk) (*calls, error) {
	c := &calls{disk: d, tls: libc.NewTLS(), saved: map[string]uintptr{}, methods: map[uintptr]uintptr{}}
	c.vfs = sqlite3.Xsqlite3_vfs_find(c.tls, 0)
	if c.vfs == 0 {
		return nil, errors.New("find SQLite's VFS")
	}
	var open openCall
	var write writeCall
	var pwrite pwriteCall
	var truncate truncateCall
	var unlink unlinkCall
	var folder folderCall
	err := errors.Join(
		replace(c, "open", &open, openCall(func(tls *libc.TLS, path uintptr, flags, mode int32) int32 {
			return c.openFile(tls, open, path, flags, mode)
		})),
		replace(c, "write", &write, writeCall(func(tls *libc.TLS, fd int32, data uintptr, size sqlite3.Tsize_t) sqlite3.Tssize_t {
			at, _ := unix.Seek(int(fd), 0, io.SeekCurrent)
			return c.write(tls, fd, data, size, at, func(n sqlite3.Tsize_t) sqlite3.Tssize_t { return write(tls, fd, data, n) })
		})),
		replace(c, "pwrite", &pwrite, pwriteCall(func(tls *libc.TLS, fd int32, data uintptr, size sqlite3.Tsize_t, at sqlite3.Toff_t) sqlite3.Tssize_t {
			return c.write(tls, fd, data, size, at, func(n sqlite3.Tsize_t) sqlite3.Tssize_t { return pwrite(tls, fd, data, n, at) })
		})),
		replace(c, "ftruncate", &truncate, truncateCall(func(tls *libc.TLS, fd int32, size sqlite3.Toff_t) int32 {
			return c.truncate(tls, truncate, fd, size)
		})),
		replace(c, "unlink", &unlink, unlinkCall(func(tls *libc.TLS, path uintptr) int32 {
			return c.unlink(tls, unlink, path)
		})),
		replace(c, "openDirectory", &folder, folderCall(func(tls *libc.TLS, path, fd uintptr) int32 {
			c.disk.noteFolderSync() // SQLite opens a folder for nothing else
			return folder(tls, path, fd)
		})),
	)
	c.replaceSync()
	return c, errors.Join(err, openEach())
}

// openEach opens a file of each kind once: files that lock have other methods than files that do not.
func openEach() error {
	if _, err := sqlite.OFDLocking(true); err != nil && !errors.Is(err, sqlite.ErrOFDLockingTooLate) { // as the library does, before its first file
		return err
	}
	folder, err := os.MkdirTemp("", "faultfs")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder) //nolint:errcheck // a folder of temporary files
	db, err := sql.Open("sqlite", "file:"+filepath.Join(folder, "a.db")+"?_pragma=journal_mode(WAL)")
	if err != nil {
		return err
	}
	_, err = db.ExecContext(context.Background(), `CREATE TABLE a (b)`)
	return errors.Join(err, db.Close())
}

// replace sets a system call and stores the one before it in *before.
func replace[F any](c *calls, name string, before *F, by F) error {
	vfs := at[sqlite3.Tsqlite3_vfs](c.vfs)
	cName, err := libc.CString(name)
	if err != nil {
		return err
	}
	get := function[func(*libc.TLS, uintptr, uintptr) uintptr](vfs.FxGetSystemCall)
	set := function[func(*libc.TLS, uintptr, uintptr, uintptr) int32](vfs.FxSetSystemCall)
	c.saved[name] = get(c.tls, c.vfs, cName)
	if c.saved[name] == 0 {
		return fmt.Errorf("SQLite has no system call %q", name)
	}
	*before = function[F](c.saved[name])
	c.kept = append(c.kept, by)
	if rc := set(c.tls, c.vfs, cName, pointer(by)); rc != sqlite3.SQLITE_OK {
		return fmt.Errorf("replace SQLite's system call %q: %d", name, rc)
	}
	return nil
}

// replaceSync replaces the method that calls fsync in each table of methods that an opened file has.
func (c *calls) replaceSync() {
	vfs := at[sqlite3.Tsqlite3_vfs](c.vfs)
	c.openPtr = vfs.FxOpen
	c.open = function[openMethod](c.openPtr)
	opened := openMethod(func(tls *libc.TLS, vfs, path, file uintptr, flags int32, outFlags uintptr) int32 {
		rc := c.open(tls, vfs, path, file, flags, outFlags)
		if rc == sqlite3.SQLITE_OK {
			c.replaceMethods(at[sqlite3.Tsqlite3_file](file).FpMethods)
		}
		return rc
	})
	c.kept = append(c.kept, opened)
	vfs.FxOpen = pointer(opened)
}

func (c *calls) replaceMethods(table uintptr) {
	c.disk.mu.Lock()
	defer c.disk.mu.Unlock()
	if _, known := c.methods[table]; known || table == 0 {
		return
	}
	m := at[sqlite3.Tsqlite3_io_methods](table)
	c.methods[table] = m.FxSync
	before := function[syncMethod](m.FxSync)
	synced := syncMethod(func(tls *libc.TLS, file uintptr, flags int32) int32 { return c.syncFile(tls, before, file, flags) })
	c.kept = append(c.kept, synced)
	m.FxSync = pointer(synced)
}

// restore sets everything to what it was.
func (c *calls) restore() error {
	defer c.tls.Close()
	vfs := at[sqlite3.Tsqlite3_vfs](c.vfs)
	vfs.FxOpen = c.openPtr
	for table, before := range c.methods {
		at[sqlite3.Tsqlite3_io_methods](table).FxSync = before
	}
	set := function[func(*libc.TLS, uintptr, uintptr, uintptr) int32](vfs.FxSetSystemCall)
	for name, before := range c.saved {
		cName, err := libc.CString(name)
		if err != nil {
			return err
		}
		if rc := set(c.tls, c.vfs, cName, before); rc != sqlite3.SQLITE_OK {
			return fmt.Errorf("restore SQLite's system call %q: %d", name, rc)
		}
	}
	return nil
}

func (c *calls) openFile(tls *libc.TLS, open openCall, cPath uintptr, flags, mode int32) int32 {
	path := libc.GoString(cPath)
	if c.disk.holds(path) && flags&(unix.O_WRONLY|unix.O_RDWR) != 0 {
		op := Open
		if _, err := os.Lstat(path); err != nil {
			op = Create
		}
		if op == Open || flags&unix.O_CREAT != 0 {
			if v := c.disk.judge(op, path); v.errno != 0 {
				return fails[int32](tls, v.errno)
			}
		}
	}
	return open(tls, cPath, flags, mode)
}

func (c *calls) write(tls *libc.TLS, fd int32, data uintptr, size sqlite3.Tsize_t, offset int64, write func(sqlite3.Tsize_t) sqlite3.Tssize_t) sqlite3.Tssize_t {
	path, ours := c.disk.pathOf(fd)
	if !ours {
		return write(size)
	}
	v := c.disk.judge(Write, path)
	if v.errno != 0 {
		return fails[sqlite3.Tssize_t](tls, v.errno)
	}
	if v.short {
		size /= 2
	}
	c.disk.note(path, func(f *file) { f.wrote(offset, libc.GoBytes(data, int(size))) }) //nolint:gosec // at most 128 kB
	return write(size)
}

func (c *calls) truncate(tls *libc.TLS, truncate truncateCall, fd int32, size int64) int32 {
	if path, ours := c.disk.pathOf(fd); ours {
		if v := c.disk.judge(Truncate, path); v.errno != 0 {
			return fails[int32](tls, v.errno)
		}
		c.disk.note(path, func(f *file) { f.cut(size) })
	}
	return truncate(tls, fd, size)
}

func (c *calls) unlink(tls *libc.TLS, unlink unlinkCall, cPath uintptr) int32 {
	if path := libc.GoString(cPath); c.disk.holds(path) {
		if v := c.disk.judge(Remove, path); v.errno != 0 {
			return fails[int32](tls, v.errno)
		}
		c.disk.note(path, func(f *file) { f.remove() })
	}
	return unlink(tls, cPath)
}

func (c *calls) syncFile(tls *libc.TLS, sync syncMethod, id uintptr, flags int32) int32 {
	path, ours := c.disk.pathOf(at[sqlite3.TunixFile](id).Fh)
	if !ours {
		return sync(tls, id, flags)
	}
	if v := c.disk.judge(Sync, path); v.errno != 0 {
		return sqlite3.SQLITE_IOERR_FSYNC
	}
	c.disk.note(path, func(f *file) { f.synced() }) // the files of a test need not reach the disk
	file := at[sqlite3.TunixFile](id)
	if file.FctrlFlags&sqlite3.UNIXFILE_DIRSYNC != 0 { // the first one of a new journal syncs the folder too
		c.disk.noteFolderSync()
		file.FctrlFlags &^= sqlite3.UNIXFILE_DIRSYNC
	}
	return sqlite3.SQLITE_OK
}

// fails sets errno and returns -1.
func fails[T int32 | sqlite3.Tssize_t](tls *libc.TLS, errno syscall.Errno) T {
	*at[int32](libc.X__errno_location(tls)) = int32(errno) //nolint:gosec // a small number
	return -1
}

// at returns what is at an address of SQLite's memory.
func at[T any](address uintptr) *T { return *(**T)(unsafe.Pointer(&address)) }

// function returns the Go function that SQLite knows by a pointer.
func function[F any](pointer uintptr) F { return *(*F)(unsafe.Pointer(&pointer)) }

// pointer returns what SQLite knows a Go function by.
func pointer[F any](f F) uintptr { return *(*uintptr)(unsafe.Pointer(&f)) }
