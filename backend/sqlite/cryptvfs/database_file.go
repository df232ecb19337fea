package cryptvfs

import (
	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// databaseFile holds the pages of a database.
type databaseFile struct {
	*file
	db *database
}

// fileHeaderSize is the size of the header of a plain database, which SQLite reads before it knows of the log.
const fileHeaderSize = 100

// read copies what was asked for from the pages that hold it. Before its first page, a database has the header that a new one has.
func (f *databaseFile) read(tls *libc.TLS, to []byte, offset int64) int32 {
	for len(to) > 0 {
		number, from := offset/f.db.pageSize, offset%f.db.pageSize
		page, code := f.page(tls, number)
		if code == sqlite3.SQLITE_IOERR_SHORT_READ {
			if code = f.beyond(tls, to, number); code != sqlite3.SQLITE_IOERR_DATA {
				return code
			}
		}
		if code == sqlite3.SQLITE_IOERR_DATA && offset == 0 && len(to) <= fileHeaderSize {
			copy(to, f.db.databaseHeader()) // SQLite opens the database: the page may be replaced by one of the log
			return sqlite3.SQLITE_OK
		}
		if code != sqlite3.SQLITE_OK {
			return code
		}
		n := copy(to, page[from:])
		to, offset = to[n:], offset+int64(n)
	}
	return sqlite3.SQLITE_OK
}

// page returns a page, counted from 0, in the scratch memory.
func (f *databaseFile) page(tls *libc.TLS, number int64) ([]byte, int32) {
	page := f.scratch[:f.db.pageSize]
	if code := f.readReal(tls, page, f.db.physical(number*f.db.pageSize)); code != sqlite3.SQLITE_OK {
		return nil, code
	}
	if f.db.open(page, pagePlace(number)) != nil {
		return nil, sqlite3.SQLITE_IOERR_DATA
	}
	return page, sqlite3.SQLITE_OK
}

// beyond fills what is read of a page that the file does not have to its end. One that was cut off is an error.
func (f *databaseFile) beyond(tls *libc.TLS, to []byte, number int64) int32 {
	size, code := f.size(tls)
	switch {
	case code != sqlite3.SQLITE_OK:
		return code
	case number*f.db.pageSize < size:
		return sqlite3.SQLITE_IOERR_DATA
	}
	clear(to)
	if size > 0 || number > 0 {
		return sqlite3.SQLITE_IOERR_SHORT_READ
	}
	copy(to, f.db.databaseHeader())
	return sqlite3.SQLITE_OK
}

// pagePlace returns the place of a page of a database, counted from 0.
func pagePlace(number int64) *place {
	return &place{kind: kindDatabase, page: uint64(number) + 1} //nolint:gosec // not negative
}

// write writes a page. SQLite may leave out pages that nothing uses; they are written as zeros, so that each page can be read.
func (f *databaseFile) write(tls *libc.TLS, from []byte, offset int64) int32 {
	if int64(len(from)) != f.db.pageSize || offset%f.db.pageSize != 0 {
		return sqlite3.SQLITE_IOERR_WRITE
	}
	size, code := f.size(tls)
	if code != sqlite3.SQLITE_OK {
		return code
	}
	if offset > size {
		zeros := make([]byte, f.db.pageSize)
		for ; size < offset; size += f.db.pageSize {
			if code := f.writePage(tls, zeros, size); code != sqlite3.SQLITE_OK {
				return code
			}
		}
	}
	return f.writePage(tls, from, offset)
}

func (f *databaseFile) writePage(tls *libc.TLS, page []byte, offset int64) int32 {
	sealed := f.scratch[:f.db.pageSize]
	f.db.seal(sealed, page, pagePlace(offset/f.db.pageSize))
	return f.writeReal(tls, sealed, f.db.physical(offset))
}

func (f *databaseFile) truncate(tls *libc.TLS, size int64) int32 {
	end := int64(HeaderSize)
	if size > 0 {
		end = f.db.physical(size-f.db.pageSize) + f.db.pageSize
	}
	return f.truncateReal(tls, end)
}

// size returns the size of the pages. The rest of one that was cut off counts as a page, which cannot be read.
func (f *databaseFile) size(tls *libc.TLS) (int64, int32) {
	size, code := f.sizeReal(tls)
	size = f.db.logical(size)
	return (size + f.db.pageSize - 1) / f.db.pageSize * f.db.pageSize, code
}
