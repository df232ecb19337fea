// Package salvage reads what is left of a damaged SQLite file: page by page, without SQLite, and without ever writing to the file.
// It follows https://sqlite.org/fileformat2.html. Nothing that the file says is trusted: every offset, length and chain is bounded.
package salvage

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"

	"coppice/backend/sqlite/cryptvfs"
)

const (
	headerBytes = 100
	magic       = "SQLite format 3\x00"
	minPage     = 512
	maxPage     = 65536
	// maxPages bounds what the survey holds in memory: 4 bytes and 2 bits per page.
	maxPages = 1 << 28
	// maxReserved is the largest number of reserved bytes that is believed: those of an encrypted library are cryptvfs.Reserve.
	maxReserved = 64
)

// File is a damaged database, opened for reading.
type File struct {
	data     pages
	log      *wal // nil: none that can be read
	pageSize int
	usable   int
	pages    uint32 // how many there are, those of the log included
	header   header
	damage   []Damage
	survey   *survey
}

// pages are the bytes of the pages of a database, decrypted if it is encrypted.
type pages interface {
	io.ReaderAt
	io.Closer
	Size() (int64, error)
}

// plainFile is a database that is not encrypted.
type plainFile struct{ *os.File }

// Size returns the size of the file.
func (f plainFile) Size() (int64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	if !info.Mode().IsRegular() {
		return 0, fmt.Errorf("%s is not a regular file", f.Name())
	}
	return info.Size(), nil
}

// header holds the plausible values of the file's first page.
type header struct {
	valid      bool
	pages      uint32 // 0: not known
	freelist   uint32 // the first trunk page
	autoVacuum bool
	reserved   int
	version    uint32 // user_version
	appID      uint32
}

// Damage is a page that could not be read.
type Damage struct {
	Page  uint32 `json:"page"`
	Table string `json:"table,omitempty"` // the table or index the page belongs to; empty: unknown
	Cause string `json:"cause"`
}

// errNoPages is the cause of a file in which no page of a database is found.
var errNoPages = errors.New("no page of a database found")

// Open opens a file and the write-ahead log beside it. An encrypted file must be unlocked.
func Open(path string) (*File, error) {
	f := &File{}
	var err error
	if cryptvfs.IsUnlocked(path) {
		err = f.openEncrypted(path)
	} else {
		err = f.openPlain(path)
	}
	if err != nil {
		return nil, err
	}
	if err := f.begin(); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

func (f *File) openPlain(path string) error {
	data, err := os.Open(path)
	if err != nil {
		return err
	}
	f.data = plainFile{data}
	if f.log, err = openLog(path + "-wal"); err != nil {
		return errors.Join(err, data.Close())
	}
	return nil
}

func (f *File) openEncrypted(path string) error {
	data, err := cryptvfs.OpenPages(path)
	if err != nil {
		return err
	}
	f.data = data
	if f.log, err = openEncryptedLog(path); err != nil {
		return errors.Join(err, data.Close())
	}
	return nil
}

// Close closes the file and its log.
func (f *File) Close() error {
	if f.log != nil {
		return errors.Join(f.log.file.Close(), f.data.Close())
	}
	return f.data.Close()
}

// PageSize returns the size of a page in bytes.
func (f *File) PageSize() int { return f.pageSize }

// PageCount returns the number of pages, those that only the log holds included.
func (f *File) PageCount() int64 { return int64(f.pages) }

// UserVersion returns the schema version that the header names; 0 if the header cannot be read.
func (f *File) UserVersion() int64 { return int64(f.header.version) }

// ApplicationID returns the application id that the header names; 0 if the header cannot be read.
func (f *File) ApplicationID() int64 { return int64(f.header.appID) }

// Damage returns the pages that could not be read so far.
func (f *File) Damage() []Damage { return f.damage }

func (f *File) begin() error {
	size, err := f.data.Size()
	if err != nil {
		return err
	}
	f.pageSize = f.findPageSize(size)
	if f.pageSize == 0 {
		return errNoPages
	}
	if f.log != nil && f.log.pageSize != f.pageSize {
		err := f.log.file.Close()
		if f.log = nil; err != nil {
			return err
		}
	}
	inFile := min(size/int64(f.pageSize), maxPages)
	f.pages = uint32(inFile) //nolint:gosec // bounded above
	if f.log != nil {
		if f.log.pages > 0 && f.log.pages < f.pages {
			f.pages = f.log.pages // the file has shrunk: what lies behind is of the past
		}
		// Each page by which a file has grown is in the log: a log that names others is not to be believed.
		f.pages = max(f.pages, min(f.log.highest, uint32(inFile)+uint32(len(f.log.frames)))) //nolint:gosec // both are bounded
	}
	f.readHeader()
	if h := f.header.pages; f.log == nil && h > 0 && h < f.pages {
		f.pages = h
	}
	if f.pages == 0 {
		return errNoPages
	}
	return nil
}

// findPageSize returns the page size of the header, or of the log, or that of most pages; 0 if it is unknown.
func (f *File) findPageSize(size int64) int {
	if encrypted, ok := f.data.(*cryptvfs.Pages); ok {
		return encrypted.PageSize()
	}
	first := make([]byte, headerBytes)
	if _, err := f.data.ReadAt(first, 0); err == nil && string(first[:16]) == magic {
		if n := pageSizeOf(uint32(binary.BigEndian.Uint16(first[16:]))); n != 0 {
			return n
		}
	}
	if f.log != nil {
		return f.log.pageSize
	}
	best, most := 0, int64(0)
	for n := minPage; n <= maxPage; n *= 2 {
		if covered := f.plausible(n, size); covered > most+most/8 { // a size above the true one covers as much
			best, most = n, covered
		}
	}
	return best
}

func pageSizeOf(n uint32) int {
	if n == 1 {
		n = maxPage
	}
	if n < minPage || n > maxPage || n&(n-1) != 0 {
		return 0
	}
	return int(n)
}

// plausible returns how many bytes lie in b-tree pages if pages are of this size. It samples a large file.
func (f *File) plausible(pageSize int, size int64) int64 {
	const samples = 4096
	count := size / int64(pageSize)
	step := max(count/samples, 1)
	page := make([]byte, pageSize)
	covered := int64(0)
	for n := int64(1); n < count; n += step {
		if _, err := f.data.ReadAt(page, n*int64(pageSize)); err != nil {
			break
		}
		if p, err := parsePage(page, 0, pageSize); err == nil && p.isDense() {
			covered += int64(pageSize) * step
		}
	}
	return covered
}

// readHeader reads the first page's header, or derives its values from the pages if it is damaged.
func (f *File) readHeader() {
	f.usable = f.pageSize
	if _, encrypted := f.data.(*cryptvfs.Pages); encrypted {
		f.usable -= cryptvfs.Reserve
	}
	page, err := f.page(1)
	if err == nil && string(page[:16]) == magic {
		f.header = parseHeader(page)
		f.usable = f.pageSize - f.header.reserved
	}
	if !f.header.valid {
		f.header.autoVacuum = f.looksAutoVacuumed()
	}
}

func parseHeader(page []byte) header {
	word := func(at int) uint32 { return binary.BigEndian.Uint32(page[at:]) }
	h := header{
		valid: true, freelist: word(32), autoVacuum: word(52) != 0, reserved: int(page[20]), version: word(60), appID: word(68),
	}
	if h.reserved > maxReserved {
		h.reserved = 0
	}
	if word(24) == word(92) { // else a version before 3.7 wrote it, and the count is of the past
		h.pages = word(28)
	}
	return h
}

// looksAutoVacuumed reports whether the second page is a pointer map.
func (f *File) looksAutoVacuumed() bool {
	page, err := f.page(2)
	if err != nil {
		return false
	}
	entries := 0
	for at := 0; at+5 <= f.usable; at += 5 {
		kind, parent := page[at], binary.BigEndian.Uint32(page[at+1:])
		if kind == 0 {
			break
		}
		if kind > 5 || parent > f.pages {
			return false
		}
		entries++
	}
	return entries > 0
}

// page returns a page as the log, or else the file, has it. The caller owns it.
func (f *File) page(n uint32) ([]byte, error) {
	if n == 0 || n > f.pages {
		return nil, fmt.Errorf("no page %d", n)
	}
	data := make([]byte, f.pageSize)
	if f.log != nil {
		if at, ok := f.log.frames[n]; ok {
			_, err := f.log.file.ReadAt(data, at)
			return data, err
		}
	}
	_, err := f.data.ReadAt(data, int64(n-1)*int64(f.pageSize))
	if errors.Is(err, io.EOF) {
		return nil, errors.New("the file ends before it")
	}
	return data, err
}

func (f *File) damaged(page uint32, table, format string, args ...any) {
	const most = 10_000 // a file of garbage has no use for a longer list
	if len(f.damage) < most {
		f.damage = append(f.damage, Damage{Page: page, Table: table, Cause: fmt.Sprintf(format, args...)})
	}
}
