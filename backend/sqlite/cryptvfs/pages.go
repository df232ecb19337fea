package cryptvfs

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"time"

	sqlite3 "modernc.org/sqlite/lib"
)

// ErrPage means that a page is not as it was written.
var ErrPage = errors.New("the page is damaged or was changed")

// Pages reads the pages of a database without SQLite, also those of a damaged one. It is not safe for concurrent use.
type Pages struct {
	file *os.File
	db   *database
	raw  []byte
}

// OpenPages opens the database at a path, which is unlocked.
func OpenPages(path string) (*Pages, error) {
	db, err := unlocked(path)
	if err != nil {
		return nil, err
	}
	file, err := os.OpenFile(path, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	return &Pages{file: file, db: db, raw: make([]byte, db.pageSize)}, nil
}

// PageSize returns the size of a page in bytes.
func (p *Pages) PageSize() int { return int(p.db.pageSize) }

// Size returns the size of the database: that of all its pages in bytes. A page that was cut off does not count.
func (p *Pages) Size() (int64, error) {
	info, err := p.file.Stat()
	if err != nil {
		return 0, err
	}
	blocks := p.db.blocksIn(info.Size())
	if blocks > 0 && p.db.fileSize(blocks) > info.Size() {
		blocks--
	}
	return p.db.tree.pages(blocks) * p.db.pageSize, nil
}

// ReadAt reads from the decrypted pages, as if the file were a plain database. The reserved bytes are zero. The error is ErrPage if a
// page is not as it was written at some time: an old version of a page is read, because the tree may be damaged, too. Verify finds it.
func (p *Pages) ReadAt(to []byte, offset int64) (n int, err error) {
	for n < len(to) {
		number, from := (offset+int64(n))/p.db.pageSize, (offset+int64(n))%p.db.pageSize
		if _, err := p.page(number); err != nil {
			return n, err
		}
		n += copy(to[n:], p.raw[from:])
	}
	return n, nil
}

// Offset returns where a page, from 1, is in the file.
func (p *Pages) Offset(page int64) int64 { return p.db.physical(p.db.tree.block(page - 1)) }

// page reads and decrypts a page, and returns the tag it has.
func (p *Pages) page(number int64) (tag, error) {
	if _, err := p.file.ReadAt(p.raw, p.db.physical(p.db.tree.block(number))); err != nil {
		return tag{}, err
	}
	t := p.db.tree.tagOf(p.raw)
	if p.db.open(p.raw, pagePlace(number)) != nil {
		return t, ErrPage
	}
	return t, nil
}

// Close closes the file.
func (p *Pages) Close() error { return p.file.Close() }

// fileBlocks are the blocks of a file that is only read.
type fileBlocks struct{ *Pages }

func (b fileBlocks) readSlots(block int64) (both [slots][]byte, code int32) {
	for i := range both {
		both[i] = make([]byte, b.db.pageSize)
		if _, err := b.file.ReadAt(both[i], b.db.physical(block+int64(i))); err != nil && !errors.Is(err, io.EOF) {
			return both, sqlite3.SQLITE_IOERR_READ
		}
	}
	return both, sqlite3.SQLITE_OK
}

func (fileBlocks) writeSlot(int64, []byte, *place) (tag, int32) {
	return tag{}, sqlite3.SQLITE_READONLY
}

func (fileBlocks) reserveSlot(int64) int32 { return sqlite3.SQLITE_READONLY }

func (fileBlocks) sync() int32 { return sqlite3.SQLITE_READONLY }

// verifyTries is how often the log and the tree are read again because of pages that do not fit: another process may be writing them.
// It is for all pages together, so that a file with much damage does not take minutes.
const verifyTries = 10

// verifier looks for pages that are not as they were written last.
type verifier struct {
	*Pages
	path  string
	root  *root
	inLog map[int64]bool // pages that the log has: those in the file are not read
	tries int
}

// Verify yields the number of each page of the database that is not as it was written last, from 1. It may be in use.
func Verify(path string) iter.Seq2[int64, error] {
	return func(yield func(int64, error) bool) {
		p, err := OpenPages(path)
		if err != nil {
			yield(0, err)
			return
		}
		defer p.Close() //nolint:errcheck // it was only read
		size, err := p.Size()
		if err != nil {
			yield(0, err)
			return
		}
		v := &verifier{Pages: p, path: path}
		for number := range size / p.db.pageSize {
			isSound, err := v.page(number)
			if err != nil {
				yield(0, err)
				return
			}
			if !isSound && !yield(number+1, nil) {
				return
			}
		}
	}
}

// page reports whether a page is sound.
func (v *verifier) page(number int64) (bool, error) {
	for {
		isSound, err := v.try(number)
		if isSound || err != nil || v.inLog[number] {
			return err == nil, err
		}
		if v.tries == verifyTries {
			return false, nil
		}
		time.Sleep(time.Duration(v.tries) * 10 * time.Millisecond)
		v.tries++
		v.root = nil
		if err := v.readLog(); err != nil {
			return false, err
		}
	}
}

// try compares a page with the tree.
func (v *verifier) try(number int64) (bool, error) {
	b := fileBlocks{v.Pages}
	if v.root == nil {
		r, code := v.db.tree.readRoot(b, nil)
		if code != sqlite3.SQLITE_OK {
			return false, fmt.Errorf("read the tree of %s: SQLite's code %d", v.path, code)
		}
		v.root = r
	}
	found, err := v.Pages.page(number)
	switch {
	case errors.Is(err, io.EOF): // it was shortened meanwhile
		return true, nil
	case errors.Is(err, ErrPage):
		return false, nil
	case err != nil:
		return false, err
	}
	want, code := v.db.tree.pageTag(b, v.root, number)
	return code == sqlite3.SQLITE_OK && found == want, nil
}

// readLog reads which pages the log has.
func (v *verifier) readLog() error {
	v.inLog = map[int64]bool{}
	log, err := OpenLog(v.path)
	if log == nil || err != nil {
		return err
	}
	defer log.Close() //nolint:errcheck // it was only read
	var pending []int64
	for f := range log.Frames() {
		if pending = append(pending, int64(f.Page)-1); f.Size == 0 {
			continue
		}
		for _, page := range pending {
			v.inLog[page] = true
		}
		pending = pending[:0]
	}
	return nil
}

// Frame is a page in a write-ahead log.
type Frame struct {
	Page uint32 // its number, from 1
	Size uint32 // of the database in pages after the transaction; 0: more frames of it follow
	At   int64  // where ReadAt finds the page
}

// Log reads a write-ahead log without SQLite. It is not safe for concurrent use.
type Log struct {
	file *os.File
	db   *database
	raw  []byte
	root *root // of the pages; nil if none was written, or it is damaged
}

// OpenLog opens the write-ahead log of the database at a path, which is unlocked. It returns nil if no log exists.
func OpenLog(path string) (*Log, error) {
	db, err := unlocked(path)
	if err != nil {
		return nil, err
	}
	file, err := os.OpenFile(path+"-wal", os.O_RDONLY, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil // nothing waits
	} else if err != nil {
		return nil, err
	}
	l := &Log{file: file, db: db, raw: make([]byte, frameHeaderSize+db.pageSize)}
	if p, err := OpenPages(path); err == nil {
		defer p.Close() //nolint:errcheck // it was only read
		if r, _ := db.tree.readRoot(fileBlocks{p}, nil); r != nil && r.generation > 0 {
			l.root = r
		}
	}
	return l, nil
}

// PageSize returns the size of a page in bytes.
func (l *Log) PageSize() int { return int(l.db.pageSize) }

// Frames yields the frames that SQLite would read: those of the log that was begun last, up to the first one that was changed or cut off. An
// older log, which does not belong to the pages, has none.
func (l *Log) Frames() iter.Seq[Frame] {
	return func(yield func(Frame) bool) {
		head := make([]byte, logHeaderSize)
		if _, err := l.file.ReadAt(head, 0); err != nil {
			return
		}
		before := frame{}
		for number := uint64(1); ; number++ {
			at := logHeaderSize + int64(number-1)*int64(len(l.raw)) //nolint:gosec // a number of frames in a file
			of, page, err := l.read(number, at)
			if err != nil || string(of.salt[:]) != string(head[16:24]) || !of.follows(&before) {
				return
			}
			if number == 1 && l.root != nil && !of.belongsTo(l.root) {
				return
			}
			before = of
			if !yield(Frame{Page: page, Size: of.size, At: at + frameHeaderSize}) {
				return
			}
		}
	}
}

// read reads and decrypts a frame.
func (l *Log) read(number uint64, at int64) (frame, uint32, error) {
	if _, err := l.file.ReadAt(l.raw, at); err != nil {
		return frame{}, 0, err
	}
	page, of := parseFrame(l.raw, number)
	p := place{kind: kindLog, page: uint64(page), frame: of}
	if err := l.db.open(l.raw[frameHeaderSize:], &p); err != nil {
		return frame{}, 0, ErrPage
	}
	return p.frame, page, nil
}

// ReadAt reads the page of a frame that Frames has yielded.
func (l *Log) ReadAt(to []byte, at int64) (int, error) {
	at -= frameHeaderSize
	number := uint64((at-logHeaderSize)/int64(len(l.raw))) + 1 //nolint:gosec // as in Frames
	if _, _, err := l.read(number, at); err != nil {
		return 0, err
	}
	return copy(to, l.raw[frameHeaderSize:]), nil
}

// Close closes the file.
func (l *Log) Close() error { return l.file.Close() }

// isPlain reports whether data begins a plain database.
func isPlain(data []byte) bool {
	return len(data) >= 100 && string(data[:16]) == "SQLite format 3\x00" && binary.BigEndian.Uint16(data[pageSizeAt:]) > 0
}
