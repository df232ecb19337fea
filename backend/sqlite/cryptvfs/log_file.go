package cryptvfs

import (
	"encoding/binary"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// logFile is a write-ahead log. SQLite writes the header of a frame and then its page; if it only wants to change a checksum, it writes the
// header alone. So a header waits for its page, and is dropped if none comes.
type logFile struct {
	*file
	db   *database
	main *databaseFile // of the same connection

	pending   uint64 // the number of the frame whose header waits; 0: none
	header    [frameHeaderSize]byte
	written   transaction // by this connection
	recovered chain
}

// transaction is a range of frames with one epoch.
type transaction struct {
	first, last uint64 // frames; 0: none
	salt        [8]byte
	epoch, link uint64
	isComplete  bool // its last frame was written, or should have been
}

// holds reports whether the frame continues the transaction, or replaces a frame of it.
func (t *transaction) holds(f *frame) bool {
	return t.last > 0 && !t.isComplete && t.salt == f.salt && f.number >= t.first && f.number <= t.last+1
}

// chain follows the frames that are read one after the other, as SQLite does to recover a log.
type chain struct {
	before frame   // the last one; its number is 0 at the beginning
	salt   [8]byte // of the log
	sum    checksum
	intact bool
	needed uint64 // the number of frames that were copied to the pages: without them, some pages would be older than others
}

func (f *logFile) frameSize() int64 { return frameHeaderSize + f.db.pageSize }

// at returns where an offset is: in which frame, from 1, and how far from its beginning.
func (f *logFile) at(offset int64) (number uint64, from int64) {
	offset -= logHeaderSize
	return uint64(offset/f.frameSize()) + 1, offset % f.frameSize() //nolint:gosec // the callers have excluded the header
}

func (f *logFile) offset(number uint64) int64 {
	return logHeaderSize + int64(number-1)*f.frameSize() //nolint:gosec // a number of frames in a file
}

func (f *logFile) read(tls *libc.TLS, to []byte, offset int64) int32 {
	if offset < logHeaderSize {
		code := f.readReal(tls, to, offset)
		if offset == 0 && len(to) == logHeaderSize {
			f.recovered = chain{salt: [8]byte(to[16:]), sum: newChecksum(to), intact: code == sqlite3.SQLITE_OK}
		}
		return code
	}
	number, from := f.at(offset)
	switch {
	case from == 0 && int64(len(to)) == f.frameSize():
		return f.recover(tls, to, number)
	case from >= frameHeaderSize && from+int64(len(to)) <= f.frameSize():
		return f.readPage(tls, to, number, from-frameHeaderSize)
	default: // a part of a header
		return f.readReal(tls, to, offset)
	}
}

// readPage reads a page, or a part of it.
func (f *logFile) readPage(tls *libc.TLS, to []byte, number uint64, from int64) int32 {
	raw := f.scratch[:f.frameSize()]
	if code := f.readReal(tls, raw, f.offset(number)); code != sqlite3.SQLITE_OK {
		return code
	}
	of, err := f.openFrame(raw, number)
	if err != nil {
		return sqlite3.SQLITE_IOERR_DATA
	}
	if f.main.isCopying && number > f.main.copied.frame {
		f.main.copied.frame, f.main.copied.last = number, of.epoch
	}
	copy(to, raw[frameHeaderSize+from:])
	return sqlite3.SQLITE_OK
}

// openFrame decrypts the page of a frame in place.
func (f *logFile) openFrame(raw []byte, number uint64) (frame, error) {
	page, of := parseFrame(raw, number)
	p := place{kind: kindLog, page: uint64(page), frame: of}
	err := f.db.open(raw[frameHeaderSize:], &p)
	return p.frame, err
}

// recover reads a whole frame. While the log is intact it gets the checksum that SQLite expects, otherwise one that ends the log. The result is
// SQLITE_IOERR_DATA for a log that does not belong to the pages.
func (f *logFile) recover(tls *libc.TLS, to []byte, number uint64) int32 {
	if code := f.readReal(tls, to, f.offset(number)); code != sqlite3.SQLITE_OK {
		return code
	}
	c := &f.recovered
	of, err := f.openFrame(to, number)
	if c.intact = c.intact && err == nil && of.salt == c.salt && of.follows(&c.before); !c.intact {
		if number <= c.needed {
			return sqlite3.SQLITE_IOERR_DATA
		}
		return sqlite3.SQLITE_OK
	}
	if number == 1 {
		if code := f.compare(tls, &of); code != sqlite3.SQLITE_OK {
			return code
		}
	}
	c.before = of
	c.sum.add(to[:8])
	c.sum.add(to[frameHeaderSize:])
	c.sum.put(to)
	return sqlite3.SQLITE_OK
}

// compare compares a log with what the tree knows of it by its first frame.
func (f *logFile) compare(tls *libc.TLS, first *frame) int32 {
	f.main.isFresh = false
	if code := f.main.refresh(tls); code != sqlite3.SQLITE_OK {
		return code
	}
	if !first.belongsTo(f.main.root) {
		return sqlite3.SQLITE_IOERR_DATA
	}
	done := f.main.root.copied()
	if done.first != first.epoch {
		return sqlite3.SQLITE_OK
	}
	header := f.scratch[:frameHeaderSize]
	code := f.readReal(tls, header, f.offset(done.frame))
	if code != sqlite3.SQLITE_OK && code != sqlite3.SQLITE_IOERR_SHORT_READ {
		return code
	}
	if _, last := parseFrame(header, done.frame); last.epoch != done.last || last.salt != first.salt {
		return sqlite3.SQLITE_IOERR_DATA
	}
	f.recovered.needed = done.frame
	return sqlite3.SQLITE_OK
}

// describe sets the epoch by which a log is recognized from which a checkpoint has copied.
func (f *logFile) describe(tls *libc.TLS, c *copied) int32 {
	raw := f.scratch[:f.frameSize()]
	if code := f.readReal(tls, raw, f.offset(1)); code != sqlite3.SQLITE_OK {
		return code
	}
	first, err := f.openFrame(raw, 1)
	if err != nil {
		return sqlite3.SQLITE_IOERR_DATA
	}
	c.first = first.epoch
	return sqlite3.SQLITE_OK
}

func (f *logFile) write(tls *libc.TLS, from []byte, offset int64) int32 {
	f.recovered = chain{} // the recovery has ended, and SQLite reads whole frames to compute checksums again
	if offset == 0 && len(from) == logHeaderSize {
		f.pending, f.written = 0, transaction{}
		return f.writeReal(tls, from, 0)
	}
	number, at := f.at(offset)
	switch {
	case offset < logHeaderSize:
		return sqlite3.SQLITE_IOERR_WRITE
	case at == 0 && len(from) == frameHeaderSize:
		f.pending = number
		copy(f.header[:], from)
		return sqlite3.SQLITE_OK
	case at == frameHeaderSize && int64(len(from)) == f.db.pageSize:
		return f.writePage(tls, from, number)
	default:
		return sqlite3.SQLITE_IOERR_WRITE
	}
}

// writePage writes a frame, or replaces the page of one.
func (f *logFile) writePage(tls *libc.TLS, page []byte, number uint64) int32 {
	if f.pending != number {
		header := f.scratch[:frameHeaderSize]
		if code := f.readReal(tls, header, f.offset(number)); code != sqlite3.SQLITE_OK {
			return code
		}
		copy(f.header[:], header)
	}
	f.pending = 0
	pageNumber, of := parseFrame(f.header[:], number)
	if code := f.link(tls, &of); code != sqlite3.SQLITE_OK {
		return code
	}
	raw := f.scratch[:f.frameSize()]
	copy(raw, f.header[:])
	copy(raw[8:], of.salt[:])
	binary.BigEndian.PutUint64(raw[16:], of.epoch)
	f.db.seal(raw[frameHeaderSize:], page, &place{kind: kindLog, page: uint64(pageNumber), frame: of})
	return f.writeReal(tls, raw, f.offset(number))
}

// link sets the epoch of a frame and the link to the transaction before.
func (f *logFile) link(tls *libc.TLS, of *frame) int32 {
	t := &f.written
	if of.salt == [8]byte{} { // SQLite leaves salt and checksum for later once it has replaced a page of the transaction
		of.salt = t.salt
	}
	if !t.holds(of) {
		*t = transaction{first: of.number, salt: of.salt, epoch: newEpoch()}
		if of.number == 1 {
			f.main.isFresh = false
			if code := f.main.refresh(tls); code != sqlite3.SQLITE_OK {
				return code
			}
			t.link = f.main.root.generation
		} else {
			before := f.scratch[:frameHeaderSize]
			if code := f.readReal(tls, before, f.offset(of.number-1)); code != sqlite3.SQLITE_OK {
				return code
			}
			_, last := parseFrame(before, of.number-1)
			t.link = last.epoch
		}
	}
	of.epoch, of.link = t.epoch, t.link
	t.last = max(t.last, of.number)
	t.isComplete = t.isComplete || of.size > 0
	return sqlite3.SQLITE_OK
}

func (f *logFile) truncate(tls *libc.TLS, size int64) int32 { return f.truncateReal(tls, size) }

func (f *logFile) size(tls *libc.TLS) (int64, int32) { return f.sizeReal(tls) }
