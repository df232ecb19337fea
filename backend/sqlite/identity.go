package sqlite

import (
	"os"
	"path/filepath"
	"slices"

	"coppice/backend/core"
)

// identity is which files a library's connections have open.
type identity struct {
	path          string
	database, wal os.FileInfo // wal is nil if the library is read-only
}

// mustBeSame returns an error if the library's path no longer names the file that is open. Whatever was saved is in
// the open file; what is there now belongs to somebody else.
func (i identity) mustBeSame() error {
	if i.names(i.path, i.database) {
		return nil
	}
	return core.E(core.Conflict, "the library %s was moved, replaced or deleted while it was open", i.path).
		WithHint("nothing was written to the new file; save a backup now to keep what is open, then restart Coppice")
}

// hasLog reports whether the write-ahead log that is open is the one that the next process will read.
func (i identity) hasLog() bool { return i.wal == nil || i.names(i.path+"-wal", i.wal) }

func (identity) names(path string, file os.FileInfo) bool {
	named, err := os.Stat(path)
	return err == nil && os.SameFile(file, named)
}

// moved returns an error if the library's path no longer names the file that is open.
func (db *DB) moved() error {
	db.reads.gate.RLock()
	defer db.reads.gate.RUnlock()
	return db.files.mustBeSame()
}

// ownSuffixes are the ends of the names of a library's files.
func ownSuffixes() []string { return []string{"", "-wal", "-shm", "-journal", ".lock", ".window"} }

// Owns reports whether a path names one of the library's own files, which only SQLite may open. A file need not exist.
func (db *DB) Owns(path string) bool { return Owns(db.path, path) }

// Owns reports whether a path names one of the files of a library, by any of its names. It opens nothing.
func Owns(library, path string) bool {
	return slices.ContainsFunc(ownSuffixes(), func(suffix string) bool {
		own := library + suffix
		if isSameFile(own, path) {
			return true
		}
		return filepath.Base(own) == filepath.Base(path) && isSameFile(filepath.Dir(own), filepath.Dir(path))
	})
}

func isSameFile(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	two, err := os.Stat(b)
	return err == nil && os.SameFile(one, two)
}
