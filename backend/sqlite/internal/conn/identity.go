package conn

import (
	"os"

	"coppice/backend/core"
)

// identity is which files a library's connections have open.
type identity struct {
	path          string
	database, wal os.FileInfo // wal is nil if the library is read-only
}

// mustBeSame returns an error if the path no longer names the file that is open. Whatever was saved is in the open file;
// the file at the path now belongs to another program.
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
