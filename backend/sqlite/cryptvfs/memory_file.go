package cryptvfs

import (
	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// memoryFile is a temporary file of SQLite, which must not reach a disk.
type memoryFile struct{ data []byte }

func (f *memoryFile) read(_ *libc.TLS, to []byte, offset int64) int32 {
	n := 0
	if offset < int64(len(f.data)) {
		n = copy(to, f.data[offset:])
	}
	if n == len(to) {
		return sqlite3.SQLITE_OK
	}
	clear(to[n:])
	return sqlite3.SQLITE_IOERR_SHORT_READ
}

func (f *memoryFile) write(_ *libc.TLS, from []byte, offset int64) int32 {
	if end := offset + int64(len(from)); end > int64(len(f.data)) {
		f.data = append(f.data, make([]byte, end-int64(len(f.data)))...)
	}
	copy(f.data[offset:], from)
	return sqlite3.SQLITE_OK
}

func (f *memoryFile) truncate(_ *libc.TLS, size int64) int32 {
	if size < int64(len(f.data)) {
		clear(f.data[size:])
		f.data = f.data[:size]
	}
	return sqlite3.SQLITE_OK
}

func (f *memoryFile) size(*libc.TLS) (int64, int32) { return int64(len(f.data)), sqlite3.SQLITE_OK }
