package cryptvfs

import (
	"errors"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// pageFile is a file as SQLite uses it; the functions below pass its calls on. Results are SQLite's codes.
type pageFile interface {
	read(tls *libc.TLS, to []byte, offset int64) int32
	write(tls *libc.TLS, from []byte, offset int64) int32
	truncate(tls *libc.TLS, size int64) int32
	size(tls *libc.TLS) (size int64, code int32)
}

// file is an open file. A connection uses it, one call at a time.
type file struct {
	pageFile
	real    uintptr // the file of the original VFS; 0: it is in memory
	methods *sqlite3.Tsqlite3_io_methods
	scratch []byte // SQLite's memory; nil for files in memory
}

// fileSize is what precedes the original VFS's struct of a file in ours.
const fileSize = 8

// ourMethods returns the methods of our files, in SQLite's memory.
func ourMethods(tls *libc.TLS) (uintptr, error) {
	address := libc.Xcalloc(tls, 1, libc.Tsize_t(sizeOf[sqlite3.Tsqlite3_io_methods]()))
	if address == 0 {
		return 0, errors.New("no memory")
	}
	*at[sqlite3.Tsqlite3_io_methods](address) = sqlite3.Tsqlite3_io_methods{
		FiVersion: 2, // without mapping a file into memory, where nothing could be decrypted
		FxClose:   pointer(closeFile), FxRead: pointer(read), FxWrite: pointer(write), FxTruncate: pointer(truncate), FxSync: pointer(syncFile),
		FxFileSize: pointer(sizeOfFile), FxLock: pointer(lock), FxUnlock: pointer(unlock), FxCheckReservedLock: pointer(checkReservedLock),
		FxFileControl: pointer(control), FxSectorSize: pointer(sectorSize), FxDeviceCharacteristics: pointer(characteristics),
		FxShmMap: pointer(shmMap), FxShmLock: pointer(shmLock), FxShmBarrier: pointer(shmBarrier), FxShmUnmap: pointer(shmUnmap),
	}
	return address, nil
}

const temporary = sqlite3.SQLITE_OPEN_TEMP_DB | sqlite3.SQLITE_OPEN_TEMP_JOURNAL | sqlite3.SQLITE_OPEN_TRANSIENT_DB | sqlite3.SQLITE_OPEN_SUBJOURNAL

// open is xOpen. A database that is not unlocked is SQLITE_AUTH.
func open(tls *libc.TLS, _, name, id uintptr, flags int32, out uintptr) int32 {
	at[sqlite3.Tsqlite3_file](id).FpMethods = 0 // not to be closed
	f := &file{}
	if flags&temporary != 0 || name == 0 {
		f.pageFile = &memoryFile{}
		if out != 0 {
			*at[int32](out) = flags
		}
	} else if code := f.openReal(tls, name, id, flags, out); code != sqlite3.SQLITE_OK {
		return code
	}
	vfs.add(id, f)
	at[sqlite3.Tsqlite3_file](id).FpMethods = vfs.methods
	return sqlite3.SQLITE_OK
}

// openReal opens a file of the original VFS.
func (f *file) openReal(tls *libc.TLS, name, id uintptr, flags int32, out uintptr) int32 {
	db, kind := vfs.find(libc.GoString(name), flags)
	if db == nil {
		return sqlite3.SQLITE_AUTH
	}
	type xOpen = func(*libc.TLS, uintptr, uintptr, uintptr, int32, uintptr) int32
	f.real = id + fileSize
	original := at[sqlite3.Tsqlite3_vfs](vfs.original)
	code := function[xOpen](original.FxOpen)(tls, vfs.original, name, f.real, flags, out)
	if code != sqlite3.SQLITE_OK {
		return code
	}
	f.methods = at[sqlite3.Tsqlite3_io_methods](at[sqlite3.Tsqlite3_file](f.real).FpMethods)
	n := db.pageSize + frameHeaderSize
	if kind == kindDatabase {
		n = (1 + slots) * db.pageSize
	}
	memory := libc.Xmalloc(tls, libc.Tsize_t(n)) //nolint:gosec // at most 3 * 65536
	if memory == 0 {
		f.closeReal(tls)
		return sqlite3.SQLITE_NOMEM
	}
	f.scratch = bytesAt(memory, int32(n)) //nolint:gosec // as above
	switch kind {
	case kindLog:
		log := &logFile{file: f, db: db, main: databaseOf(tls, name)}
		log.main.log = log
		f.pageFile = log
	case kindJournal:
		f.pageFile = &journalFile{file: f, db: db, main: databaseOf(tls, name)}
	case kindDatabase, kindNode:
		f.pageFile = &databaseFile{file: f, db: db, buffer: f.scratch[db.pageSize:]}
	}
	return sqlite3.SQLITE_OK
}

// databaseOf returns the file of the database that a log or a journal belongs to: SQLite opens it first.
func databaseOf(tls *libc.TLS, name uintptr) *databaseFile {
	main, _ := vfs.file(sqlite3.Xsqlite3_database_file_object(tls, name)).pageFile.(*databaseFile)
	return main
}

func (f *file) closeReal(tls *libc.TLS) int32 {
	type xClose = func(*libc.TLS, uintptr) int32
	return function[xClose](f.methods.FxClose)(tls, f.real)
}

// readReal reads from the file below. What is beyond its end is zero, and the code SQLITE_IOERR_SHORT_READ.
func (f *file) readReal(tls *libc.TLS, to []byte, offset int64) int32 {
	type xRead = func(*libc.TLS, uintptr, uintptr, int32, int64) int32
	return function[xRead](f.methods.FxRead)(tls, f.real, addressOf(to), int32(len(to)), offset) //nolint:gosec // SQLite's sizes are int32
}

func (f *file) writeReal(tls *libc.TLS, from []byte, offset int64) int32 {
	type xWrite = func(*libc.TLS, uintptr, uintptr, int32, int64) int32
	return function[xWrite](f.methods.FxWrite)(tls, f.real, addressOf(from), int32(len(from)), offset) //nolint:gosec // as in readReal
}

func (f *file) truncateReal(tls *libc.TLS, size int64) int32 {
	type xTruncate = func(*libc.TLS, uintptr, int64) int32
	return function[xTruncate](f.methods.FxTruncate)(tls, f.real, size)
}

func (f *file) syncReal(tls *libc.TLS, flags int32) int32 {
	return function[func(*libc.TLS, uintptr, int32) int32](f.methods.FxSync)(tls, f.real, flags)
}

func (f *file) sizeReal(tls *libc.TLS) (size int64, code int32) {
	type xFileSize = func(*libc.TLS, uintptr, uintptr) int32
	result := tls.Alloc(8)
	defer tls.Free(8)
	code = function[xFileSize](f.methods.FxFileSize)(tls, f.real, result)
	return *at[int64](result), code
}

func closeFile(tls *libc.TLS, id uintptr) int32 {
	f := vfs.file(id)
	vfs.drop(id)
	if f.real == 0 {
		return sqlite3.SQLITE_OK
	}
	if log, ok := f.pageFile.(*logFile); ok {
		log.main.log = nil
	}
	clear(f.scratch)
	libc.Xfree(tls, addressOf(f.scratch))
	return f.closeReal(tls)
}

func read(tls *libc.TLS, id, to uintptr, n int32, offset int64) int32 {
	return vfs.file(id).read(tls, bytesAt(to, n), offset)
}

func write(tls *libc.TLS, id, from uintptr, n int32, offset int64) int32 {
	return vfs.file(id).write(tls, bytesAt(from, n), offset)
}

func truncate(tls *libc.TLS, id uintptr, size int64) int32 { return vfs.file(id).truncate(tls, size) }

func sizeOfFile(tls *libc.TLS, id, result uintptr) int32 {
	size, code := vfs.file(id).size(tls)
	*at[int64](result) = size
	return code
}

func syncFile(tls *libc.TLS, id uintptr, flags int32) int32 {
	switch f := vfs.file(id).pageFile.(type) {
	case *databaseFile:
		return f.sync(tls, flags)
	case *logFile:
		f.main.syncFlags = flags
		return f.syncReal(tls, flags)
	case *journalFile:
		f.main.syncFlags = flags
		return f.syncReal(tls, flags)
	default: // in memory
		return sqlite3.SQLITE_OK
	}
}

func lock(tls *libc.TLS, id uintptr, level int32) int32 {
	f := vfs.file(id)
	if db, ok := f.pageFile.(*databaseFile); ok {
		db.takeLock(level)
	}
	return withFlags(f, tls, level, func(m *sqlite3.Tsqlite3_io_methods) uintptr { return m.FxLock })
}

func unlock(tls *libc.TLS, id uintptr, level int32) int32 {
	f := vfs.file(id)
	if db, ok := f.pageFile.(*databaseFile); ok {
		db.dropLock(level)
	}
	return withFlags(f, tls, level, func(m *sqlite3.Tsqlite3_io_methods) uintptr { return m.FxUnlock })
}

func shmUnmap(tls *libc.TLS, id uintptr, remove int32) int32 {
	return withFlags(vfs.file(id), tls, remove, func(m *sqlite3.Tsqlite3_io_methods) uintptr { return m.FxShmUnmap })
}

// withFlags calls a method of the file below that takes a number. Files in memory have nothing to do.
func withFlags(f *file, tls *libc.TLS, n int32, method func(*sqlite3.Tsqlite3_io_methods) uintptr) int32 {
	if f.real == 0 {
		return sqlite3.SQLITE_OK
	}
	return function[func(*libc.TLS, uintptr, int32) int32](method(f.methods))(tls, f.real, n)
}

func checkReservedLock(tls *libc.TLS, id, result uintptr) int32 {
	f := vfs.file(id)
	if f.real == 0 {
		*at[int32](result) = 0
		return sqlite3.SQLITE_OK
	}
	return function[func(*libc.TLS, uintptr, uintptr) int32](f.methods.FxCheckReservedLock)(tls, f.real, result)
}

// control is xFileControl. The file below must not make room by itself: every page of it is one that was written.
func control(tls *libc.TLS, id uintptr, op int32, argument uintptr) int32 {
	f := vfs.file(id)
	if f.real == 0 || op == sqlite3.SQLITE_FCNTL_SIZE_HINT || op == sqlite3.SQLITE_FCNTL_CHUNK_SIZE {
		return sqlite3.SQLITE_NOTFOUND
	}
	if db, ok := f.pageFile.(*databaseFile); ok {
		if code := db.control(tls, op); code != sqlite3.SQLITE_OK {
			return code
		}
	}
	return function[func(*libc.TLS, uintptr, int32, uintptr) int32](f.methods.FxFileControl)(tls, f.real, op, argument)
}

// sectorSize is xSectorSize: less than a page, so that SQLite writes no header of a journal that has the size of a page.
func sectorSize(*libc.TLS, uintptr) int32 { return 512 }

// notOurs are the characteristics of the file below that ours does not have: writing a page is not atomic, and a page is read as a whole.
const notOurs = sqlite3.SQLITE_IOCAP_ATOMIC | sqlite3.SQLITE_IOCAP_ATOMIC512 | sqlite3.SQLITE_IOCAP_ATOMIC1K | sqlite3.SQLITE_IOCAP_ATOMIC2K |
	sqlite3.SQLITE_IOCAP_ATOMIC4K | sqlite3.SQLITE_IOCAP_ATOMIC8K | sqlite3.SQLITE_IOCAP_ATOMIC16K | sqlite3.SQLITE_IOCAP_ATOMIC32K |
	sqlite3.SQLITE_IOCAP_ATOMIC64K | sqlite3.SQLITE_IOCAP_BATCH_ATOMIC | sqlite3.SQLITE_IOCAP_SUBPAGE_READ

func characteristics(tls *libc.TLS, id uintptr) int32 {
	f := vfs.file(id)
	if f.real == 0 {
		return 0
	}
	return function[func(*libc.TLS, uintptr) int32](f.methods.FxDeviceCharacteristics)(tls, f.real) &^ notOurs
}

func shmMap(tls *libc.TLS, id uintptr, region, size, extend int32, result uintptr) int32 {
	f := vfs.file(id)
	return function[func(*libc.TLS, uintptr, int32, int32, int32, uintptr) int32](f.methods.FxShmMap)(tls, f.real, region, size, extend, result)
}

func shmLock(tls *libc.TLS, id uintptr, offset, n, flags int32) (result int32) {
	f := vfs.file(id)
	if db, ok := f.pageFile.(*databaseFile); ok {
		switch {
		case flags&sqlite3.SQLITE_SHM_LOCK != 0:
			db.isFresh = false
		case flags&sqlite3.SQLITE_SHM_EXCLUSIVE != 0:
			if code := db.endCopying(tls); code != sqlite3.SQLITE_OK {
				defer func() { result = code }() // the lock must be released all the same
			}
		}
	}
	return function[func(*libc.TLS, uintptr, int32, int32, int32) int32](f.methods.FxShmLock)(tls, f.real, offset, n, flags)
}

func shmBarrier(tls *libc.TLS, id uintptr) {
	f := vfs.file(id)
	function[func(*libc.TLS, uintptr)](f.methods.FxShmBarrier)(tls, f.real)
}
