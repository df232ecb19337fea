package cryptvfs

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"

	"coppice/backend/durable"
)

// Name is the name of the VFS: open a database with the parameter vfs=cryptvfs.
const Name = "cryptvfs"

// database is a database whose key is known.
type database struct {
	*header
	*sealer
	key  Key
	tree *tree
}

// registry holds what the functions that SQLite calls have to find: they get no other context than numbers.
type registry struct {
	mu        sync.RWMutex
	original  uintptr              // the VFS below
	methods   uintptr              // of our files
	databases map[string]*database // by absolute path
	keys      map[Key]struct{}     // of databases that were unlocked
	files     map[uintptr]*file    // by the address of SQLite's struct
}

// The VFS is registered with SQLite once per process, like a driver.
var vfs = registry{databases: map[string]*database{}, keys: map[Key]struct{}{}, files: map[uintptr]*file{}}

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
func Create(path string, key Key, o Options) error {
	h, err := newHeader(key, o)
	if err != nil {
		return err
	}
	return durable.Create(path, func(f *os.File) error {
		_, err := f.Write(h.bytes())
		return err
	})
}

// CreateLike makes a file for a new database as Create does, with the key, the page size and the slots of one that is unlocked, and unlocks
// it. The pages of each of the two are not valid in the other.
func CreateLike(path, model string) error {
	db, err := unlocked(model)
	if err != nil {
		return err
	}
	h, err := readHeader(model) // the slots may have been changed since
	if err != nil || !h.fits(db.key) {
		h = db.header // another file has the path now
	}
	if err := Create(path, db.key, Options{PageSize: h.pageSize, Incremental: h.incremental, Slots: h.slots}); err != nil {
		return err
	}
	return Unlock(path, db.key)
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

// SetSlots replaces what is stored in the header for the user of the package. After a crash the header has the former or the new slots. Two
// processes must not do it at the same time.
func SetSlots(path string, slots []byte) (err error) {
	if len(slots) > MaxSlots {
		return fmt.Errorf("%d bytes do not fit into the header", len(slots))
	}
	h, err := readHeader(path)
	if err != nil {
		return err
	}
	h.slots = slots
	h.generation++
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if _, err := file.WriteAt(h.area(), h.areaAt()); err != nil {
		return err
	}
	if err := file.Sync(); err != nil {
		return err
	}
	// What was replaced may wrap the key with a passphrase that must no longer work.
	h.generation--
	if _, err := file.WriteAt(make([]byte, areaSize), h.areaAt()); err != nil {
		return err
	}
	return file.Sync()
}

// Unlock checks the key of the database at a path; connections that are opened from then on use it. The error is ErrKey for another key.
func Unlock(path string, key Key) error {
	h, err := readHeader(path)
	if err != nil {
		return err
	}
	return h.unlock(path, key)
}

// UnlockKnown unlocks the database at a path if its key is that of a database that was unlocked, and ErrKey otherwise.
func UnlockKnown(path string) error {
	h, err := readHeader(path)
	if err != nil {
		return err
	}
	for _, key := range vfs.known() {
		if h.fits(key) {
			return h.unlock(path, key)
		}
	}
	return ErrKey
}

func (h *header) unlock(path string, key Key) error {
	path, err := canonical(path)
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
	vfs.databases[path] = &database{h, s, key, newTree(s, h.pageSize)}
	vfs.keys[key] = struct{}{}
	return nil
}

// IsUnlocked reports whether the database at a path was unlocked. It does not read the file.
func IsUnlocked(path string) bool {
	_, err := unlocked(path)
	return err == nil
}

// SameKey reports whether the database at a path has the key of another one, which is unlocked.
func SameKey(path, other string) (bool, error) {
	db, err := unlocked(other)
	if err != nil {
		return false, err
	}
	h, err := readHeader(path)
	if err != nil {
		return false, err
	}
	return h.fits(db.key), nil
}

// KeyOf returns the key of a database that is unlocked, to be wrapped by another secret.
func KeyOf(path string) (Key, error) {
	db, err := unlocked(path)
	if err != nil {
		return Key{}, err
	}
	return db.key, nil
}

func unlocked(path string) (*database, error) {
	path, err := canonical(path)
	if err != nil {
		return nil, err
	}
	vfs.mu.RLock()
	defer vfs.mu.RUnlock()
	if db := vfs.databases[path]; db != nil {
		return db, nil
	}
	return nil, ErrKey
}

// Forget ends that the file at a path is one of an unlocked database: it was removed, moved or replaced. The key stays known.
func Forget(path string) {
	folder, err := canonical(filepath.Dir(path)) // the file itself may have been removed
	if err != nil {
		return
	}
	path = filepath.Join(folder, filepath.Base(path))
	vfs.mu.Lock()
	defer vfs.mu.Unlock()
	delete(vfs.databases, path)
}

// Lock forgets the key of the database at a path, and with it all databases of the same key. Connections that are open keep it until they
// are closed.
func Lock(path string) {
	db, err := unlocked(path)
	if err != nil {
		return
	}
	vfs.mu.Lock()
	defer vfs.mu.Unlock()
	delete(vfs.keys, db.key)
	for name, other := range vfs.databases {
		if other.key == db.key {
			delete(vfs.databases, name)
		}
	}
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

// known returns the keys of all databases that were unlocked.
func (r *registry) known() []Key {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return slices.Collect(maps.Keys(r.keys))
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
