package cryptvfs

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// Name is the name of the VFS: open a database with the parameter vfs=cryptvfs.
const Name = "cryptvfs"

// database is a database whose key is known.
type database struct {
	*header
	*sealer
}

// registry holds what the functions that SQLite calls have to find: they get no other context than numbers.
type registry struct {
	mu        sync.RWMutex
	original  uintptr              // the VFS below
	methods   uintptr              // of our files
	databases map[string]*database // by absolute path
	files     map[uintptr]*file    // by the address of SQLite's struct
}

// The VFS is registered with SQLite once per process, like a driver.
var vfs = registry{databases: map[string]*database{}, files: map[uintptr]*file{}}

// Register makes the VFS known to SQLite. It may be called several times.
func Register() error {
	vfs.mu.Lock()
	defer vfs.mu.Unlock()
	if vfs.original != 0 {
		return nil
	}
	tls := libc.NewTLS()
	defer tls.Close()
	original := sqlite3.Xsqlite3_vfs_find(tls, 0)
	if original == 0 {
		return errors.New("SQLite has no VFS")
	}
	name, err := libc.CString(Name)
	if err != nil {
		return err
	}
	if vfs.methods, err = ourMethods(tls); err != nil {
		return err
	}
	ours := libc.Xcalloc(tls, 1, libc.Tsize_t(sizeOf[sqlite3.Tsqlite3_vfs]()))
	if ours == 0 {
		return errors.New("no memory")
	}
	v := at[sqlite3.Tsqlite3_vfs](ours)
	*v = *at[sqlite3.Tsqlite3_vfs](original)
	v.FpNext, v.FzName = 0, name
	v.FszOsFile += fileSize
	v.FxOpen = pointer(open)
	if rc := sqlite3.Xsqlite3_vfs_register(tls, ours, 0); rc != sqlite3.SQLITE_OK {
		return errors.New("SQLite refuses the VFS")
	}
	vfs.original = original
	return nil
}

// Create makes a file for a new database at a path that no file has. Unlock it and open it to give it contents.
func Create(path string, key Key, o Options) (err error) {
	h, err := newHeader(key, o)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if _, err := file.Write(h.bytes()); err != nil {
		return err
	}
	return file.Sync()
}

// IsEncrypted reports whether the file at a path is a database of this package. A missing file is not.
func IsEncrypted(path string) (bool, error) {
	_, err := readHeader(path)
	if errors.Is(err, ErrFormat) || errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// Slots returns what is stored in the header for the user of the package.
func Slots(path string) ([]byte, error) {
	h, err := readHeader(path)
	if err != nil {
		return nil, err
	}
	return h.slots, nil
}

// Unlock checks the key of the database at a path; connections that are opened from then on use it. The error is ErrKey for another key.
func Unlock(path string, key Key) error {
	path, err := canonical(path)
	if err != nil {
		return err
	}
	h, err := readHeader(path)
	if err != nil {
		return err
	}
	if !h.fits(key) {
		return ErrKey
	}
	s, err := newSealer(key, h.salt)
	if err != nil {
		return err
	}
	vfs.mu.Lock()
	defer vfs.mu.Unlock()
	vfs.databases[path] = &database{h, s}
	return nil
}

// Lock forgets the key of the database at a path. Connections that are open keep it until they are closed.
func Lock(path string) error {
	path, err := canonical(path)
	if err != nil {
		return err
	}
	vfs.mu.Lock()
	defer vfs.mu.Unlock()
	delete(vfs.databases, path)
	return nil
}

// canonical returns a path as SQLite passes it to the VFS: absolute and without symbolic links.
func canonical(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(path)
}

// find returns the database that a file belongs to, nil if it is not unlocked, and the kind of the file.
func (r *registry) find(path string, flags int32) (*database, kind) {
	kind := kindDatabase
	switch {
	case flags&sqlite3.SQLITE_OPEN_WAL != 0:
		path, kind = strings.TrimSuffix(path, "-wal"), kindLog
	case flags&sqlite3.SQLITE_OPEN_MAIN_JOURNAL != 0:
		path, kind = strings.TrimSuffix(path, "-journal"), kindJournal
	case flags&sqlite3.SQLITE_OPEN_MAIN_DB == 0:
		return nil, kind // a super-journal, which names databases that are changed together
	}
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.databases[path], kind
}

func (r *registry) file(id uintptr) *file {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.files[id]
}

func (r *registry) add(id uintptr, f *file) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.files[id] = f
}

func (r *registry) drop(id uintptr) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.files, id)
}
