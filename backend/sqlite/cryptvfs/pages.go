package cryptvfs

import (
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"iter"
	"os"
	"time"
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
	size := p.db.logical(info.Size())
	return size - size%p.db.pageSize, nil
}

// ReadAt reads from the decrypted pages, as if the file were a plain database. The reserved bytes are zero. The error is ErrPage if a
// page is not as it was written.
func (p *Pages) ReadAt(to []byte, offset int64) (n int, err error) {
	for n < len(to) {
		number, from := (offset+int64(n))/p.db.pageSize, (offset+int64(n))%p.db.pageSize
		if _, err := p.file.ReadAt(p.raw, p.db.physical(number*p.db.pageSize)); err != nil {
			return n, err
		}
		if p.db.open(p.raw, pagePlace(number)) != nil {
			return n, ErrPage
		}
		n += copy(to[n:], p.raw[from:])
	}
	return n, nil
}

// Close closes the file.
func (p *Pages) Close() error { return p.file.Close() }

// verifyTries is how often a page is read that fails: another process may be writing it.
const verifyTries = 5

// Verify yields the number of each page of the database that is not as it was written, from 1. It may be in use.
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
		one := make([]byte, 1)
		for number := range size / p.db.pageSize {
			for try := range verifyTries {
				if _, err = p.ReadAt(one, number*p.db.pageSize); err == nil || errors.Is(err, io.EOF) { // EOF: it was shortened meanwhile
					err = nil
					break
				}
				time.Sleep(time.Duration(try) * 10 * time.Millisecond)
			}
			if err != nil && !errors.Is(err, ErrPage) {
				yield(0, err)
				return
			}
			if err != nil && !yield(number+1, nil) {
				return
			}
		}
	}
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
	return &Log{file: file, db: db, raw: make([]byte, frameHeaderSize+db.pageSize)}, nil
}

// PageSize returns the size of a page in bytes.
func (l *Log) PageSize() int { return int(l.db.pageSize) }

// Frames yields the frames that SQLite would read: those of the log that was begun last, up to the first one that was changed or cut off.
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
