package foreigndb

import (
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"
	"time"

	"coppice/backend/core"
)

// merged presents a database and the committed part of the write-ahead log beside it as one file without a log. It is
// for copies without an index, which SQLite could only read by writing one. It is a file system that contains that
// file.
type merged struct {
	database  *os.File
	log       *os.File
	pages     map[int64]int64 // by number from 0: the offset of its newest version in the log
	pageBytes int64
	sizeBytes int64
}

// The parts of a write-ahead log, https://sqlite.org/fileformat.html#the_write_ahead_log.
const (
	logMagic       = 0x377f0682 // one more: its checksums are big-endian
	logHeadBytes   = 32
	frameHeadBytes = 24
)

// merge reads the log of a database.
func merge(path string) (*merged, error) {
	m := &merged{pages: map[int64]int64{}}
	var err error
	if m.database, err = core.OpenRegular(path); err != nil {
		return nil, err
	}
	if m.log, err = core.OpenRegular(path + "-wal"); err != nil {
		return nil, errors.Join(err, m.close())
	}
	info, err := m.database.Stat()
	if err == nil {
		m.sizeBytes = info.Size()
		err = m.readLog()
	}
	if err != nil {
		return nil, errors.Join(err, m.close())
	}
	return m, nil
}

func (m *merged) close() error {
	err := m.database.Close()
	if m.log != nil {
		err = errors.Join(err, m.log.Close())
	}
	return err
}

// readLog reads what is committed. The log ends where its checksums do: what follows is older.
func (m *merged) readLog() error {
	head := make([]byte, logHeadBytes)
	if n, err := m.log.ReadAt(head, 0); n < len(head) {
		return ignoreEnd(err)
	}
	magic := binary.BigEndian.Uint32(head)
	sums := checksum{order: binary.LittleEndian}
	if magic == logMagic+1 {
		sums.order = binary.BigEndian
	}
	m.pageBytes = int64(binary.BigEndian.Uint32(head[8:]))
	sums.add(head[:24])
	if magic&^1 != logMagic || !sums.is(head[24:]) || m.pageBytes < 512 || m.pageBytes > 1<<16 {
		return nil // it holds nothing yet
	}
	frame := make([]byte, frameHeadBytes+m.pageBytes)
	waiting := map[int64]int64{} // the pages of the transaction that is being read
	for at := int64(logHeadBytes); ; at += int64(len(frame)) {
		if n, err := m.log.ReadAt(frame, at); n < len(frame) {
			return ignoreEnd(err)
		}
		sums.add(frame[:8])
		sums.add(frame[frameHeadBytes:])
		if string(frame[8:16]) != string(head[16:24]) || !sums.is(frame[16:]) {
			return nil
		}
		waiting[int64(binary.BigEndian.Uint32(frame))-1] = at + frameHeadBytes
		if size := int64(binary.BigEndian.Uint32(frame[4:])); size > 0 {
			for page, at := range waiting {
				m.pages[page] = at
			}
			clear(waiting)
			m.sizeBytes = size * m.pageBytes
		}
	}
}

func ignoreEnd(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// checksum is the checksum of a write-ahead log, over everything added so far.
type checksum struct {
	order  binary.ByteOrder
	s0, s1 uint32
}

// add adds bytes, a multiple of eight.
func (c *checksum) add(b []byte) {
	for ; len(b) >= 8; b = b[8:] {
		c.s0 += c.order.Uint32(b) + c.s1
		c.s1 += c.order.Uint32(b[4:]) + c.s0
	}
}

func (c *checksum) is(sum []byte) bool {
	return binary.BigEndian.Uint32(sum) == c.s0 && binary.BigEndian.Uint32(sum[4:]) == c.s1
}

// read reads the file from an offset on, up to the end of a page.
func (m *merged) read(b []byte, offset int64) (int, error) {
	if offset >= m.sizeBytes {
		return 0, io.EOF
	}
	b = b[:min(int64(len(b)), m.sizeBytes-offset)]
	var n int
	var err error
	if m.pageBytes == 0 { // the log is empty
		n, err = m.database.ReadAt(b, offset)
	} else {
		page, within := offset/m.pageBytes, offset%m.pageBytes
		b = b[:min(int64(len(b)), m.pageBytes-within)]
		if at, logged := m.pages[page]; logged {
			n, err = m.log.ReadAt(b, at+within)
		} else {
			n, err = m.database.ReadAt(b, offset)
		}
	}
	for i := range b[:n] {
		if at := offset + int64(i); at == 18 || at == 19 {
			b[i] = 1 // there is no log
		} else if at > 19 {
			break
		}
	}
	return n, err
}

// mergedName is the name of the file in its file system.
const mergedName = "merged.db"

// Open opens the file; there is no other.
func (m *merged) Open(name string) (fs.File, error) {
	if name != mergedName {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return &mergedFile{merged: m}, nil
}

// mergedFile is the open file and a position in it.
type mergedFile struct {
	*merged
	offset int64
}

func (f *mergedFile) Read(b []byte) (int, error) {
	n, err := f.read(b, f.offset)
	f.offset += int64(n)
	return n, err
}

func (f *mergedFile) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += f.offset
	case io.SeekEnd:
		offset += f.sizeBytes
	}
	if offset < 0 {
		return 0, fs.ErrInvalid
	}
	f.offset = offset
	return offset, nil
}

func (f *mergedFile) Close() error               { return nil } // what it is made of is closed by its owner
func (f *mergedFile) Stat() (fs.FileInfo, error) { return f, nil }
func (f *mergedFile) Name() string               { return mergedName }
func (f *mergedFile) Size() int64                { return f.sizeBytes }
func (f *mergedFile) Mode() fs.FileMode          { return 0o400 }
func (f *mergedFile) ModTime() time.Time         { return time.Time{} }
func (f *mergedFile) IsDir() bool                { return false }
func (f *mergedFile) Sys() any                   { return nil }
