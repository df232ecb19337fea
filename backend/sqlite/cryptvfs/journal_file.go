package cryptvfs

import (
	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// journalFile is a rollback journal: pages, each between its number and a checksum, and headers, which are smaller than a page and
// contain nothing of the pages.
type journalFile struct {
	*file
	db   *database
	main *databaseFile // of the same connection
}

// read decrypts a page. One that was not written to its end ends the journal.
func (f *journalFile) read(tls *libc.TLS, to []byte, offset int64) int32 {
	code := f.readReal(tls, to, offset)
	if code != sqlite3.SQLITE_OK || int64(len(to)) != f.db.pageSize {
		return code
	}
	if f.db.open(to, f.place(offset)) != nil {
		return sqlite3.SQLITE_IOERR_SHORT_READ
	}
	f.main.isBack = f.main.isBack || f.main.isHot
	return sqlite3.SQLITE_OK
}

func (f *journalFile) write(tls *libc.TLS, from []byte, offset int64) int32 {
	if int64(len(from)) != f.db.pageSize {
		return f.writeReal(tls, from, offset)
	}
	sealed := f.scratch[:f.db.pageSize]
	f.db.seal(sealed, from, f.place(offset))
	return f.writeReal(tls, sealed, offset)
}

func (f *journalFile) place(offset int64) *place {
	return &place{kind: kindJournal, page: uint64(offset)} //nolint:gosec // not negative
}

func (f *journalFile) truncate(tls *libc.TLS, size int64) int32 { return f.truncateReal(tls, size) }

func (f *journalFile) size(tls *libc.TLS) (int64, int32) { return f.sizeReal(tls) }
