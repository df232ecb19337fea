package cryptvfs

import (
	"bytes"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
)

// HeaderSize is the size of what is before the first page of a database, in bytes.
const HeaderSize = 4096

const (
	formatVersion = 2 // 1 had no tree, and was never released
	saltSize      = 32
	checkSize     = 32

	// The header has two areas for the slots. Each change writes the one that is not in use, so that a write that was cut off
	// leaves the other one.
	slotsAt     = 512
	areaSize    = (HeaderSize - slotsAt) / 2
	areaHead    = 8 + 4 + sha256.Size // generation, size of the slots, checksum
	areaSumAt   = 8 + 4
	areaCount   = 2
	firstUpdate = 1
	// MaxSlots is the maximum size of what the user of the package stores in the header, in bytes.
	MaxSlots = areaSize - areaHead
)

// magic begins an encrypted database.
var magic = [16]byte{'c', 'r', 'y', 'p', 't', 'v', 'f', 's', ' ', 'd', 'b', '\r', '\n', 0x1a, '\n', 0}

// The places of the other fields. At 16 are those of a plain database.
const (
	pageSizeAt = 16
	reserveAt  = 20
	versionAt  = 24
	vacuumAt   = 28
	saltAt     = 32
	checkAt    = saltAt + saltSize
	limitLock  = 0x40000000 // where SQLite locks; see PENDING_BYTE
)

// ErrFormat means that a file is not a database of this package.
var ErrFormat = errors.New("not an encrypted database")

// ErrVersion means that a file is a database of an earlier or a later version of this package.
var ErrVersion = errors.New("an encrypted database of a format that this version does not read")

// Options are what a new database has from the start: SQLite cannot change them.
type Options struct {
	PageSize    int64 // in bytes, a power of two from 1024 to 65536
	Incremental bool  // auto_vacuum = incremental
	Slots       []byte
}

// header is what is before the first page.
type header struct {
	pageSize    int64
	incremental bool
	salt        [saltSize]byte
	check       [checkSize]byte
	slots       []byte // at most MaxSlots
	generation  uint64 // of the slots: the number of changes, from 1
}

func newHeader(key Key, o Options) (*header, error) {
	switch {
	case o.PageSize < 1024 || o.PageSize > 65536 || o.PageSize&(o.PageSize-1) != 0:
		return nil, fmt.Errorf("a page cannot have %d bytes", o.PageSize)
	case len(o.Slots) > MaxSlots:
		return nil, fmt.Errorf("%d bytes do not fit into the header", len(o.Slots))
	}
	h := &header{pageSize: o.PageSize, incremental: o.Incremental, slots: o.Slots, generation: firstUpdate}
	_, _ = rand.Read(h.salt[:])
	h.check = h.checkOf(key)
	return h, nil
}

// checkOf returns what a header has if the key is that of the database.
func (h *header) checkOf(key Key) (check [checkSize]byte) {
	derived, err := hkdf.Key(sha256.New, key[:], h.salt[:], "cryptvfs check", checkSize)
	if err == nil { // it fails for other lengths
		copy(check[:], derived)
	}
	return check
}

// fits reports whether the key is that of the database.
func (h *header) fits(key Key) bool {
	check := h.checkOf(key)
	return subtle.ConstantTimeCompare(check[:], h.check[:]) == 1
}

func (h *header) bytes() []byte {
	data := make([]byte, HeaderSize)
	copy(data, magic[:])
	copy(data[pageSizeAt:], h.databaseHeader()[pageSizeAt:versionAt])
	binary.BigEndian.PutUint32(data[versionAt:], formatVersion)
	if h.incremental {
		data[vacuumAt] = 1
	}
	copy(data[saltAt:], h.salt[:])
	copy(data[checkAt:], h.check[:])
	copy(data[h.areaAt():], h.area())
	return data
}

// areaAt returns where the area of the slots is in the header.
func (h *header) areaAt() int64 { return slotsAt + int64(h.generation%areaCount)*areaSize } //nolint:gosec // 0 or 1

// area returns the slots as their area of the header has them.
func (h *header) area() []byte {
	data := make([]byte, areaSize)
	binary.BigEndian.PutUint64(data, h.generation)
	binary.BigEndian.PutUint32(data[8:], uint32(len(h.slots))) //nolint:gosec // at most MaxSlots
	copy(data[areaHead:], h.slots)
	sum := sumOfArea(data)
	copy(data[areaSumAt:], sum[:])
	return data
}

// sumOfArea detects an area that was not written to its end. Changes on purpose are for the user of the package to detect.
func sumOfArea(area []byte) [sha256.Size]byte {
	data := bytes.Clone(area)
	clear(data[areaSumAt:areaHead])
	return sha256.Sum256(data)
}

// readAreas sets the slots from the newest area that is whole. It reports whether one is.
func (h *header) readAreas(data []byte) bool {
	for n := range areaCount {
		area := data[slotsAt+n*areaSize:][:areaSize]
		generation, size := binary.BigEndian.Uint64(area), binary.BigEndian.Uint32(area[8:])
		if sum := sumOfArea(area); generation <= h.generation || size > MaxSlots || !bytes.Equal(sum[:], area[areaSumAt:areaHead]) {
			continue
		}
		h.generation, h.slots = generation, bytes.Clone(area[areaHead:][:size])
	}
	return h.generation > 0
}

func parseHeader(data []byte) (*header, error) {
	if len(data) < HeaderSize || !bytes.Equal(data[:len(magic)], magic[:]) {
		return nil, ErrFormat
	}
	if version := binary.BigEndian.Uint32(data[versionAt:]); version != formatVersion {
		return nil, fmt.Errorf("%w (%d, not %d)", ErrVersion, version, formatVersion)
	}
	h := &header{pageSize: int64(binary.BigEndian.Uint16(data[pageSizeAt:])), incremental: data[vacuumAt] == 1}
	if h.pageSize == 1 {
		h.pageSize = 65536
	}
	if !h.readAreas(data) || h.pageSize < 1024 || h.pageSize&(h.pageSize-1) != 0 || data[reserveAt] != Reserve {
		return nil, ErrFormat
	}
	copy(h.salt[:], data[saltAt:])
	copy(h.check[:], data[checkAt:])
	return h, nil
}

// databaseHeader returns the first hundred bytes of a database without pages: of these, SQLite takes the size of its pages, the number
// of reserved bytes and whether it is vacuumed.
func (h *header) databaseHeader() []byte {
	data := make([]byte, fileHeaderSize)
	copy(data, "SQLite format 3\x00")
	binary.BigEndian.PutUint16(data[pageSizeAt:], uint16(h.pageSize&0xffff|h.pageSize>>16)) //nolint:gosec // 1 for 65536
	data[18], data[19] = 2, 2                                                               // of the log; see the file format
	data[reserveAt] = Reserve
	data[21], data[22], data[23] = 64, 32, 32
	if h.incremental {
		data[55], data[67] = 1, 1 // the largest root page, and the mode
	}
	return data
}

// skipFrom is the offset of the first block that is moved up by a block, because it would lie where SQLite locks.
func (h *header) skipFrom() int64 { return (limitLock - HeaderSize) / h.pageSize * h.pageSize }

// physical returns the offset of a block in the file.
func (h *header) physical(block int64) int64 {
	offset := block * h.pageSize
	if offset >= h.skipFrom() {
		offset += h.pageSize
	}
	return offset + HeaderSize
}

// blocksIn returns the number of blocks in a file of that size. The rest of one that was cut off counts as a block.
func (h *header) blocksIn(size int64) int64 {
	size -= HeaderSize
	if size > h.skipFrom() {
		size = max(size-h.pageSize, h.skipFrom())
	}
	return (max(size, 0) + h.pageSize - 1) / h.pageSize
}

// fileSize returns the size of a file of so many blocks.
func (h *header) fileSize(blocks int64) int64 {
	if blocks == 0 {
		return HeaderSize
	}
	return h.physical(blocks-1) + h.pageSize
}

// readHeader reads the header of a file.
func readHeader(path string) (h *header, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() { // opening a named pipe would wait
		return nil, ErrFormat
	}
	file, err := os.OpenFile(path, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	data := make([]byte, HeaderSize)
	if _, err := io.ReadFull(file, data); err != nil {
		return nil, ErrFormat
	}
	return parseHeader(data)
}
