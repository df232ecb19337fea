package cryptvfs

import (
	"slices"
	"time"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// databaseFile holds the pages of a database, and the tree that authenticates them. SQLite lets only one connection of all processes
// write at a time, and no other one reads a page that is being written.
type databaseFile struct {
	*file
	db      *database
	buffer  []byte // SQLite's memory: two blocks
	root    *root  // the last one that was read or written
	isFresh bool   // no lock was taken since the root was read, so that it is the newest one that matters
	changes *changes

	log        *logFile // of the same connection; nil if it has none
	isCopying  bool     // a checkpoint is at work
	isPending  bool     // the last one could not write its changes of the tree
	copied     copied   // by it
	syncFlags  int32    // with which SQLite synchronizes the files; 0: it does not
	isUnsynced bool     // the root may not be on the disk

	lock   int32 // its level
	isHot  bool  // SQLite has locked the file to restore it from the journal of a process that was killed
	isBack bool  // it has read pages of that journal
}

// fileHeaderSize is the size of the header of a plain database, which SQLite reads before it knows of the log.
const fileHeaderSize = 100

// The range of the header by which SQLite notices that another process has changed a database without a log.
const (
	changedAt   = 24
	changedSize = 16
)

// read copies what was asked for from the pages that hold it. Before its first page, a database has the header that a new one has.
func (f *databaseFile) read(tls *libc.TLS, to []byte, offset int64) int32 {
	if offset == 0 && len(to) <= fileHeaderSize { // SQLite opens the database, and learns how large a page is
		return f.readHeader(tls, to)
	}
	all := to
	for from := offset; len(to) > 0; {
		number, at := from/f.db.pageSize, from%f.db.pageSize
		page, code := f.page(tls, number)
		switch {
		case code == sqlite3.SQLITE_IOERR_SHORT_READ:
			return f.beyond(tls, to, number)
		case code == sqlite3.SQLITE_IOERR_DATA && offset == changedAt && len(all) == changedSize:
			clear(all) // after a crash the log or the journal has the page: SQLite then reads it again
			return sqlite3.SQLITE_OK
		case code != sqlite3.SQLITE_OK:
			return code
		}
		n := copy(to, page[at:])
		to, from = to[n:], from+int64(n)
	}
	return sqlite3.SQLITE_OK
}

// readHeader reads the start of the first page without the tree: after a crash the log or the journal may have another version of the page.
func (f *databaseFile) readHeader(tls *libc.TLS, to []byte) int32 {
	page := f.scratch[:f.db.pageSize]
	code := f.readReal(tls, page, f.db.physical(f.db.tree.block(0)))
	switch code {
	case sqlite3.SQLITE_IOERR_SHORT_READ:
		code = f.beyond(tls, to, 0)
	case sqlite3.SQLITE_OK:
		if f.db.open(page, pagePlace(0)) == nil {
			copy(to, page)
			return sqlite3.SQLITE_OK
		}
		code = sqlite3.SQLITE_IOERR_DATA
	}
	if code != sqlite3.SQLITE_IOERR_DATA {
		return code
	}
	copy(to, f.db.databaseHeader())
	return sqlite3.SQLITE_OK
}

// How often a page is read whose tag is not that of the tree. Another process may write the nodes above it: then the root changes. Without
// a new root, only a node that was read while it was being written is a reason to repeat.
const (
	maxRoots   = 100
	maxTorn    = 5
	tornPeriod = 2 * time.Millisecond
)

// page returns a page in the scratch memory.
func (f *databaseFile) page(tls *libc.TLS, number int64) ([]byte, int32) {
	torn := 0
	for range maxRoots {
		before := f.root
		page, isTorn, code := f.tryPage(tls, number)
		if code != sqlite3.SQLITE_IOERR_DATA || f.changes != nil {
			return page, code
		}
		if isTorn {
			torn++
			time.Sleep(time.Duration(torn) * tornPeriod)
		}
		f.isFresh = false
		if code := f.refresh(tls); code != sqlite3.SQLITE_OK && code != sqlite3.SQLITE_IOERR_DATA {
			return nil, code
		}
		if f.root == before && f.isFresh && !isTorn || torn > maxTorn {
			break
		}
	}
	return nil, sqlite3.SQLITE_IOERR_DATA
}

// tryPage returns a page in the scratch memory. It reports whether a node of the tree could not be read.
func (f *databaseFile) tryPage(tls *libc.TLS, number int64) (page []byte, isTorn bool, code int32) {
	page = f.scratch[:f.db.pageSize]
	if code := f.readReal(tls, page, f.db.physical(f.db.tree.block(number))); code != sqlite3.SQLITE_OK {
		return nil, false, code
	}
	found := f.db.tree.tagOf(page)
	want, code := f.pageTag(tls, number)
	if code != sqlite3.SQLITE_OK {
		return nil, code == sqlite3.SQLITE_IOERR_DATA, code
	}
	if found != want || f.db.open(page, pagePlace(number)) != nil {
		return nil, false, sqlite3.SQLITE_IOERR_DATA
	}
	return page, false, sqlite3.SQLITE_OK
}

// pageTag returns the tag that a page has to have.
func (f *databaseFile) pageTag(tls *libc.TLS, number int64) (tag, int32) {
	b := openBlocks{f, tls}
	if f.changes != nil {
		return f.changes.pageTag(b, number)
	}
	if code := f.refresh(tls); code != sqlite3.SQLITE_OK {
		return tag{}, code
	}
	return f.db.tree.pageTag(b, f.root, number)
}

// refresh reads the root if a lock was taken since the last time: before, another process may have changed it.
func (f *databaseFile) refresh(tls *libc.TLS) int32 {
	if f.isFresh {
		return sqlite3.SQLITE_OK
	}
	r, code := f.db.tree.readRoot(openBlocks{f, tls}, f.root)
	if code == sqlite3.SQLITE_OK {
		f.root, f.isFresh = r, true
	}
	return code
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
	size, code := f.sizeReal(tls)
	if code != sqlite3.SQLITE_OK {
		return code
	}
	number := offset / f.db.pageSize
	if blocks := f.db.blocksIn(size); blocks < f.db.tree.blocks(number) {
		zeros := make([]byte, f.db.pageSize)
		for missing := f.db.tree.pages(blocks); missing < number; missing++ {
			if code := f.writePage(tls, zeros, missing); code != sqlite3.SQLITE_OK {
				return code
			}
		}
	}
	return f.writePage(tls, from, number)
}

func (f *databaseFile) writePage(tls *libc.TLS, page []byte, number int64) int32 {
	b := openBlocks{f, tls}
	if f.changes == nil {
		f.isFresh = false
		code := f.refresh(tls)
		if code == sqlite3.SQLITE_OK {
			f.changes, code = f.db.tree.change(b, f.root)
		}
		if code != sqlite3.SQLITE_OK {
			f.changes = nil
			return code
		}
	}
	if code := f.changes.prepare(b, number); code != sqlite3.SQLITE_OK {
		return code
	}
	sealed := f.scratch[:f.db.pageSize]
	f.db.seal(sealed, page, pagePlace(number))
	// If the page is only written in part, it fits neither tag, and SQLite writes it again before it reads it.
	f.changes.set(number, f.db.tree.tagOf(sealed))
	return f.writeReal(tls, sealed, f.db.physical(f.db.tree.block(number)))
}

func (f *databaseFile) truncate(tls *libc.TLS, size int64) int32 {
	if code := f.retry(tls); code != sqlite3.SQLITE_OK {
		return code
	}
	blocks := f.db.tree.blocks((size + f.db.pageSize - 1) / f.db.pageSize)
	return f.truncateReal(tls, f.db.fileSize(blocks))
}

// size returns the size of the pages. The rest of one that was cut off counts as a page, which cannot be read.
func (f *databaseFile) size(tls *libc.TLS) (int64, int32) {
	size, code := f.sizeReal(tls)
	blocks := f.db.blocksIn(size)
	if pages := f.db.tree.pages(blocks); pages > 0 || blocks == 0 || code != sqlite3.SQLITE_OK {
		return pages * f.db.pageSize, code
	}
	// No page was written, or all were cut off and nodes are left.
	for block := int64(0); block < blocks; block += slots {
		both, code := (openBlocks{f, tls}).readSlots(block)
		if code != sqlite3.SQLITE_OK {
			return 0, code
		}
		for _, node := range both {
			if slices.Max(node) > 0 {
				return f.db.pageSize, sqlite3.SQLITE_OK
			}
		}
	}
	return 0, sqlite3.SQLITE_OK
}

// takeLock notes that another process may have changed the database. A transaction locks the file for its end after it was begun, a
// hot journal without that.
func (f *databaseFile) takeLock(level int32) {
	f.isFresh = false
	f.isHot = f.isHot || level == sqlite3.SQLITE_LOCK_EXCLUSIVE && f.lock < sqlite3.SQLITE_LOCK_RESERVED
	f.lock = level
}

// dropLock forgets changes that were not written: the transaction failed, and its journal restores the pages.
func (f *databaseFile) dropLock(level int32) {
	f.lock, f.changes, f.isHot, f.isBack = level, nil, false, false
}

// restore makes pages empty that a hot journal has not restored, because nothing uses them: the process that was killed may have written
// them. If it was not, but somebody put an old page there, the page is not authenticated by this.
func (f *databaseFile) restore(tls *libc.TLS) int32 {
	size, code := f.size(tls)
	zeros := make([]byte, f.db.pageSize)
	for number := int64(0); number < size/f.db.pageSize && code == sqlite3.SQLITE_OK; number++ {
		var isTorn bool
		if _, isTorn, code = f.tryPage(tls, number); code == sqlite3.SQLITE_IOERR_DATA && !isTorn {
			code = f.writePage(tls, zeros, number)
		}
	}
	f.isBack = code != sqlite3.SQLITE_OK
	return code
}

// control follows what SQLite does with the file.
func (f *databaseFile) control(tls *libc.TLS, op int32) int32 {
	switch op {
	case sqlite3.SQLITE_FCNTL_CKPT_START:
		f.isCopying, f.isPending, f.copied = true, false, copied{}
		f.isFresh = false
		if before := f.root; f.refresh(tls) != sqlite3.SQLITE_OK || f.root != before {
			f.changes = nil // of a checkpoint that failed; another process has copied its pages again
		}
	case sqlite3.SQLITE_FCNTL_CKPT_DONE: // SQLite ignores the result, so truncate and sync repeat it
		code := f.writeTree(tls)
		f.isCopying, f.isPending = false, code != sqlite3.SQLITE_OK
		return code
	case sqlite3.SQLITE_FCNTL_SYNC:
		if f.isBack {
			if code := f.restore(tls); code != sqlite3.SQLITE_OK {
				return code
			}
		}
		return f.writeTree(tls)
	}
	return sqlite3.SQLITE_OK
}

// writeTree writes the changes of the tree.
func (f *databaseFile) writeTree(tls *libc.TLS) int32 {
	if f.changes == nil {
		return sqlite3.SQLITE_OK
	}
	var done *copied
	if f.copied.frame > 0 {
		if code := f.log.describe(tls, &f.copied); code != sqlite3.SQLITE_OK {
			return code
		}
		done = &f.copied
	}
	r, code := f.changes.write(openBlocks{f, tls}, done, f.syncFlags != 0)
	if code != sqlite3.SQLITE_OK {
		return code
	}
	f.root, f.isFresh, f.changes, f.isUnsynced = r, true, nil, true
	return sqlite3.SQLITE_OK
}

// retry writes the changes of a checkpoint, which still has its lock, if that failed before.
func (f *databaseFile) retry(tls *libc.TLS) int32 {
	if !f.isPending {
		return sqlite3.SQLITE_OK
	}
	code := f.writeTree(tls)
	f.isPending = code != sqlite3.SQLITE_OK
	return code
}

// sync synchronizes the file.
func (f *databaseFile) sync(tls *libc.TLS, flags int32) int32 {
	if code := f.retry(tls); code != sqlite3.SQLITE_OK {
		return code
	}
	f.syncFlags = flags
	code := f.syncReal(tls, flags)
	f.isUnsynced = f.isUnsynced && code != sqlite3.SQLITE_OK
	return code
}

// endCopying synchronizes the root at the end of a checkpoint that has not copied the whole log. Otherwise SQLite does so. After it, a node
// of the former tree may be overwritten.
func (f *databaseFile) endCopying(tls *libc.TLS) int32 {
	f.copied = copied{}
	if f.isPending || !f.isUnsynced || f.syncFlags == 0 {
		return sqlite3.SQLITE_OK
	}
	return f.sync(tls, f.syncFlags)
}

// openBlocks are the blocks of an open file.
type openBlocks struct {
	*databaseFile
	tls *libc.TLS
}

func (b openBlocks) readSlots(block int64) (both [slots][]byte, code int32) {
	size := b.db.pageSize
	all := b.buffer[:slots*size]
	for i := range both {
		both[i] = all[int64(i)*size : int64(i+1)*size]
	}
	first, second := b.db.physical(block), b.db.physical(block+1)
	if second == first+size {
		code = b.readReal(b.tls, all, first)
	} else if code = b.readReal(b.tls, both[0], first); code == sqlite3.SQLITE_OK {
		code = b.readReal(b.tls, both[1], second)
	} else {
		clear(both[1])
	}
	if code == sqlite3.SQLITE_IOERR_SHORT_READ {
		code = sqlite3.SQLITE_OK
	}
	return both, code
}

func (b openBlocks) writeSlot(block int64, body []byte, p *place) (tag, int32) {
	sealed := b.buffer[:b.db.pageSize]
	plain := make([]byte, b.db.pageSize)
	copy(plain, body)
	b.db.seal(sealed, plain, p)
	t := b.db.tree.tagOf(sealed)
	return t, b.writeReal(b.tls, sealed, b.db.physical(block))
}

func (b openBlocks) reserveSlot(block int64) int32 {
	zeros := b.buffer[:b.db.pageSize]
	clear(zeros)
	return b.writeReal(b.tls, zeros, b.db.physical(block))
}

func (b openBlocks) sync() int32 { return b.syncReal(b.tls, b.syncFlags) }
